// Attention whose scores are products of two nodes' columns (Vaswani et al. 2017, eq. 1, over
// neighbours).
#include <cmath>

#include "cupel/engine/kernels/attention.h"
#include "cupel/engine/program/builder.h"
#include "cupel/engine/program/op.h"
#include "cupel/engine/program/op_example.h"
#include "cupel/engine/program/ops/attention_state.h"

namespace cupel {
namespace {

class DotAttention final : public Op {
 public:
  DotAttention(Index heads, double factor) : heads_(heads), factor_(static_cast<float>(factor)) {}

  std::string_view name() const override { return "dot-attention"; }
  Shape shape(std::span<const Shape> in) const override {
    require(in[0].layout == Layout::kSparse && in[1].layout == Layout::kDense &&
                in[1].space == in[0].space && in[1].cols == in[3].cols,
            name(), "wants a dense receiver over the adjacency's rows");
    require(in[2] == in[3] && in[2].layout == Layout::kDense && in[2].space != kStaticSpace, name(),
            "wants dense senders and values of one shape over the rows that its columns name");
    require(heads_ > 0 && in[3].cols % heads_ == 0, name(),
            "the columns must be a multiple of the heads");
    return in[1];
  }
  Reads reads(int input) const override {
    return input < 2 ? Reads::kSameRows : Reads::kColumnRows;
  }
  bool backward_reads_input(int) const override { return true; }
  bool backward_reads_output() const override { return true; }
  std::unique_ptr<OpState> bind(std::span<const Operand>, const Operand& out) const override {
    return std::make_unique<AttentionState>(heads_, out.value.rows);
  }
  std::size_t state_bytes(std::span<const OperandSize>, const OperandSize& out) const override {
    return AttentionState::bytes(heads_, out.rows);
  }
  void forward(const OpRun& run) const override {
    kernels::dot_attention(run.threads, *run.in[0].sparse, run.in[1].value, run.in[2].value,
                           run.in[3].value, heads_, factor_, run.out.value,
                           run.state<AttentionState>().view());
  }
  void backward(const OpRun& run) const override {
    const BoundSparse& a = *run.in[0].bound;
    kernels::dot_attention_backward(run.threads, a.view, a.transposed_view, a.entry.data(),
                                    run.in[1].value, run.in[2].value, run.in[3].value, heads_,
                                    factor_, run.out.value, run.state<AttentionState>().view(),
                                    run.out.grad, {run.in[1].grad, run.in[2].grad, run.in[3].grad});
  }

 private:
  Index heads_;
  float factor_;
};

}  // namespace

Value dot_attention(Value adjacency, Value receiver, Value sender, Value values, Index heads,
                    double factor) {
  return adjacency.builder->add_node(std::make_shared<DotAttention>(heads, factor),
                                     {adjacency, receiver, sender, values});
}

extern const OpExamples op_dot_attention;
const OpExamples op_dot_attention = {
    {"dot attention with two heads of sixteen",
     [](Builder& b, const OpExampleInputs& in) {
       const auto project = [&](const char* name) {
         return matmul(in.dense_features, b.glorot(name, 6, 32));
       };
       return dot_attention(in.pattern, project("q"), project("k"), project("v"), 2,
                            1 / std::sqrt(16.0));
     }},
    {"dot attention with one head of two panels",
     [](Builder& b, const OpExampleInputs& in) {
       const auto project = [&](const char* name) {
         return matmul(in.dense_features, b.glorot(name, 6, 70));
       };
       Value h = dot_attention(in.pattern, project("q"), project("k"), project("v"), 1, 0.1);
       return matmul(h, b.glorot("o", 70, 3));
     }},
    // The rows themselves are read as well, so senders and receivers are wanted for different rows.
    {"two layers of dot attention beside the rows themselves",
     [](Builder& b, const OpExampleInputs& in) {
       const auto attend = [&](Value h, const std::string& name) {
         Value sender = matmul(h, b.glorot("k" + name, h.shape().cols, h.shape().cols));
         Value receiver = matmul(h, b.glorot("q" + name, h.shape().cols, h.shape().cols));
         return dot_attention(in.adjacency, receiver, sender, h, 3, 0.5);
       };
       Value h = matmul(in.dense_features, b.glorot("w", 6, 9));
       h = matmul(h + attend(h, "1"), b.glorot("v", 9, 6));
       return concat_columns({h, attend(h, "2")});
     }},
    {"dot attention of a value to itself, beside others that read it",
     [](Builder& b, const OpExampleInputs& in) {
       Value h = tanh(matmul(in.dense_features, b.glorot("w", 6, 9)));
       return dot_attention(in.adjacency, h, h, h, 3, 0.5) + propagate(in.adjacency, h);
     }},
    {"dot attention, gradient to the values alone",
     [](Builder& b, const OpExampleInputs& in) {
       return dot_attention(in.pattern, in.dense_features, in.dense_features,
                            matmul(in.dense_features, b.glorot("v", 6, 6)), 2, 0.7);
     }},
    {"dot attention, gradient to the receivers alone",
     [](Builder& b, const OpExampleInputs& in) {
       return dot_attention(in.pattern, matmul(in.dense_features, b.glorot("q", 6, 6)),
                            in.dense_features, in.dense_features, 2, 0.7);
     }},
};

}  // namespace cupel
