// What is asked of one part of a split of facts over time: the sealed side.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cupel/base/random.h"
#include "cupel/data/facts/facts.h"
#include "cupel/data/facts/groups.h"
#include "cupel/data/facts/negatives.h"
#include "cupel/data/facts/staleness.h"
#include "cupel/data/facts/time_split.h"
#include "cupel/learn/events/event_model.h"
#include "cupel/learn/events/event_settings.h"

namespace cupel {

// Entities that were an answer to one query, at whatever time; for the filter "static". Holds 32
// bytes for each fact.
class KnownAnswers {
 public:
  KnownAnswers(const FactColumns& facts, Undirected undirected);
  // Ascending, each once.
  void find(const EventQuery& query, std::vector<Index>& out) const;

 private:
  struct Entry {
    std::uint64_t key;
    Index entity;
  };
  std::uint64_t key_of(Index relation, bool source_asked, Index given) const;
  Index nodes_;
  std::vector<std::uint8_t> undirected_;
  std::vector<Entry> entries_;  // by key, then entity
};

// Kinds of facts that scores are told apart by, for each fact of the part.
struct EventStrata {
  FactGroups groups;
  FactStaleness staleness;
  std::vector<std::int32_t> step;  // of time, from 1 on: how many steps after the last known one
};

// Facts of their own.
struct FactRows {
  std::vector<Index> source, relation, target;
  std::vector<std::int64_t> time;
  Index nodes = 0, relations = 1;

  FactRows(const FactColumns& facts, std::span<const Index> rows);
  void add(const FactColumns& facts);  // that follow
  FactColumns columns() const { return {source, relation, target, time, nodes, relations}; }
};

// Immutable; shared by all that are examined on it.
struct EventPart {
  std::shared_ptr<const TemporalFacts> data;
  std::vector<std::uint8_t> undirected;  // per relation
  EventSettings settings;
  FactColumns facts;  // of all parts; [begin, end) are asked, those before were known before
  Offset begin = 0, end = 0;
  // What is learnt before validation, where some facts are left out of training; else all before
  // it. Negatives and filters go by all facts.
  std::shared_ptr<const FactRows> train;
  StreamKey key;                              // of candidates that are drawn
  std::vector<Index> of_type;                 // per type: how many entities
  std::optional<KnownAnswers> known_answers;  // for the filter "static"
  FactNegatives negatives;                    // whether: one for each asked fact
  std::vector<Offset> batches;                // whether: where they begin, from 0; and the end
  std::optional<EventStrata> strata;          // of test

  FactColumns asked() const { return facts.part(begin, end); }
  // Whether both orders of a fact say the same.
  bool either_way(Index relation) const {
    return undirected[static_cast<std::size_t>(relation)] != 0;
  }
  int questions_per_fact() const {
    return !settings.whether && settings.ends == EventEnds::kBoth ? 2 : 1;
  }
  Offset questions() const { return (end - begin) * questions_per_fact(); }
};

}  // namespace cupel
