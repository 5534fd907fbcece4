// The state of the whole graph: what the last snapshots have in common, as a row for each step.
#pragma once

#include <vector>

#include "cupel/base/limits.h"
#include "cupel/engine/program/bound_program.h"
#include "cupel/engine/program/parameters.h"
#include "cupel/learn/events/re_net/graph_rows.h"
#include "cupel/learn/events/re_net/re_net_program.h"

namespace cupel {

struct GlobalSettings {
  Index history = 10;  // steps of a window
  Index epochs = 20;
  Index batch = 16;  // steps that are predicted together
  double lr = 1e-3;
  // As the released code has it: sources are trained to predict the next step's targets, and what
  // predicts targets is not trained.
  bool released = false;
};

// Trained to predict how many facts of the next step begin, and end, at each entity, and fixed
// from then on. Not thread-safe; the bits do not depend on the threads. Memory besides parameters:
// the programs' for `batch` + `history` snapshots, `batch` numbers an entity, and a row for each
// step.
class GlobalState {
 public:
  GlobalState(const EventWorld& world, const ReNetShape& shape, const GlobalSettings& settings,
              StreamKey key, Threads threads);

  // Starts anew, on all steps there are. Throws Interrupted or TimedOut, or Error if training
  // diverges.
  void fit(Snapshots& past, const RunLimits& limits);
  // By step: the state after it, of all steps below `needed` at least. Only those that are not
  // known are computed, and that of the last step, which may get more facts, only if it is needed.
  const Matrix& states(Snapshots& past, Index needed);
  // States from this step on are to be computed anew.
  void forget(Index step) { known_ = std::min(known_, step); }
  // So many states, from that of the first step on, are computed.
  Index known() const { return known_; }
  // How likely it is, by the state after the last step, that a fact of the next begins (or ends) at
  // each entity. There has to be a step.
  std::vector<float> next(Snapshots& past, bool targets);

  // The loss of predicting steps [first, last), first > 0, and its gradient. For tests.
  double loss(Snapshots& past, Index first, Index last, std::uint32_t step);
  const Program& program() const { return trained_; }
  ParameterSet& values() { return values_; }
  ParameterSet& gradients() { return gradients_; }

 private:
  // The windows that end at steps [first, last).
  void take(Snapshots& past, Index first, Index last);
  std::vector<ConstantMatrix> constants() const;
  double head_loss(Snapshots& past, Index first, ConstDenseView states, bool of_targets,
                   bool to_targets, DenseView grad);

  ReNetShape shape_;
  GlobalSettings settings_;
  StreamKey key_;
  Threads threads_;
  GlobalAnswers at_;
  Program trained_, training_, asking_;
  ParameterSet values_, gradients_;
  GraphRows graph_;
  Csr step_receivers_, window_steps_;
  Matrix ones_, states_;
  Index known_ = 0;
  AlignedVector<float> memory_;
};

}  // namespace cupel
