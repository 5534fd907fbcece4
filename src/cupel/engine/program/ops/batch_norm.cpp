// Batch normalisation with gain, shift and running moments.
#include "cupel/engine/kernels/batch_norm.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "cupel/engine/program/batch_norm_op.h"
#include "cupel/engine/program/builder.h"
#include "cupel/engine/program/op_example.h"

namespace cupel {
namespace {

struct BatchNormState : OpState {
  BatchNormState(Index rows, Index cols, bool evaluated)
      : mean(cols), inverse_deviation(cols), scale(cols) {
    if (evaluated) return;
    exact_mean.resize(cols);
    variance.resize(cols);
    sizes.resize(static_cast<std::size_t>(kernels::batch_norm_blocks(rows)));
    coefficients.resize(2 * static_cast<std::size_t>(cols));
    partial.resize(coefficients.size() * kernels::batch_norm_blocks(rows));
  }
  AlignedVector<float> mean, inverse_deviation, scale, coefficients, partial;
  std::vector<double> exact_mean, variance, sizes;
  double rows = 1;  // of the batch, as column_moments() counts them
};

constexpr double kMomentum = 0.1;

kernels::RowCounts counts_of(const OpRun& run) {
  return run.out.rows->behind.empty() ? nullptr : run.out.rows->behind.data();
}

}  // namespace

Shape BatchNorm::shape(std::span<const Shape> in) const {
  const Shape row = {Layout::kDense, kStaticSpace, 1, in[0].cols};
  const Shape two = {Layout::kDense, kStaticSpace, 2, in[0].cols};
  require(in[0].layout == Layout::kDense && in[0].space != kStaticSpace && in[1] == row &&
              in[2] == row && in[3] == two && (!spec_.bias || in[4] == row),
          name(),
          "wants a dense value with rows, gain and shift that are static, 1 x columns, and running "
          "moments, 2 x columns");
  return in[0];
}

std::shared_ptr<const Op> BatchNorm::evaluation_form() const {
  Spec spec = spec_;
  spec.evaluated = true;
  return std::make_shared<BatchNorm>(spec);
}

std::unique_ptr<OpState> BatchNorm::bind(std::span<const Operand>, const Operand& out) const {
  return std::make_unique<BatchNormState>(out.value.rows, out.value.cols, spec_.evaluated);
}

std::size_t BatchNorm::state_bytes(std::span<const OperandSize>, const OperandSize& out) const {
  const auto cols = static_cast<std::size_t>(out.cols);
  if (spec_.evaluated) return 3 * cols * sizeof(float);
  const auto blocks = static_cast<std::size_t>(kernels::batch_norm_blocks(out.rows));
  return (5 + 2 * blocks) * cols * sizeof(float) + (2 * cols + blocks) * sizeof(double);
}

void BatchNorm::forward(const OpRun& run) const {
  auto& state = run.state<BatchNormState>();
  const DenseView &x = run.in[0].value, &running = run.in[3].value;
  const float* gain = run.in[1].value.data;
  const float* bias = spec_.bias ? run.in[4].value.data : nullptr;
  if (x.rows == 0) return;
  if (!spec_.evaluated)
    state.rows =
        kernels::column_moments(run.threads, x, counts_of(run), state.partial.data(),
                                state.sizes.data(), state.exact_mean.data(), state.variance.data());
  for (Index j = 0; j < x.cols; ++j) {
    float &mean = running.row(0)[j], &variance = running.row(1)[j];
    if (spec_.evaluated) {
      state.mean[j] = mean - (bias != nullptr ? bias[j] : 0.0f);
    } else {
      state.mean[j] = static_cast<float>(state.exact_mean[j]);
      if (state.rows > 1) {
        const auto mix = [](float old, double now) {
          return static_cast<float>((1 - kMomentum) * old + kMomentum * now);
        };
        mean = mix(mean, state.exact_mean[j] + (bias != nullptr ? bias[j] : 0.0f));
        variance = mix(variance, state.variance[j] * state.rows / (state.rows - 1.0));
      }
    }
    const double own = spec_.evaluated ? variance : state.variance[j];
    state.inverse_deviation[j] =
        static_cast<float>(1.0 / std::sqrt(own + kernels::kBatchNormEpsilon));
    state.scale[j] = gain[j] * state.inverse_deviation[j];
  }
  kernels::scale_columns(run.threads,
                         {state.mean.data(), state.scale.data(), run.in[2].value.data, spec_.relu},
                         x, run.out.value);
}

void BatchNorm::backward(const OpRun& run) const {
  require(!spec_.evaluated, name(), "has no gradient");
  auto& state = run.state<BatchNormState>();
  kernels::batch_norm_backward(
      run.threads, {state.mean.data(), state.scale.data(), run.in[2].value.data, spec_.relu},
      state.inverse_deviation.data(), run.in[0].value, counts_of(run), state.rows, run.out.grad,
      run.in[0].grad, state.partial.data(), state.coefficients.data(), run.in[1].grad.data,
      run.in[2].grad.data);
  if (spec_.bias && run.in[4].grad.data != nullptr)
    std::fill_n(run.in[4].grad.data, run.in[4].grad.cols, 0.0f);
}

Value batch_norm(Value x, Value gain, Value shift, Value running) {
  return x.builder->add_node(std::make_shared<BatchNorm>(BatchNorm::Spec{}),
                             {x, gain, shift, running});
}

Value Builder::running_moments(const std::string& name, Index cols) {
  std::vector<float> fill(2 * static_cast<std::size_t>(cols), 0.0f);
  std::fill_n(fill.begin() + cols, cols, 1.0f);
  return parameter({.name = name,
                    .rows = 2,
                    .cols = cols,
                    .init = Parameter::Init::kFill,
                    .fill = std::move(fill),
                    .trained = false});
}

namespace {

Value example_norm(Builder& b, Value x, const std::string& name) {
  const Index cols = x.shape().cols;
  const Value gain = b.glorot(name + " gain", 1, cols), shift = b.glorot(name + " shift", 1, cols);
  return batch_norm(x, gain, shift, b.running_moments(name + " running", cols));
}

}  // namespace

extern const OpExamples op_batch_norm;
const OpExamples op_batch_norm = {
    {"batch norm of a layer",
     [](Builder& b, const OpExampleInputs& in) {
       const Value x = example_norm(b, matmul(in.dense_features, b.glorot("w", 6, 45)), "norm");
       return tanh(x) + x;
     }},
    {"batch norm of a layer with bias, relu, dropout, then a hop",
     [](Builder& b, const OpExampleInputs& in) {
       Value h = matmul(in.dense_features, b.glorot("w", 6, 19)) + b.glorot("b", 1, 19);
       h = b.dropout(relu(example_norm(b, h, "norm")), 0.3);
       return propagate(in.adjacency, matmul(h, b.glorot("v", 19, 3)));
     }},
    {"batch norm of a constant, read twice, and a norm of the sum",
     [](Builder& b, const OpExampleInputs& in) {
       Value x = example_norm(b, in.dense_features, "first");
       Value y = relu(example_norm(b, tanh(x) + x, "second"));
       return matmul(y, b.glorot("w", 6, 4));
     }},
};

}  // namespace cupel
