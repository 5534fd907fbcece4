// Attention whose heads share keys and values (Shazeer 2019, "Fast transformer decoding", over
// neighbours).
#include "cupel/engine/kernels/shared_attention.h"

#include "cupel/engine/kernels/dropout.h"
#include "cupel/engine/kernels/headwise.h"
#include "cupel/engine/program/builder.h"
#include "cupel/engine/program/op.h"
#include "cupel/engine/program/op_example.h"

namespace cupel {
namespace {

struct SharedAttentionState : OpState {
  AlignedVector<float> weights, slopes;  // entries x heads
  kernels::EntryMasks keep;
};

class SharedAttention final : public Op {
 public:
  SharedAttention(Index heads, double factor, double p, std::uint32_t purpose)
      : heads_(heads), factor_(static_cast<float>(factor)), p_(p), rate_(p), purpose_(purpose) {}

  std::string_view name() const override { return "shared-attention"; }
  Shape shape(std::span<const Shape> in) const override {
    require(in[0].layout == Layout::kSparse && in[1].layout == Layout::kDense &&
                in[1].space == in[0].space,
            name(), "wants a dense receiver over the adjacency's rows");
    require(in[2].layout == Layout::kDense && in[2].space != kStaticSpace, name(),
            "wants dense senders over the rows that its columns name");
    require(heads_ > 0 && heads_ <= kernels::kHeadsPerMask && in[1].cols == heads_ * in[2].cols,
            name(), "wants a receiver with the senders' columns for each of at most 8 heads");
    return in[1];
  }
  Reads reads(int input) const override {
    return input < 2 ? Reads::kSameRows : Reads::kColumnRows;
  }
  bool backward_reads_input(int) const override { return true; }
  bool is_random() const override { return p_ > 0; }
  std::shared_ptr<const Op> evaluation_form() const override {
    return std::make_shared<SharedAttention>(heads_, factor_, 0, 0);
  }
  std::unique_ptr<OpState> bind(std::span<const Operand> in, const Operand& out) const override {
    auto state = std::make_unique<SharedAttentionState>();
    const SparseView& a = *in[0].sparse;
    const auto size = static_cast<std::size_t>(a.entries() * heads_);
    state->weights.resize(size);
    if (out.wants_grad) state->slopes.resize(size);
    if (p_ > 0) state->keep = kernels::EntryMasks(a, in[0].rows->ids.data());
    return state;
  }
  std::size_t state_bytes(std::span<const OperandSize> in, const OperandSize& out) const override {
    const std::size_t numbers = (out.wants_grad ? 2 : 1) * static_cast<std::size_t>(heads_);
    return static_cast<std::size_t>(in[0].entries) * numbers * sizeof(float) +
           (p_ > 0 ? kernels::EntryMasks::bytes(in[0].entries) : 0);
  }
  void forward(const OpRun& run) const override {
    auto& state = run.state<SharedAttentionState>();
    if (p_ > 0) state.keep.draw({run.key, purpose_, run.step}, rate_);
    kernels::shared_attention(run.threads, *run.in[0].sparse, run.in[1].value, run.in[2].value,
                              heads_, factor_, kept(state), run.out.value, state.weights.data());
  }
  void backward(const OpRun& run) const override {
    auto& state = run.state<SharedAttentionState>();
    const BoundSparse& a = *run.in[0].bound;
    kernels::shared_attention_rows(run.threads, a.view, run.in[2].value, heads_, factor_,
                                   kept(state), state.weights.data(), run.out.grad,
                                   state.slopes.data(), run.in[1].grad);
    if (run.in[2].grad.data != nullptr)
      kernels::shared_attention_columns(run.threads, a.transposed_view, a.entry.data(),
                                        run.in[1].value, heads_, kept(state), state.weights.data(),
                                        state.slopes.data(), run.out.grad, run.in[2].grad);
  }

 private:
  kernels::KeptWeights kept(const SharedAttentionState& state) const {
    return p_ > 0 ? kernels::KeptWeights{state.keep.masks(), rate_.keep_scale}
                  : kernels::KeptWeights{};
  }

  Index heads_;
  float factor_;
  double p_;
  kernels::DropRate rate_;
  std::uint32_t purpose_;
};

}  // namespace

Value shared_attention(Value adjacency, Value receiver, Value x, Index heads, double factor,
                       double p) {
  Builder& b = *x.builder;
  return b.add_node(
      std::make_shared<SharedAttention>(heads, factor, p, p > 0 ? b.next_purpose() : 0),
      {adjacency, receiver, x});
}

extern const OpExamples op_shared_attention;
const OpExamples op_shared_attention = {
    {"shared attention with two heads",
     [](Builder& b, const OpExampleInputs& in) {
       Value x = matmul(in.dense_features, b.glorot("x", 6, 11));
       Value receiver = matmul(in.dense_features, b.glorot("u", 6, 22));
       return matmul(shared_attention(in.pattern, receiver, x, 2, 0.4), b.glorot("o", 22, 3));
     }},
    // The rows themselves are read as well, so senders and receivers are wanted for different rows.
    {"two layers of shared attention with dropout",
     [](Builder& b, const OpExampleInputs& in) {
       Value h = matmul(in.dense_features, b.glorot("w", 6, 5));
       const auto attend = [&](Value x, const std::string& name) {
         return shared_attention(in.adjacency, matmul(x, b.glorot("u" + name, 5, 15)), x, 3, 0.7,
                                 0.3);
       };
       h = matmul(attend(h, "1"), b.glorot("v", 15, 5)) + h;
       return concat_columns({h, attend(h, "2")});
     }},
    {"shared attention, gradient to the receivers alone",
     [](Builder& b, const OpExampleInputs& in) {
       return shared_attention(in.pattern, matmul(in.dense_features, b.glorot("q", 6, 6)),
                               in.dense_features, 1, 0.7);
     }},
};

}  // namespace cupel
