// Bias, activation and dropout of dense values, and sums of two values.
#include "cupel/engine/program/pointwise_op.h"

#include <algorithm>

#include "cupel/engine/program/builder.h"
#include "cupel/engine/program/op_example.h"

namespace cupel {
namespace {

using kernels::Activation;

struct PointwiseState : OpState {
  kernels::DrawPlan plan;
  AlignedVector<std::uint16_t> draws;
  Matrix unwanted_gradient;  // of x, where only the bias wants one
};

kernels::Chain make_chain(const Pointwise::Spec& spec, const OpRun& run) {
  kernels::Chain chain;
  if (spec.bias) chain.bias = run.in[1].value.data;
  chain.activation = spec.activation;
  if (spec.drop > 0) {
    auto& state = run.state<PointwiseState>();
    chain.drop = true;
    chain.rate = kernels::DropRate(spec.drop);
    chain.draws = state.draws.data();
  }
  return chain;
}

}  // namespace

bool Pointwise::fusible(const Spec& first, const Spec& second) {
  const bool first_activates = first.activation != Activation::kNone;
  if (second.bias && (first.bias || first_activates || first.drop > 0)) return false;
  if (second.activation != Activation::kNone && (first_activates || first.drop > 0)) return false;
  return !(second.drop > 0 && first.drop > 0);
}

Pointwise::Spec Pointwise::fused(const Spec& first, const Spec& second) {
  Spec spec = first;
  spec.bias = first.bias || second.bias;
  if (second.activation != Activation::kNone) spec.activation = second.activation;
  if (second.drop > 0) {
    spec.drop = second.drop;
    spec.purpose = second.purpose;
  }
  return spec;
}

std::shared_ptr<const Op> Pointwise::evaluation_form() const {
  Spec spec = spec_;
  spec.drop = 0;
  if (!spec.bias && spec.activation == Activation::kNone) return nullptr;
  return std::make_shared<Pointwise>(spec);
}

Shape Pointwise::shape(std::span<const Shape> inputs) const {
  require(inputs[0].layout == Layout::kDense, name(), "wants a dense value");
  if (spec_.bias)
    require(
        inputs[1].space == kStaticSpace && inputs[1].rows == 1 && inputs[1].cols == inputs[0].cols,
        name(), "the bias must be static, 1 x columns");
  return inputs[0];
}

std::unique_ptr<OpState> Pointwise::bind(std::span<const Operand> in, const Operand& out) const {
  auto state = std::make_unique<PointwiseState>();
  if (spec_.drop > 0) {
    const Index* ids = out.rows != nullptr ? out.rows->ids.data() : nullptr;
    state->plan = kernels::DrawPlan::uniform(ids, out.value.rows, out.value.cols);
    state->draws.resize(state->plan.draws_capacity());
  }
  if (spec_.bias && in[1].wants_grad && !in[0].wants_grad)
    state->unwanted_gradient = Matrix(out.value.rows, out.value.cols);
  return state;
}

void Pointwise::forward(const OpRun& run) const {
  if (spec_.drop > 0) {
    auto& state = run.state<PointwiseState>();
    kernels::fill_draws({run.key, spec_.purpose, run.step}, state.plan.slot_rows.data(),
                        state.plan.slot_blocks.data(), state.plan.slot_rows.size(),
                        state.draws.data());
  }
  kernels::chain_forward(run.threads, make_chain(spec_, run), run.in[0].value, run.out.value);
}

void Pointwise::backward(const OpRun& run) const {
  DenseView grad = run.in[0].grad;
  if (grad.data == nullptr) {
    Matrix& own = run.state<PointwiseState>().unwanted_gradient;
    grad = {own.values.data(), own.rows, own.cols, own.cols};
  }
  kernels::chain_backward(run.threads, make_chain(spec_, run), run.out.value, run.out.grad, grad,
                          false);
  if (spec_.bias && run.in[1].wants_grad) kernels::column_sums(grad, run.in[1].grad.data);
}

namespace {

Value add_bias(Value x, Value bias) {
  return x.builder->add_node(std::make_shared<Pointwise>(Pointwise::Spec{.bias = true}), {x, bias});
}

class Add final : public Op {
 public:
  std::string_view name() const override { return "add"; }
  Shape shape(std::span<const Shape> inputs) const override {
    require(inputs[0] == inputs[1] && inputs[0].layout == Layout::kDense, name(),
            "wants two dense values of one shape");
    return inputs[0];
  }
  Reads reads(int) const override { return Reads::kSameRows; }
  bool in_place() const override { return true; }
  void forward(const OpRun& run) const override {
    kernels::add(run.threads, run.in[0].value, run.in[1].value, run.out.value);
  }
  void backward(const OpRun& run) const override {
    // The second first: the first one's gradient may be the output's own memory.
    for (const int i : {1, 0}) {
      const DenseView& to = run.in[i].grad;
      if (to.data == nullptr || to.data == run.out.grad.data) continue;
      for (Index r = 0; r < to.rows; ++r) std::copy_n(run.out.grad.row(r), to.cols, to.row(r));
    }
  }
};

}  // namespace

Value operator+(Value a, Value b) {
  if (b.shape().space == kStaticSpace && b.shape().rows == 1) return add_bias(a, b);
  return a.builder->add_node(std::make_shared<Add>(), {a, b});
}

Value activation(Value x, Activation kind) {
  return x.builder->add_node(std::make_shared<Pointwise>(Pointwise::Spec{.activation = kind}), {x});
}

extern const OpExamples op_pointwise;
const OpExamples op_pointwise = {
    {"bias and relu",
     [](Builder& b, const OpExampleInputs& in) {
       return relu(matmul(in.dense_features, b.glorot("w", 6, 20)) + b.zeros("b", 20));
     }},
    {"elu, dropout",
     [](Builder& b, const OpExampleInputs& in) {
       return b.dropout(elu(matmul(in.dense_features, b.glorot("w", 6, 20)) + b.zeros("b", 20)),
                        0.4);
     }},
    {"leaky relu, then a layer",
     [](Builder& b, const OpExampleInputs& in) {
       Value h = leaky_relu(matmul(in.dense_features, b.glorot("w", 6, 5)));
       return matmul(b.dropout(h, 0.3), b.glorot("v", 5, 3));
     }},
    {"tanh and a sum",
     [](Builder& b, const OpExampleInputs& in) {
       Value h = matmul(in.dense_features, b.glorot("w", 6, 5));
       return tanh(h) + h;
     }},
    {"bias of a constant",
     [](Builder& b, const OpExampleInputs& in) {
       return relu(in.dense_features + b.zeros("b", 6));
     }},
};

}  // namespace cupel
