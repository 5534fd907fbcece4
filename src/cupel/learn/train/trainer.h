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
#include "cupel/learn/model.h"
#include "cupel/learn/task.h"
#include "cupel/learn/train/rule.h"
#include "cupel/learn/train/trial.h"

namespace cupel {

using Clock = std::chrono::steady_clock;

// Trains one model with one configuration on one split, once per initialisation. Everything that
// does not depend on the initialisation (tracing, compiling, row sets, memory) is done in the
// constructor. Not thread-safe: one Trainer per thread. Test labels are out of its reach by type.
class Trainer {
 public:
  // Throws Error for a configuration that the model refuses, or if the model is not for the task
  // (TaskKind::check). `metric`: see score/metrics.h.
  Trainer(std::shared_ptr<const View> view, const ModelEntry& model, Options config, TrainRule rule,
          const std::string& metric = "accuracy", Threads threads = {});
  Trainer(TaskView view, const ModelEntry& model, Options config, TrainRule rule,
          const std::string& metric = "accuracy", Threads threads = {})
      : Trainer(std::make_shared<const TaskView>(std::move(view)), model, std::move(config),
                std::move(rule), metric, threads) {}
  ~Trainer();
  Trainer(Trainer&&) noexcept;

  // `key` fixes initial weights and dropout; the outcome is a pure function of it.
  // Past the deadline the trial ends as kTimeout. Throws Interrupted if it is interrupted before it
  // is done: looked at after every epoch (of sets of graphs, after every batch), and between the
  // steps of models without gradients, which look at both limits. After a throw the next run is as
  // any other. The scores of the test part go to `test`, or else stand in the outcome.
  [[nodiscard]] TrialOutcome run(StreamKey key, const RunLimits& limits = {},
                                 ScoreSink* test = nullptr);

  // Epochs that the trial in flight has trained, or the last one; -1 of a model without gradients.
  // May be called from any thread while the trainer lives.
  [[nodiscard]] int epochs() const;

  // Bytes that this trainer holds beyond the shared data set.
  [[nodiscard]] std::size_t memory_bytes() const;

  struct Impl;

 private:
  std::shared_ptr<const View> view_;
  std::unique_ptr<Impl> impl_;
};

// Upper estimate of Trainer::memory_bytes() before anything is built.
[[nodiscard]] std::size_t estimate_memory(const View& view, const ModelEntry& model,
                                          const Options& config, const TrainRule& rule);

}  // namespace cupel
