// A run as the store holds it: reading it, writing it, and telling whether it can be what it says.
#pragma once

#include <optional>
#include <string>

#include "cupel/lab/store/sqlite.h"
#include "cupel/lab/store/store.h"

namespace cupel {

struct Row {
  StoredRun run;               // `identity` of the record is not read
  std::optional<double> loss;  // as the file has it: absent where it was no number
  std::string seal;            // empty: none
  std::string fault;           // what cannot be in a store, found while reading; empty: nothing
  bool bare = false;           // the store has neither a seal of it nor a mark that it is older
  std::vector<std::string> stores = {};  // of a side of a conflict: as in ConflictSide
};

// Ended with a score, or with the knowledge that there is none: it is not done again.
[[nodiscard]] inline bool is_finished(RunStatus status) {
  return status == RunStatus::kOk || status == RunStatus::kDiverged;
}

// The row that a record becomes: in the form that the file gives back, with its seal. The id
// follows from family and place.
[[nodiscard]] Row row_of(const std::string& family_identity, int split, int init,
                         const RunRecord& record);

// SHA-256 of all that the store says of a run of this family.
[[nodiscard]] std::string seal_of(const std::string& family, const Row& row);

// The same but for what differs from machine to machine: time, memory, message and isolation.
[[nodiscard]] std::string outcome_hash(const std::string& family, const Row& row);

// Whether two outcomes of one run agree: status, scores, loss and epochs, and the other scores and
// strata that both have.
[[nodiscard]] bool same_outcome(const Row& a, const Row& b);
// The same of records as stores give them.
[[nodiscard]] bool same_outcome(const RunRecord& a, const RunRecord& b);

// Takes in the other scores and strata that only `b` has. Whether there were any.
bool take_scores(Row& a, const Row& b);

// Why a family cannot be the one of this id. Empty if it can.
[[nodiscard]] std::string family_fault(const std::string& id, const std::string& identity);

// Why a row cannot be what a run of this family left: an id of something else, a score beyond what
// the metric gives, a broken seal. Empty if it can.
[[nodiscard]] std::string fault_of(const std::string& family, const std::string& identity,
                                   const Row& row);

// Columns of a SELECT, in the order that read_row() takes them, but for the last, the seal, of
// which NULL is a fault; the tables are called r (runs), i (isolation) and s (seals).
inline constexpr const char* kRowColumns =
    "r.split, r.init, r.id, r.status, r.metric, r.test_score, r.valid_score, r.valid_loss, "
    "r.epochs, r.best_epoch, r.seconds, r.memory_bytes, r.message, i.kind";
inline constexpr const char* kRowTables =
    "runs r LEFT JOIN isolation i USING (family, split, init) LEFT JOIN seals s USING (family, "
    "split, init)";
// Without strata and other scores.
[[nodiscard]] Row read_row(const Statement& row);

// The score of a column, and what is wrong with it.
[[nodiscard]] std::optional<double> read_score(const Statement& row, int column, const char* name,
                                               std::string& fault);

}  // namespace cupel
