// Adam with loss-coupled L2 (through the gradient).
#pragma once

#include "cupel/base/checkpoint.h"
#include "cupel/base/parallel.h"
#include "cupel/engine/program/parameters.h"

namespace cupel {

// Kingma and Ba, ICLR 2015, in the efficient form of section 2: the bias corrections are folded
// into the rate and epsilon is added to the uncorrected root of the second moment, as TensorFlow
// computes it; or to the corrected one, as PyTorch does.
class Adam {
 public:
  struct Epsilon {
    double value = 1e-8;
    bool corrected = false;
  };
  // `parameters` is kept by reference and must outlive this; slots and shapes may not change.
  Adam(const std::vector<Parameter>& parameters, double learning_rate,
       Epsilon epsilon = {1e-8, false});

  // Forgets all moments: the next step is the first.
  void reset();
  // Of the steps from now on.
  void set_learning_rate(double learning_rate) { learning_rate_ = learning_rate; }
  // From now on all gradients of a step are scaled down together, before L2 is added, to a 2-norm
  // of at most `norm`, as PyTorch's clip_grad_norm_ does; 0: never.
  void clip(double norm) { clip_norm_ = norm; }
  // One step on all trained parameters; clipping scales their gradients in place. Returns the
  // regulariser of the *new* values, sum of l2 / 2 * |w|^2; not finite if a regularised value is
  // not. The bits do not depend on the threads.
  double step(ParameterSet& values, ParameterSet& gradients, Threads threads = {});

  // What it remembers.
  void add_to(State& state) {
    state.add(steps_);
    state.add(first_.block());
    state.add(second_.block());
  }

 private:
  void clip_gradients(ParameterSet& gradients, Threads threads) const;

  const std::vector<Parameter>& parameters_;
  double learning_rate_;
  Epsilon epsilon_;
  double clip_norm_ = 0;
  ParameterSet first_, second_;
  int steps_ = 0;
};

// Sum of l2 / 2 * |w|^2 over the parameters.
[[nodiscard]] double regulariser(const std::vector<Parameter>& parameters, ParameterSet& values);
// True if any parameter value is NaN or infinite.
[[nodiscard]] bool has_non_finite(const ParameterSet& values);

}  // namespace cupel
