// Values on the entries of an adjacency: attention and learnt filters.
#include "cupel/engine/kernels/edge.h"

#include <algorithm>

#include "cupel/engine/program/builder.h"
#include "cupel/engine/program/op.h"
#include "cupel/engine/program/op_example.h"

namespace cupel {
namespace {

class EdgeAdd final : public Op {
 public:
  explicit EdgeAdd(SpaceId entries) : entries_(entries) {}
  std::string_view name() const override { return "edge-add"; }
  Shape shape(std::span<const Shape> in) const override {
    require(in[1] == in[2] && in[1].space == in[0].space, name(),
            "receiver and sender must be dense values of one shape over the adjacency's rows");
    return {Layout::kDense, entries_, 0, in[1].cols};
  }
  Reads reads(int input) const override {
    return input == 2 ? Reads::kColumnRows : Reads::kSameRows;
  }
  void forward(const OpRun& run) const override {
    kernels::edge_add(run.threads, *run.in[0].sparse, run.in[1].value, run.in[2].value,
                      run.out.value);
  }
  void backward(const OpRun& run) const override {
    if (run.in[1].grad.data != nullptr)
      kernels::edge_sum(run.threads, *run.in[0].sparse, run.out.grad, run.in[1].grad);
    if (run.in[2].grad.data != nullptr)
      kernels::edge_sum_transposed(run.threads, run.in[0].bound->transposed_view,
                                   run.in[0].bound->entry.data(), run.out.grad, run.in[2].grad);
  }

 private:
  SpaceId entries_;
};

class EdgeSoftmax final : public Op {
 public:
  std::string_view name() const override { return "edge-softmax"; }
  Shape shape(std::span<const Shape> in) const override {
    require(in[1].layout == Layout::kDense, name(), "wants a dense value over the entries");
    return in[1];
  }
  Reads reads(int) const override { return Reads::kSameRows; }
  bool backward_reads_output() const override { return true; }
  void forward(const OpRun& run) const override {
    kernels::edge_softmax(run.threads, *run.in[0].sparse, run.in[1].value, run.out.value);
  }
  void backward(const OpRun& run) const override {
    if (run.in[1].grad.data != nullptr)
      kernels::edge_softmax_backward(run.threads, *run.in[0].sparse, run.out.value, run.out.grad,
                                     run.in[1].grad);
  }
};

class EdgeSum final : public Op {
 public:
  std::string_view name() const override { return "edge-sum"; }
  Shape shape(std::span<const Shape> in) const override {
    require(in[0].layout == Layout::kSparse && in[1].layout == Layout::kDense, name(),
            "wants an adjacency and a dense value over its entries");
    return {Layout::kDense, in[0].space, 0, in[1].cols};
  }
  Reads reads(int) const override { return Reads::kSameRows; }
  void forward(const OpRun& run) const override {
    kernels::edge_sum(run.threads, *run.in[0].sparse, run.in[1].value, run.out.value);
  }
  void backward(const OpRun& run) const override {
    const DenseView& grad = run.in[1].grad;
    if (grad.data == nullptr) return;
    const SparseView& a = *run.in[0].sparse;
    for (Index r = 0; r < a.rows; ++r)
      for (Offset e = a.row_ptr[r]; e < a.row_ptr[r + 1]; ++e)
        std::copy_n(run.out.grad.row(r), grad.cols, grad.row(static_cast<Index>(e)));
  }
};

struct SumState : OpState {
  Matrix sums;
};

class EdgeNormalise final : public Op {
 public:
  explicit EdgeNormalise(double epsilon) : epsilon_(static_cast<float>(epsilon)) {}
  std::string_view name() const override { return "edge-normalise"; }
  Shape shape(std::span<const Shape> in) const override {
    require(in[1].layout == Layout::kDense, name(), "wants a dense value over the entries");
    return in[1];
  }
  Reads reads(int) const override { return Reads::kSameRows; }
  bool backward_reads_output() const override { return true; }
  std::unique_ptr<OpState> bind(std::span<const Operand> in, const Operand& out) const override {
    auto state = std::make_unique<SumState>();
    state->sums = Matrix(in[0].sparse->rows, out.value.cols);
    return state;
  }
  std::size_t state_bytes(std::span<const OperandSize> in, const OperandSize& out) const override {
    return sizeof(float) * static_cast<std::size_t>(in[0].rows) *
           static_cast<std::size_t>(out.cols);
  }
  static DenseView sums(const OpRun& run) {
    Matrix& m = run.state<SumState>().sums;
    return {m.values.data(), m.rows, m.cols, m.cols};
  }
  void forward(const OpRun& run) const override {
    kernels::edge_normalise(run.threads, *run.in[0].sparse, epsilon_, run.in[1].value,
                            run.out.value, sums(run));
  }
  void backward(const OpRun& run) const override {
    if (run.in[1].grad.data != nullptr)
      kernels::edge_normalise_backward(run.threads, *run.in[0].sparse, run.out.value, sums(run),
                                       run.out.grad, run.in[1].grad);
  }

 private:
  float epsilon_;
};

class EdgeGather final : public Op {
 public:
  explicit EdgeGather(bool sum_heads) : sum_heads_(sum_heads) {}
  std::string_view name() const override { return "edge-gather"; }
  Shape shape(std::span<const Shape> in) const override {
    require(in[2].space == in[0].space && in[1].cols > 0 && in[2].cols % in[1].cols == 0, name(),
            "h must have a multiple of the weights' heads as columns");
    return {Layout::kDense, in[2].space, in[2].rows,
            sum_heads_ ? in[2].cols / in[1].cols : in[2].cols};
  }
  Reads reads(int input) const override {
    return input == 2 ? Reads::kColumnRows : Reads::kSameRows;
  }
  bool backward_reads_input(int) const override { return true; }
  void forward(const OpRun& run) const override {
    kernels::edge_gather(run.threads, *run.in[0].sparse, run.in[1].value, run.in[2].value,
                         sum_heads_, run.out.value);
  }
  void backward(const OpRun& run) const override {
    const Operand& a = run.in[0];
    if (run.in[2].grad.data != nullptr)
      kernels::edge_gather_backward_values(run.threads, a.bound->transposed_view,
                                           a.bound->entry.data(), run.in[1].value, run.out.grad,
                                           sum_heads_, run.in[2].grad);
    if (run.in[1].grad.data != nullptr)
      kernels::edge_gather_backward_weights(run.threads, *a.sparse, run.out.grad, run.in[2].value,
                                            sum_heads_, run.in[1].grad);
  }

 private:
  bool sum_heads_;
};

class HeadDot final : public Op {
 public:
  std::string_view name() const override { return "head-dot"; }
  Shape shape(std::span<const Shape> in) const override {
    require(in[1].space == kStaticSpace && in[0].cols == in[1].rows * in[1].cols, name(),
            "h must have heads x d columns for a of heads x d");
    return {Layout::kDense, in[0].space, in[0].rows, in[1].rows};
  }
  Reads reads(int input) const override { return input == 0 ? Reads::kSameRows : Reads::kAllRows; }
  bool backward_reads_input(int) const override { return true; }
  void forward(const OpRun& run) const override {
    kernels::head_dot(run.threads, run.in[0].value, run.in[1].value, run.out.value);
  }
  void backward(const OpRun& run) const override {
    kernels::head_dot_backward(run.threads, run.in[0].value, run.in[1].value, run.out.grad,
                               run.in[0].grad, run.in[1].grad);
  }
};

}  // namespace

Value edge_add(Value adjacency, Value receiver, Value sender) {
  Builder& b = *adjacency.builder;
  return b.add_node(std::make_shared<EdgeAdd>(b.entry_space(adjacency)),
                    {adjacency, receiver, sender});
}
Value edge_softmax(Value adjacency, Value scores) {
  return scores.builder->add_node(std::make_shared<EdgeSoftmax>(), {adjacency, scores});
}
Value edge_sum(Value adjacency, Value weights) {
  return weights.builder->add_node(std::make_shared<EdgeSum>(), {adjacency, weights});
}
Value edge_normalise(Value adjacency, Value weights, double epsilon) {
  return weights.builder->add_node(std::make_shared<EdgeNormalise>(epsilon), {adjacency, weights});
}
Value edge_gather(Value adjacency, Value weights, Value h, bool sum_heads) {
  return h.builder->add_node(std::make_shared<EdgeGather>(sum_heads), {adjacency, weights, h});
}
Value head_dot(Value h, Value a) {
  return h.builder->add_node(std::make_shared<HeadDot>(), {h, a});
}

extern const OpExamples op_edge;
const OpExamples op_edge = {
    {"attention with two heads",
     [](Builder& b, const OpExampleInputs& in) {
       Value h = matmul(in.dense_features, b.glorot("w", 6, 8));
       Value s = head_dot(h, b.glorot("s", 2, 4)) + b.zeros("bs", 2);
       Value t = head_dot(h, b.glorot("t", 2, 4)) + b.zeros("bt", 2);
       Value alpha = edge_softmax(in.pattern, leaky_relu(edge_add(in.pattern, s, t)));
       return edge_gather(in.pattern, b.dropout(alpha, 0.3), b.dropout(h, 0.2), false);
     }},
    {"sums of gated entries",
     [](Builder& b, const OpExampleInputs& in) {
       Value s = matmul(in.dense_features, b.glorot("s", 6, 3));
       Value gate = sigmoid(edge_add(in.pattern, s, s + b.zeros("b", 3)));
       return edge_sum(in.pattern, gate) * s;
     }},
    {"normalised weights, heads summed",
     [](Builder& b, const OpExampleInputs& in) {
       Value w = tanh(matmul(in.edge_constant, b.glorot("m", 2, 3)));
       w = edge_normalise(in.pattern,
                          activation(w, kernels::Activation::kElu) +
                              b.parameter({"two", 1, 3, Parameter::Init::kFill, {2.0f}, 0}),
                          1e-14);
       return edge_gather(in.pattern, w, matmul(in.dense_features, b.glorot("w", 6, 12)), true);
     }},
};

}  // namespace cupel
