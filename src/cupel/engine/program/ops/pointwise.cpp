// Bias, activation and dropout of dense values, and sums of two values.
#include "cupel/engine/program/pointwise_op.h"

#include "cupel/engine/kernels/arithmetic.h"
#include "cupel/engine/program/builder.h"
#include "cupel/engine/program/op_example.h"

namespace cupel {
namespace {

using kernels::Activation;

struct MaskState : OpState {
  std::vector<std::uint8_t> mask;
};

// Whole bytes a row, and room behind the last.
std::size_t mask_bytes(Index rows, Index cols) {
  return static_cast<std::size_t>(rows) * ((static_cast<std::size_t>(cols) + 7) / 8) + 8;
}

}  // namespace

bool Pointwise::fusible(const Spec& first, const Spec& second) {
  const bool activates = first.activation != Activation::kNone, drops = first.drop > 0;
  if (first.addend || second.addend || (second.bias && (first.bias || activates || drops)))
    return false;
  if (second.activation != Activation::kNone && activates) return false;
  return !(second.drop > 0 && drops);
}

Pointwise::Spec Pointwise::fused(const Spec& first, const Spec& second) {
  Spec spec = first;
  spec.bias = first.bias || second.bias;
  if (second.activation != Activation::kNone) {
    spec.activation = second.activation;
    spec.drop_first = first.drop > 0;
  }
  if (second.drop > 0) {
    spec.drop = second.drop;
    spec.purpose = second.purpose;
    spec.drop_evaluated = second.drop_evaluated;
    spec.drop_first = second.drop_first;
  }
  return spec;
}

std::shared_ptr<const Op> Pointwise::evaluation_form() const {
  Spec spec = spec_;
  spec.drop = 0;
  spec.drop_first = false;
  if (!spec.bias && !spec.addend && spec.activation == Activation::kNone) return nullptr;
  return std::make_shared<Pointwise>(spec);
}

Shape Pointwise::shape(std::span<const Shape> inputs) const {
  const Shape& in = inputs[x()];
  require(in.layout == Layout::kDense, name(), "wants a dense value");
  if (spec_.addend) require(inputs[0] == in, name(), "wants two dense values of one shape");
  if (spec_.bias) {
    const Shape& row = inputs[bias()];
    require(row.space == kStaticSpace && row.rows == 1 && row.cols == in.cols, name(),
            "the bias must be static, 1 x columns");
  }
  return in;
}

std::unique_ptr<OpState> Pointwise::bind(std::span<const Operand>, const Operand& out) const {
  auto state = std::make_unique<MaskState>();
  if (spec_.drop > 0) state->mask.resize(mask_bytes(out.value.rows, out.value.cols));
  return state;
}

std::size_t Pointwise::state_bytes(std::span<const OperandSize>, const OperandSize& out) const {
  return spec_.drop > 0 ? mask_bytes(out.rows, out.cols) : 0;
}

kernels::Chain Pointwise::chain(const OpRun& run) const {
  kernels::Chain chain;
  if (spec_.bias) chain.bias = run.in[bias()].value.data;
  chain.activation = spec_.activation;
  if (spec_.addend) chain.addend = run.in[0].value;
  if (spec_.drop > 0) {
    chain.drop = true;
    chain.drop_first = spec_.drop_first;
    chain.rate = kernels::DropRate(spec_.drop);
    chain.source = {run.key, spec_.purpose, run.step};
    chain.ids = run.out.rows != nullptr ? run.out.rows->ids.data() : nullptr;
    chain.mask = run.state<MaskState>().mask.data();
  }
  chain.derivative = run.kept;
  return chain;
}

void Pointwise::forward(const OpRun& run) const {
  kernels::chain_forward(run.threads, chain(run), run.in[x()].value, run.out.value);
}

void Pointwise::backward(const OpRun& run) const {
  const DenseView& g = run.out.grad;
  const DenseView& grad = run.in[x()].grad;
  float* bias_gradient = spec_.bias ? run.in[bias()].grad.data : nullptr;
  if (grad.data != nullptr || bias_gradient != nullptr)
    kernels::chain_backward(run.threads, chain(run), run.out.value, g, grad, bias_gradient);
  // Last: without an addend, and only then, the gradient of x may be the output's own memory.
  if (!spec_.addend || run.in[0].grad.data == nullptr || run.in[0].grad.data == g.data) return;
  if (run.in[0].adds_grad)
    kernels::add(run.threads, run.in[0].grad, g, run.in[0].grad);
  else
    kernels::copy_rows(run.threads, g, run.in[0].grad);
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
  bool folds_rows() const override { return true; }
  bool in_place() const override { return true; }
  void forward(const OpRun& run) const override {
    kernels::add(run.threads, run.in[0].value, run.in[1].value, run.out.value);
  }
  bool adds_gradient(int) const override { return true; }
  void backward(const OpRun& run) const override {
    // The second first: the first one's gradient may be the output's own memory.
    for (const int i : {1, 0}) {
      const Operand& in = run.in[i];
      if (in.grad.data == nullptr || in.grad.data == run.out.grad.data) continue;
      if (in.adds_grad)
        kernels::add(run.threads, in.grad, run.out.grad, in.grad);
      else
        kernels::copy_rows(run.threads, run.out.grad, in.grad);
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

Value gelu(Value x) { return activation(x, Activation::kGelu); }

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
    {"gelu of nodes and of parameters",
     [](Builder& b, const OpExampleInputs& in) {
       Value x = matmul(in.dense_features, gelu(b.glorot("w", 6, 21)));
       return gelu(affine(gelu(x), -1.0, 0.5)) + x;
     }},
    {"bias, dropout, gelu",
     [](Builder& b, const OpExampleInputs& in) {
       Value h = matmul(in.dense_features, b.glorot("w", 6, 20)) + b.glorot("b", 1, 20);
       return gelu(b.dropout(h, 0.4));
     }},
    {"gelu, dropout",
     [](Builder& b, const OpExampleInputs& in) {
       Value h = matmul(in.dense_features, b.glorot("w", 6, 13)) + b.glorot("b", 1, 13);
       return matmul(b.dropout(gelu(h), 0.4), b.glorot("v", 13, 4));
     }},
    {"dropout before an activation that is inverted",
     [](Builder& b, const OpExampleInputs& in) {
       Value h = matmul(in.dense_features, b.glorot("w", 6, 20)) + b.glorot("b", 1, 20);
       return elu(b.dropout(h, 0.4));
     }},
    {"two residual blocks",
     [](Builder& b, const OpExampleInputs& in) {
       Value x = matmul(in.dense_features, b.glorot("w", 6, 9));
       for (const char* name : {"1", "2"}) {
         const auto own = [&](std::string what, Index rows, Index cols) {
           return b.glorot(what + name, rows, cols);
         };
         Value h = layer_norm(x, own("gain", 1, 9), own("shift", 1, 9));
         h = gelu(b.dropout(matmul(h, own("in", 9, 19)) + own("c", 1, 19), 0.2));
         x = x + b.dropout(matmul(h, own("out", 19, 9)) + own("d", 1, 9), 0.2);
       }
       return x;
     }},
    {"residuals on either side, of a constant, and static",
     [](Builder& b, const OpExampleInputs& in) {
       Value w = b.dropout(b.glorot("w", 6, 6), 0.3) + b.glorot("v", 6, 6);
       Value h = matmul(in.dense_features, w);
       return (b.dropout(h, 0.3) + in.dense_features) + (h + b.zeros("b", 6));
     }},
    {"bias of a constant",
     [](Builder& b, const OpExampleInputs& in) {
       return relu(in.dense_features + b.zeros("b", 6));
     }},
};

}  // namespace cupel
