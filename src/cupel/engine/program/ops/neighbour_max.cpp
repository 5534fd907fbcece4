// Element-wise maximum over neighbours.
#include <algorithm>

#include "cupel/engine/kernels/sparse.h"
#include "cupel/engine/program/builder.h"
#include "cupel/engine/program/op.h"
#include "cupel/engine/program/op_example.h"

namespace cupel {
namespace {

struct MaxState : OpState {
  std::vector<Index> arg;
  Offset full_size = 0;  // entries of the fullest row of the whole adjacency
};

class NeighbourMax final : public Op {
 public:
  explicit NeighbourMax(Index pad_row) : pad_row_(pad_row) {}
  std::string_view name() const override { return "neighbour-max"; }
  Shape shape(std::span<const Shape> in) const override {
    require(in[0].layout == Layout::kSparse && in[0].space != kStaticSpace &&
                in[1].space != kStaticSpace && in[1].layout == Layout::kDense,
            name(), "wants a sparse adjacency and a dense value over the rows its columns name");
    return {Layout::kDense, in[0].space, 0, in[1].cols};
  }
  Reads reads(int input) const override {
    return input == 0 ? Reads::kSameRows : Reads::kColumnRows;
  }
  Turned turned() const override { return Turned::kNone; }
  bool folds_rows() const override { return pad_row_ < 0; }
  Index extra_row(int input) const override { return input == 1 ? pad_row_ : -1; }
  std::unique_ptr<OpState> bind(std::span<const Operand> in, const Operand& out) const override {
    auto state = std::make_unique<MaxState>();
    state->arg.resize(static_cast<std::size_t>(out.value.rows) * out.value.cols);
    const Csr& whole = *in[0].bound->whole;
    for (Index r = 0; r < whole.rows; ++r)
      state->full_size = std::max(state->full_size, whole.row_size(r));
    return state;
  }
  std::size_t state_bytes(std::span<const OperandSize>, const OperandSize& out) const override {
    return sizeof(Index) * static_cast<std::size_t>(out.rows) * static_cast<std::size_t>(out.cols);
  }
  void forward(const OpRun& run) const override {
    const Index pad = pad_row_ < 0 ? -1 : run.in[1].rows->place[pad_row_];
    MaxState& state = run.state<MaxState>();
    kernels::row_max(run.threads, *run.in[0].sparse, pad, state.full_size, run.in[1].value,
                     run.out.value, state.arg.data());
  }
  void backward(const OpRun& run) const override {
    const DenseView& grad = run.in[1].grad;
    if (grad.data == nullptr) return;
    for (Index r = 0; r < grad.rows; ++r) std::fill_n(grad.row(r), grad.cols, 0.0f);
    kernels::row_max_backward(run.state<MaxState>().arg.data(), run.out.grad, grad);
  }

 private:
  Index pad_row_;
};

}  // namespace

Value neighbour_max(Value adjacency, Value h, Index pad_row) {
  return h.builder->add_node(std::make_shared<NeighbourMax>(pad_row), {adjacency, h});
}

extern const OpExamples op_neighbour_max;
const OpExamples op_neighbour_max = {
    {"plain",
     [](Builder& b, const OpExampleInputs& in) {
       return neighbour_max(in.pattern, matmul(in.dense_features, b.glorot("w", 6, 5)), -1);
     }},
    {"padded with row 0",
     [](Builder& b, const OpExampleInputs& in) {
       return neighbour_max(in.pattern, matmul(in.dense_features, b.glorot("w", 6, 5)), 0);
     }},
};

}  // namespace cupel
