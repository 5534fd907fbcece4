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
  std::vector<std::uint32_t> slot_rows, slot_blocks;  // one slot per entry
  AlignedVector<std::uint16_t> draws;
  std::vector<std::uint8_t> keep;
  BoundSparse by_column;  // its transpose, for the gradient
};

class HeadwiseProduct final : public Op {
 public:
  HeadwiseProduct(Index heads, double p, std::uint32_t purpose)
      : heads_(heads), rate_(p), purpose_(purpose) {}
  std::string_view name() const override { return "headwise-product"; }
  Shape shape(std::span<const Shape> in) const override {
    require(in[0].layout == Layout::kSparse && in[1].space == kStaticSpace &&
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
    const SparseView& x = *in[0].sparse;
    auto state = std::make_unique<HeadwiseState>(heads_, out.value.cols);
    for (Index r = 0; r < x.rows; ++r)
      for (Offset e = x.row_ptr[r]; e < x.row_ptr[r + 1]; ++e) {
        state->slot_rows.push_back(static_cast<std::uint32_t>(in[0].rows->ids[r]));
        state->slot_blocks.push_back(static_cast<std::uint32_t>(e - x.row_ptr[r]));
      }
    state->draws.resize((8 * state->slot_rows.size() + 511) / 512 * 512);
    state->keep.resize(state->slot_rows.size() + 64);
    if (in[1].wants_grad) {
      state->by_column.view = x;
      add_transpose(state->by_column, Turned::kWithEntries);
    }
    return state;
  }
  void forward(const OpRun& run) const override {
    auto& state = run.state<HeadwiseState>();
    kernels::fill_draws({run.key, purpose_, run.step}, state.slot_rows.data(),
                        state.slot_blocks.data(), state.slot_rows.size(), state.draws.data());
    kernels::head_masks(state.draws.data(), state.slot_rows.size(), rate_, state.keep.data());
    kernels::headwise_spmm(run.threads, *run.in[0].sparse, state.keep.data(), state.columns,
                           rate_.keep_scale, run.in[1].value, run.out.value);
  }
  void backward(const OpRun& run) const override {
    auto& state = run.state<HeadwiseState>();
    if (run.in[1].grad.data != nullptr)
      kernels::headwise_spmm_transposed(
          run.threads, state.by_column.transposed_view, state.by_column.entry.data(),
          state.keep.data(), state.columns, rate_.keep_scale, run.out.grad, run.in[1].grad);
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
