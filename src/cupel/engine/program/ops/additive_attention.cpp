// Attention whose scores are a sum of two nodes' numbers (GAT: Velickovic et al. 2018, eq. 1 to 4).
#include "cupel/engine/kernels/attention.h"
#include "cupel/engine/program/builder.h"
#include "cupel/engine/program/op.h"
#include "cupel/engine/program/op_example.h"
#include "cupel/engine/program/ops/attention_state.h"

namespace cupel {
namespace {

class AdditiveAttention final : public Op {
 public:
  static constexpr float kSlope = 0.2f;

  std::string_view name() const override { return "additive-attention"; }
  Shape shape(std::span<const Shape> in) const override {
    require(in[0].layout == Layout::kSparse && in[1] == in[2] && in[1].space == in[0].space &&
                in[3].space == in[0].space && in[1].layout == Layout::kDense &&
                in[3].layout == Layout::kDense,
            name(), "wants dense values over the adjacency's rows, receiver and sender alike");
    require(in[1].cols > 0 && in[3].cols % in[1].cols == 0, name(),
            "the values must have a multiple of the heads as columns");
    return in[3];
  }
  Reads reads(int input) const override {
    return input < 2 ? Reads::kSameRows : Reads::kColumnRows;
  }
  bool backward_reads_input(int) const override { return true; }
  bool backward_reads_output() const override { return true; }
  bool adds_gradient(int input) const override { return input == 3; }
  std::unique_ptr<OpState> bind(std::span<const Operand> in, const Operand& out) const override {
    return std::make_unique<AttentionState>(in[1].value.cols, out.value.rows);
  }
  std::size_t state_bytes(std::span<const OperandSize> in, const OperandSize& out) const override {
    return AttentionState::bytes(in[1].cols, out.rows);
  }
  void forward(const OpRun& run) const override {
    kernels::additive_attention(run.threads, *run.in[0].sparse, run.in[1].value, run.in[2].value,
                                run.in[3].value, kSlope, run.out.value,
                                run.state<AttentionState>().view());
  }
  void backward(const OpRun& run) const override {
    const BoundSparse& a = *run.in[0].bound;
    kernels::additive_attention_backward(
        run.threads, a.view, a.transposed_view, a.entry.data(), run.in[1].value, run.in[2].value,
        run.in[3].value, kSlope, run.out.value, run.state<AttentionState>().view(), run.out.grad,
        {run.in[1].grad, run.in[2].grad, run.in[3].grad, run.in[3].adds_grad});
  }
};

}  // namespace

Value additive_attention(Value adjacency, Value receiver, Value sender, Value values) {
  return adjacency.builder->add_node(std::make_shared<AdditiveAttention>(),
                                     {adjacency, receiver, sender, values});
}

namespace {

Value scores(Builder& b, Value h, const std::string& name, Index heads) {
  return matmul(h, b.glorot(name, h.shape().cols, heads)) + b.zeros("b" + name, heads);
}

}  // namespace

extern const OpExamples op_additive_attention;
const OpExamples op_additive_attention = {
    {"additive attention with two heads of sixteen",
     [](Builder& b, const OpExampleInputs& in) {
       Value h = matmul(in.dense_features, b.glorot("w", 6, 32));
       return additive_attention(in.pattern, scores(b, h, "r", 2), scores(b, h, "s", 2), h);
     }},
    {"additive attention with one head",
     [](Builder& b, const OpExampleInputs& in) {
       Value h = matmul(in.dense_features, b.glorot("w", 6, 5));
       return additive_attention(in.pattern, scores(b, h, "r", 1), scores(b, h, "s", 1), h);
     }},
    {"additive attention with a head of two panels",
     [](Builder& b, const OpExampleInputs& in) {
       Value r = scores(b, in.dense_features, "r", 1), s = scores(b, in.dense_features, "s", 1);
       Value h = matmul(in.dense_features, b.glorot("w", 6, 70));
       return matmul(additive_attention(in.pattern, r, s, h), b.glorot("v", 70, 3));
     }},
    // The rows themselves are read as well, so senders and values are wanted for different rows.
    {"two layers of additive attention beside the rows themselves",
     [](Builder& b, const OpExampleInputs& in) {
       Value h = matmul(in.dense_features, b.glorot("w", 6, 9));
       h = h + additive_attention(in.adjacency, scores(b, h, "r", 3), scores(b, h, "s", 3), h);
       h = matmul(h, b.glorot("v", 9, 6));
       return concat_columns(
           {h, additive_attention(in.adjacency, scores(b, h, "p", 3), scores(b, h, "q", 3), h)});
     }},
    {"additive attention, gradient to the receivers alone",
     [](Builder& b, const OpExampleInputs& in) {
       return additive_attention(in.pattern, scores(b, in.dense_features, "r", 6),
                                 in.dense_features, in.dense_features);
     }},
};

}  // namespace cupel
