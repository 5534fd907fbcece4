// Decisions about pairs of entities as a table, which people edit and programs apply.
//
// The columns are first_id, first_name, second_id, second_name, type, name_score, graph_score,
// score, evidence, verdict (accept, reject or open), by (automatic or person), first_authorship and
// second_authorship ("0 of P18-1001", entity_finder.h). Only the names and the verdict must be
// there, in any order; an id may be left empty, a score and an authorship, too.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "cupel/data/facts/academic.h"
#include "cupel/data/facts/facts.h"
#include "cupel/data/resolve/decision.h"
#include "cupel/data/resolve/merged_names.h"

namespace cupel {

enum class DecidedBy : std::uint8_t { kAutomatic, kPerson };

struct DecidedPair {
  MergeDecision decision;
  DecidedBy by = DecidedBy::kAutomatic;
  std::uint64_t line = 0;  // of the file that says so; 0: none does
  friend bool operator==(const DecidedPair&, const DecidedPair&) = default;
};

struct DecidedPairs {
  std::string file;                // as given, for messages; empty: none
  std::vector<DecidedPair> pairs;  // by (first, second), each pair once
  std::map<std::string, std::int64_t> counts;
};

// Reads such a table, plain or compressed. A line means the author at its authorship if that has or
// had its name; else the only one of the type with that name; else the one that `merged` says the
// name went into. Where one has the name that another had, it is the other's if that went into the
// second end of the line. Ids tell namesakes apart who are no authors. So decisions stay good where
// ids have changed. A pair that is one entity by now, namesakes among them whom the line tells
// apart by authorships or ids, is counted and left out, unless the line rejects it. Lines may stand
// in any order, which nothing but `line` depends on; of lines about one pair those that decide
// count, and `person` before `automatic`.
//
// Memory: 130 bytes a line and its evidence, once the names, and 64 bytes an authorship.
// Throws Error naming file and line: for a column that is missing, an unknown verdict, an entity
// that is not there or cannot be told, one with itself, a pair of two types, lines that
// contradict each other.
[[nodiscard]] DecidedPairs read_decisions(const std::filesystem::path& path,
                                          const TemporalFacts& facts,
                                          const Authorships& authorships,
                                          const MergedNames& merged);

// Proposals and what a file says of them: where both have a pair, verdict and line are those of the
// file and the rest is the proposal's; its `by` is `person` if the verdicts differ. `proposals`
// ascend by (first, second).
[[nodiscard]] DecidedPairs decided_pairs(std::vector<MergeDecision> proposals, DecidedPairs file);

// The table, in the order given. Scores have four decimals.
[[nodiscard]] std::string decisions_csv(const TemporalFacts& facts, const Authorships& authorships,
                                        std::span<const DecidedPair> pairs);

}  // namespace cupel
