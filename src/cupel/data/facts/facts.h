// Temporal facts: who stood in which relation to whom, and when.
//
// A type beside Dataset: a graph of facts has a relation and a time for every arc, repeats count,
// and the order of time decides what may be known. The quadruples (s, r, o, t) are those of Jin et
// al., "Recurrent Event Network", EMNLP 2020, section 2.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "cupel/base/matrix.h"
#include "cupel/data/facts/fact_column.h"
#include "cupel/data/facts/text_table.h"

namespace cupel {

// One kind of fact, and of what types its two ends are.
struct FactRelation {
  std::string name;                               // "collaboration"
  std::uint8_t source_type = 0, target_type = 0;  // places in TemporalFacts::types
  bool undirected =
      false;  // (s, r, o) and (o, r, s) say the same; each fact stands once all the same
  friend bool operator==(const FactRelation&, const FactRelation&) = default;
};

// A part that the source gave facts in, as train.txt; first and last are times of its facts.
struct FactPart {
  std::string name;  // "train"
  std::int64_t facts = 0, first = 0, last = 0;
  void add(std::int64_t time) {
    first = facts == 0 ? time : std::min(first, time);
    last = facts == 0 ? time : std::max(last, time);
    ++facts;
  }
  friend bool operator==(const FactPart&, const FactPart&) = default;
};

// Entities and relations are numbers from 0. The four columns have a row for each fact and ascend
// by time; facts of one time stand in the order in which they came. A fact takes 20 bytes.
// Moved, not copied. Thread-safe while nobody changes it.
struct TemporalFacts {
  std::string name;
  std::vector<std::string> types;          // "scientist"; at most 255
  std::vector<std::uint8_t> entity_types;  // of each entity, a place in `types`
  TextTable entity_names;                  // as many as entities; empty: their numbers are names
  std::vector<FactRelation> relations;
  FactColumn<Index> source, relation, target;
  FactColumn<std::int64_t> time;
  std::string time_unit;        // what 1 is: "year", "second"; "": not known
  std::vector<FactPart> parts;  // in the order of the source; empty: it had none

  [[nodiscard]] Index entities() const { return static_cast<Index>(entity_types.size()); }
  [[nodiscard]] std::int64_t facts() const { return static_cast<std::int64_t>(time.size()); }
  [[nodiscard]] std::string entity_name(Index entity) const {
    return entity_names.empty() ? std::to_string(entity) : std::string(entity_names[entity]);
  }
  void push(Index s, Index r, Index o, std::int64_t t) {
    source.push(s), relation.push(r), target.push(o), time.push(t);
  }
};

inline constexpr std::int64_t kMostFacts = 0x7fffffff;

// Puts facts in the order of time, those of one time in the order in which they stood. Linear time.
// Memory beside the facts: nothing where they are in order, else 12 bytes a fact.
void sort_by_time(TemporalFacts& facts);

// How many facts stand earlier than one before them, as they are now.
[[nodiscard]] std::int64_t out_of_order(const TemporalFacts& facts);

struct RepeatedFacts {
  std::int64_t facts = 0;     // equal to one before them in source, relation, target and time
  std::int64_t distinct = 0;  // quadruples that stand more than once
};
// Requires facts in order. Memory: 12 bytes for each fact of a step of time; twice that
// where steps grow.
[[nodiscard]] RepeatedFacts repeated_facts(const TemporalFacts& facts);

// SHA-256 over what is recorded, as numbers: types of entities, ends of relations, the four columns
// and the parts. Names are not in it.
[[nodiscard]] std::string content_hash(const TemporalFacts& facts);

// SHA-256 over what results depend on beside that: names of relations, by which settings choose
// them and scores of groups are called, and the unit of time, by which days are read.
[[nodiscard]] std::string names_hash(const TemporalFacts& facts);

// Throws std::logic_error if something above does not hold. Linear time.
void check_invariants(const TemporalFacts& facts);

}  // namespace cupel
