// What the store keeps of one run.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace cupel {

enum class RunStatus { kOk, kDiverged, kFailed, kTimeout };

[[nodiscard]] std::string to_text(RunStatus status);  // "ok", "diverged", "failed", "timeout"

// The test score of a run on a group of nodes (lab/plan/strata.h) and on the others.
struct StratumScore {
  std::string stratum;                    // id of the group
  std::optional<double> inside, outside;  // fractions; absent where the test set has too few nodes
  int inside_nodes = 0, outside_nodes = 0;
};

// A run is a pure function of its identity; `id` is the hash of it.
struct RunRecord {
  std::string id;        // 32 hexadecimal digits
  std::string identity;  // canonical JSON of everything the result depends on
  RunStatus status = RunStatus::kOk;
  std::string metric;                // of both scores, e.g. "accuracy"
  std::optional<double> test_score;  // fraction; absent if the run has none. A diverged run may
                                     // have one (its rule restores the best parameters so far)
  std::optional<double> valid_score;
  double valid_loss = 0;
  int epochs = 0, best_epoch = -1;
  double seconds = 0;
  std::int64_t memory_bytes = 0;
  std::string message;  // why it is not ok
  // How an external program was kept apart: "bubblewrap", or "none". Empty for registry models, and
  // for runs from before it was noted. No part of the identity.
  std::string isolation;
  // Test scores by other metrics, by name: fractions. No part of the identity, as they say nothing
  // that was selected by.
  std::vector<std::pair<std::string, double>> other_scores;
  std::vector<StratumScore> strata;  // those that were asked for when it was scored; no part of its
                                     // identity, as they depend on nothing else
  // Whether the store has a hash of all this, by which it would notice an edit. Runs from before
  // there were such hashes have none.
  bool sealed = false;
};

}  // namespace cupel
