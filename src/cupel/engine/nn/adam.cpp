#include "cupel/engine/nn/adam.h"

#include <algorithm>
#include <cmath>

#include "cupel/engine/kernels/optimiser.h"

namespace cupel {

Adam::Adam(const std::vector<Parameter>& parameters, double learning_rate, Epsilon epsilon)
    : parameters_(parameters),
      learning_rate_(learning_rate),
      epsilon_(epsilon),
      first_(parameters),
      second_(parameters) {}

void Adam::reset() {
  std::fill(first_.block().begin(), first_.block().end(), 0.0f);
  std::fill(second_.block().begin(), second_.block().end(), 0.0f);
  steps_ = 0;
}

void Adam::clip_gradients(ParameterSet& gradients, Threads threads) const {
  double squares = 0;
  for (int slot = 0; slot < static_cast<int>(parameters_.size()); ++slot)
    if (parameters_[slot].trained)
      squares +=
          kernels::sum_of_squares(threads, gradients.slice_size(slot), gradients.view(slot).data);
  const auto scale = static_cast<float>(clip_norm_ / (std::sqrt(squares) + 1e-6));
  if (!(scale < 1)) return;
  for (float& g : gradients.block()) g *= scale;
}

double Adam::step(ParameterSet& values, ParameterSet& gradients, Threads threads) {
  ++steps_;
  if (clip_norm_ > 0) clip_gradients(gradients, threads);
  kernels::AdamStep step;
  const double beta1 = step.beta1, beta2 = step.beta2;
  const double correction = std::sqrt(1.0 - std::pow(beta2, steps_));
  step.rate = static_cast<float>(learning_rate_ * correction / (1.0 - std::pow(beta1, steps_)));
  // lr / c1 * m / (sqrt(v) / c2 + eps) = (lr c2 / c1) * m / (sqrt(v) + eps c2)
  step.epsilon =
      static_cast<float>(epsilon_.corrected ? epsilon_.value * correction : epsilon_.value);
  double penalty = 0;
  for (int slot = 0; slot < static_cast<int>(parameters_.size()); ++slot) {
    if (!parameters_[slot].trained) continue;
    step.l2 = static_cast<float>(parameters_[slot].l2);
    const double squares =
        kernels::adam(threads, step, values.slice_size(slot), gradients.view(slot).data,
                      values.view(slot).data, first_.view(slot).data, second_.view(slot).data);
    if (parameters_[slot].l2 > 0) penalty += 0.5 * parameters_[slot].l2 * squares;
  }
  return penalty;
}

double regulariser(const std::vector<Parameter>& parameters, ParameterSet& values) {
  double penalty = 0;
  for (int slot = 0; slot < static_cast<int>(parameters.size()); ++slot)
    if (parameters[slot].trained && parameters[slot].l2 > 0)
      penalty += 0.5 * parameters[slot].l2 *
                 kernels::sum_of_squares({1}, values.slice_size(slot), values.view(slot).data);
  return penalty;
}

bool has_non_finite(const ParameterSet& values) {
  return std::any_of(values.block().begin(), values.block().end(),
                     [](float v) { return !std::isfinite(v); });
}

}  // namespace cupel
