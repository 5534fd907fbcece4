// Two stores against each other, or two runs: which ended in the same bits, and what parts those
// that are not the same run.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cupel/lab/store/store.h"

namespace cupel {

// What two identities, or two outcomes, say in different ways.
struct FieldDifference {
  // Its path in the identity of a run, "family.model.settings.lr"; of an outcome "test_score",
  // "other_scores.macro-f1".
  std::string field;
  std::string a, b;  // as JSON; empty: it is not said there
};

// A run of both stores that ended in different ways.
struct DifferentRun {
  std::string id, model, dataset;
  int split = 0, init = 0;
  std::vector<FieldDifference> outcome;
};

// Runs of one family that the other store does not have, and that one thing parts from the runs
// there that are nearest. Near is a run of the same model on the same data (by content, or by a
// name that both stores have for it), then of the same model, then on the same data; of several the
// one that differs in the fewest fields of the identity, and of these the first by family.
struct UnmatchedRuns {
  struct Run {
    std::string id;
    int split = 0, init = 0;
    std::string nearest = {};  // id; empty: the other store has no run
  };
  std::string model, dataset;  // as tables call them; where there are none, as the identity does
  std::string family, nearest_family;
  // Of the families; `a` is what these runs have. Of different models their names alone.
  std::vector<FieldDifference> fields;
  bool other_split = false, other_init = false;  // the nearest family has not their places
  std::vector<Run> runs;                         // by (split, init)
};

struct StoreDiff {
  std::int64_t equal = 0;  // runs of both, to the bit; scores that only one has contradict nothing
  std::vector<DifferentRun> different;
  // Of both, but failed or timed out in one of them, which depends on the machine.
  std::int64_t unfinished = 0;
  std::vector<std::string> in_conflict;  // ids: one of the stores has it in different ways
  std::vector<UnmatchedRuns> only_a, only_b;

  // No run has other bits in one than in the other.
  [[nodiscard]] bool holds() const { return different.empty() && in_conflict.empty(); }
};

// Neither is changed. Throws DamagedFile for a store that is not as it was kept.
[[nodiscard]] StoreDiff diff_stores(const Store& a, const Store& b);

struct RunDiff {
  RunRecord a, b;
  std::vector<FieldDifference> identity, outcome;
};

// Two runs by their ids. Throws Error if one is not there, and for one and the same run.
[[nodiscard]] RunDiff diff_runs(const Store& store, const std::string& a, const std::string& b);

}  // namespace cupel
