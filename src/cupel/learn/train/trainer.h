// The one training loop: optimiser, early stopping, selection.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "cupel/base/limits.h"
#include "cupel/base/options.h"
#include "cupel/base/parallel.h"
#include "cupel/base/random.h"
#include "cupel/learn/models/model.h"
#include "cupel/learn/task.h"
#include "cupel/learn/train/rule.h"

namespace cupel {

enum class TrialStatus { kOk, kDiverged, kTimeout };

struct TrialOutcome {
  TrialStatus status = TrialStatus::kOk;
  std::string message;    // why it is not kOk
  int epochs = 0;         // epochs trained
  int best_epoch = -1;    // epoch whose parameters were kept; -1: the initial ones
  double valid_loss = 0;  // at the kept parameters; with the penalty of L2 unless the rule stops on
                          // "valid-loss"
  double valid_score = 0;
  std::string metric;  // the form of the metric that scores are judged by (model.h)
  std::optional<Scores>
      test_scores;  // of the task's test nodes; empty if there is nothing to score
};

using Clock = std::chrono::steady_clock;

// Trains one model with one configuration on one split, once per initialisation. Everything that
// does not depend on the initialisation (tracing, compiling, row sets, memory) is done in the
// constructor. Not thread-safe: one Trainer per thread. Test labels are out of its reach by type.
class Trainer {
 public:
  // Throws Error for a configuration that the model refuses, or if it classifies something else.
  // `metric`: see score/metrics.h.
  Trainer(TaskView task, const ModelEntry& model, Options config, TrainRule rule,
          const std::string& metric = "accuracy", Threads threads = {});
  ~Trainer();
  Trainer(Trainer&&) noexcept;

  // `key` fixes initial weights and dropout; the outcome is a pure function of it.
  // Past the deadline the trial ends as kTimeout. Throws Interrupted if it is interrupted before it
  // is done: looked at after every epoch (of sets of graphs, after every batch), and between the
  // steps of models without gradients, which look at both limits. After a throw the next run is as
  // any other.
  [[nodiscard]] TrialOutcome run(StreamKey key, const RunLimits& limits = {});

  // Epochs that the trial in flight has trained, or the last one; -1 of a model without gradients.
  // May be called from any thread while the trainer lives.
  [[nodiscard]] int epochs() const;

  // Bytes that this trainer holds beyond the shared data set.
  [[nodiscard]] std::size_t memory_bytes() const;

  struct Impl;

 private:
  std::unique_ptr<Impl> impl_;
};

// Upper estimate of Trainer::memory_bytes() before anything is built.
[[nodiscard]] std::size_t estimate_memory(const TaskView& task, const ModelEntry& model,
                                          const Options& config, const TrainRule& rule);

}  // namespace cupel
