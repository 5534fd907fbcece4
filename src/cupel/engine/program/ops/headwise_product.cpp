// Products in which every head drops inputs of its own.
#include <algorithm>

#include "cupel/engine/kernels/headwise.h"
#include "cupel/engine/program/builder.h"
#include "cupel/engine/program/op.h"
#include "cupel/engine/program/op_example.h"
#include "cupel/engine/program/row_sets.h"

namespace cupel {
namespace {

struct HeadwiseState : OpState {
  HeadwiseState(Index heads, Index cols) : columns(heads, cols) {}
  kernels::HeadColumns columns;
  kernels::EntryMasks keep;
  BoundSparse by_column;  // its transpose, for the gradient
};

class HeadwiseProduct final : public Op {
 public:
  HeadwiseProduct(Index heads, double p, std::uint32_t purpose)
      : heads_(heads), rate_(p), purpose_(purpose) {}
  std::string_view name() const override { return "headwise-product"; }
  Shape shape(std::span<const Shape> in) const override {
    require(heads_ > 0 && in[0].layout == Layout::kSparse && in[1].space == kStaticSpace &&
                in[0].cols == in[1].rows && heads_ <= kernels::kHeadsPerMask &&
                in[1].cols % heads_ == 0,
            name(), "wants a sparse value and static weights of at most 8 equal heads");
    return {Layout::kDense, in[0].space, 0, in[1].cols};
  }
  Reads reads(int input) const override { return input == 0 ? Reads::kSameRows : Reads::kAllRows; }
  bool backward_reads_input(int) const override { return true; }
  bool is_random() const override { return true; }
  std::shared_ptr<const Op> evaluation_form() const override { return make_matmul(); }
  std::unique_ptr<OpState> bind(std::span<const Operand> in, const Operand& out) const override {
    require(in[0].bound != nullptr, name(), "wants a sparse constant");
    const SparseView& x = *in[0].sparse;
    auto state = std::make_unique<HeadwiseState>(heads_, out.value.cols);
    state->keep = kernels::EntryMasks(x, in[0].rows->ids.data());
    if (in[1].wants_grad) {
      state->by_column.view = x;
      add_transpose(state->by_column, Turned::kWithEntries);
    }
    return state;
  }
  std::size_t state_bytes(std::span<const OperandSize> in, const OperandSize& out) const override {
    const std::size_t transposed =
        in[1].wants_grad
            ? bytes_of_transpose(in[0].cols, in[0].entries, in[0].valued, Turned::kWithEntries)
            : 0;
    return kernels::HeadColumns::kMasks * kernels::HeadColumns::row_bytes_of(out.cols) +
           kernels::EntryMasks::bytes(in[0].entries) + transposed;
  }
  void forward(const OpRun& run) const override {
    auto& state = run.state<HeadwiseState>();
    state.keep.draw({run.key, purpose_, run.step}, rate_);
    kernels::headwise_spmm(run.threads, *run.in[0].sparse, state.keep.masks(), state.columns,
                           rate_.keep_scale, run.in[1].value, run.out.value);
  }
  void backward(const OpRun& run) const override {
    auto& state = run.state<HeadwiseState>();
    if (run.in[1].grad.data != nullptr)
      kernels::headwise_spmm_transposed(
          run.threads, state.by_column.transposed_view, state.by_column.entry.data(),
          state.keep.masks(), state.columns, rate_.keep_scale, run.out.grad, run.in[1].grad);
  }

 private:
  Index heads_;
  kernels::DropRate rate_;
  std::uint32_t purpose_;
};

}  // namespace

Value headwise_product(Value x, Value w, Index heads, double p) {
  if (p == 0) return matmul(x, w);
  Builder& b = *x.builder;
  return b.add_node(std::make_shared<HeadwiseProduct>(heads, p, b.next_purpose()), {x, w});
}

extern const OpExamples op_headwise_product;
const OpExamples op_headwise_product = {
    {"three heads",
     [](Builder& b, const OpExampleInputs& in) {
       return headwise_product(in.sparse_features, b.glorot("w", 9, 12), 3, 0.4);
     }},
    {"eight heads of eight, then a hop",
     [](Builder& b, const OpExampleInputs& in) {
       return propagate(in.adjacency,
                        headwise_product(in.sparse_features, b.glorot("w", 9, 64), 8, 0.6));
     }},
};

}  // namespace cupel
