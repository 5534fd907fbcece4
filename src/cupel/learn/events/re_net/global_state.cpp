#include "cupel/learn/events/re_net/global_state.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "cupel/base/error.h"
#include "cupel/engine/kernels/dense.h"
#include "cupel/engine/kernels/rows.h"
#include "cupel/engine/nn/adam.h"
#include "cupel/engine/program/passes.h"
#include "cupel/learn/events/row_names.h"

namespace cupel {

GlobalState::GlobalState(const EventWorld& world, const ReNetShape& shape,
                         const GlobalSettings& settings, StreamKey key, Threads threads)
    : shape_(shape),
      settings_(settings),
      key_(key),
      threads_(threads),
      trained_(trace_global(shape, at_)),
      training_(compile(trained_, true)),
      asking_(compile(trained_, false)),
      values_(trained_.parameters),
      gradients_(std::vector<Parameter>{}),
      graph_(world.entities, world.relations) {
  initialise(trained_.parameters, key_, values_);
}

void GlobalState::take(Snapshots& past, Index first, Index last) {
  graph_.clear();
  take_rows_out(step_receivers_), take_rows_out(window_steps_);
  const Index begin = std::max<Index>(0, first - settings_.history + 1);
  std::vector<Index> row;
  for (Index step = begin; step < last; ++step) {
    row.clear();
    for (Index place = past.begin(step); place < past.begin(step + 1); ++place)
      row.push_back(graph_.receiver(past, place, false));
    end_row(step_receivers_, row);
  }
  for (Index end = first; end < last; ++end) {
    row.clear();
    for (Index step = std::max<Index>(0, end - settings_.history + 1); step <= end; ++step)
      row.push_back(step - begin);
    end_row(window_steps_, row);
  }
  graph_.finish();
  step_receivers_.cols = graph_.receiver_node.rows;
  window_steps_.cols = step_receivers_.rows;
  ones_ = Matrix(window_steps_.rows, 1);
  std::ranges::fill(ones_.values, 1.0f);
}

std::vector<ConstantMatrix> GlobalState::constants() const {
  std::vector<ConstantMatrix> out(GlobalConstants::kCount);
  graph_.put(out);
  out[GlobalConstants::kStepReceivers].sparse = &step_receivers_;
  out[GlobalConstants::kWindowSteps].sparse = &window_steps_;
  out[GlobalConstants::kOnes].dense = &ones_;
  return out;
}

double GlobalState::head_loss(Snapshots& past, Index first, ConstDenseView states, bool of_targets,
                              bool to_targets, DenseView grad) {
  const int weights = of_targets ? at_.of_target : at_.of_source,
            bias = of_targets ? at_.target_bias : at_.source_bias;
  Matrix logits(states.rows, shape_.entities);
  kernels::matmul_nt(threads_, states, values_.view(weights), view(logits));
  for (Index i = 0; i < logits.rows; ++i)
    for (Index e = 0; e < logits.cols; ++e) logits(i, e) += values_.view(bias).data[e];
  kernels::softmax_rows(threads_, logits, view(logits));
  double loss = 0;
  const auto by = static_cast<float>(1.0 / logits.rows);
  for (Index i = 0; i < logits.rows; ++i) {
    const Index step = first + i;
    double all = 0;
    for (Index place = past.begin(step); place < past.begin(step + 1); ++place)
      all += past.count(place, to_targets);
    for (Index place = past.begin(step); place < past.begin(step + 1); ++place)
      loss -= past.count(place, to_targets) / all / logits.rows *
              std::log(std::max(logits(i, past.entity(place)), std::numeric_limits<float>::min()));
    for (Index e = 0; e < logits.cols; ++e) logits(i, e) *= by;
    for (Index place = past.begin(step); place < past.begin(step + 1); ++place)
      logits(i, past.entity(place)) -=
          static_cast<float>(past.count(place, to_targets) / all / logits.rows);
  }
  kernels::matmul_tn(threads_, logits, states, gradients_.view(weights));
  float* grad_bias = gradients_.view(bias).data;
  std::fill_n(grad_bias, logits.cols, 0.0f);
  for (Index i = 0; i < logits.rows; ++i)
    for (Index e = 0; e < logits.cols; ++e) grad_bias[e] += logits(i, e);
  Matrix part(states.rows, states.cols);
  kernels::matmul(threads_, logits, values_.view(weights), view(part));
  for (Index i = 0; i < part.rows; ++i)
    for (Index j = 0; j < part.cols; ++j) grad.row(i)[j] += part(i, j);
  return loss;
}

double GlobalState::loss(Snapshots& past, Index first, Index last, std::uint32_t step) {
  if (gradients_.count() == 0) gradients_ = ParameterSet(trained_.parameters);
  take(past, first - 1, last - 1);
  std::ranges::fill(gradients_.block(), 0.0f);
  BoundProgram bound(training_,
                     {.constants = constants(),
                      .rows = all_rows(window_steps_.rows),
                      .prune = false,
                      .values = &values_,
                      .gradients = &gradients_,
                      .memory = &memory_},
                     threads_);
  bound.forward(key_, step);
  const DenseView grad = bound.output_gradient();
  for (Index i = 0; i < grad.rows; ++i) std::fill_n(grad.row(i), grad.cols, 0.0f);
  double loss = head_loss(past, first, bound.output(), false, settings_.released, grad);
  if (!settings_.released) loss += head_loss(past, first, bound.output(), true, true, grad);
  bound.backward();
  return loss;
}

void GlobalState::fit(Snapshots& past, const RunLimits& limits) {
  initialise(trained_.parameters, key_, values_);
  known_ = 0;
  Adam adam(trained_.parameters, settings_.lr, {1e-8, true});
  adam.clip(1);
  const Index steps = past.steps();
  std::uint32_t number = 0;
  for (Index epoch = 0; epoch < settings_.epochs; ++epoch)
    for (Index first = 1; first < steps; first += settings_.batch) {
      limits.check();
      limits.tell(epoch + static_cast<double>(first) / steps, settings_.epochs);
      const double value = loss(past, first, std::min(steps, first + settings_.batch), number++);
      if (!std::isfinite(value))
        fail(
            "re-net: what is predicted of the whole graph is not finite in step {} of training; "
            "take a smaller global_lr",
            number);
      (void)adam.step(values_, gradients_, threads_);
    }
  gradients_ = ParameterSet(std::vector<Parameter>{});
}

const Matrix& GlobalState::states(Snapshots& past, Index needed) {
  const Index steps = past.steps();
  known_ = std::min(known_, steps);
  states_.rows = steps, states_.cols = shape_.width;
  states_.values.resize(static_cast<std::size_t>(steps) * static_cast<std::size_t>(shape_.width));
  while (known_ < needed) {
    const Index last = std::min(std::max(needed, steps - 1), known_ + settings_.batch);
    take(past, known_, last);
    BoundProgram bound(asking_,
                       {.constants = constants(),
                        .rows = all_rows(window_steps_.rows),
                        .prune = false,
                        .values = &values_,
                        .memory = &memory_},
                       threads_);
    bound.forward(key_, 0);
    const ConstDenseView out = bound.output();
    for (Index i = 0; i < out.rows; ++i) std::copy_n(out.row(i), out.cols, states_.row(known_ + i));
    known_ = last;
  }
  return states_;
}

std::vector<float> GlobalState::next(Snapshots& past, bool targets) {
  const Matrix& all = states(past, past.steps());
  const ConstDenseView state{all.row(all.rows - 1), 1, all.cols, all.cols};
  std::vector<float> out(static_cast<std::size_t>(shape_.entities));
  const DenseView row{out.data(), 1, shape_.entities, shape_.entities};
  kernels::matmul_nt(threads_, state, values_.view(targets ? at_.of_target : at_.of_source), row);
  const float* bias = values_.view(targets ? at_.target_bias : at_.source_bias).data;
  for (std::size_t e = 0; e < out.size(); ++e) out[e] += bias[e];
  kernels::softmax_rows(threads_, row, row);
  return out;
}

}  // namespace cupel
