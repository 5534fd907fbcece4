// Sums over arcs of relu(sender + a linear map of the arc's attributes).
#include "cupel/engine/kernels/relu_messages.h"

#include "cupel/engine/program/builder.h"
#include "cupel/engine/program/op.h"
#include "cupel/engine/program/op_example.h"

namespace cupel {
namespace {

struct MessageState : OpState {
  MessageState(const RowSet& rows, Index values, Index cols)
      : blocks(rows.ids.data(), rows.size()),
        partial(static_cast<std::size_t>(blocks.count()) * (values + 1) * cols) {}
  kernels::RowBlocks blocks;
  AlignedVector<float> partial;
};

class ReluMessages final : public Op {
 public:
  std::string_view name() const override { return "relu-messages"; }
  Shape shape(std::span<const Shape> in) const override {
    const Index cols = in[1].cols;
    require(in[0].layout == Layout::kSparse && in[1].layout == Layout::kDense &&
                in[2].layout == Layout::kDense &&
                in[3] == Shape{Layout::kDense, kStaticSpace, in[2].cols, cols} &&
                in[4] == Shape{Layout::kDense, kStaticSpace, 1, cols},
            name(),
            "wants an adjacency, a dense value over the rows that its columns name, one over its "
            "entries, and a weight and a bias from the latter's columns to the former's");
    return {Layout::kDense, in[0].space, 0, cols};
  }
  Reads reads(int input) const override {
    if (input == 1) return Reads::kColumnRows;
    return input == 0 || input == 2 ? Reads::kSameRows : Reads::kAllRows;
  }
  bool backward_reads_input(int) const override { return true; }
  std::unique_ptr<OpState> bind(std::span<const Operand> in, const Operand& out) const override {
    return std::make_unique<MessageState>(*out.rows, in[2].value.cols, out.value.cols);
  }
  std::size_t state_bytes(std::span<const OperandSize> in, const OperandSize& out) const override {
    const kernels::RowBlocks blocks = blocks_of(out);
    return blocks.starts.size() * sizeof(Index) +
           sizeof(float) * static_cast<std::size_t>(blocks.count()) *
               (static_cast<std::size_t>(in[2].cols) + 1) * static_cast<std::size_t>(out.cols);
  }
  void forward(const OpRun& run) const override {
    kernels::relu_messages(run.threads, *run.in[0].sparse, map(run), run.in[1].value,
                           run.out.value);
  }
  void backward(const OpRun& run) const override {
    const Operand &a = run.in[0], &h = run.in[1], &w = run.in[3], &bias = run.in[4];
    require(run.in[2].grad.data == nullptr, name(), "has no gradient for values of arcs");
    if (h.grad.data != nullptr)
      kernels::relu_messages_backward_h(run.threads, a.bound->transposed_view,
                                        a.bound->entry.data(), map(run), h.value, run.out.grad,
                                        h.grad);
    auto& state = run.state<MessageState>();
    if (w.grad.data != nullptr || bias.grad.data != nullptr)
      kernels::relu_messages_backward_map(run.threads, *a.sparse, state.blocks, map(run), h.value,
                                          run.out.grad, state.partial.data(), w.grad,
                                          bias.grad.data);
  }

 private:
  static kernels::ArcMap map(const OpRun& run) {
    return {run.in[2].value, run.in[3].value, run.in[4].value.data};
  }
};

}  // namespace

Value relu_messages(Value adjacency, Value h, Value arcs, Value w, Value bias) {
  return h.builder->add_node(std::make_shared<ReluMessages>(), {adjacency, h, arcs, w, bias});
}

extern const OpExamples op_relu_messages;
const OpExamples op_relu_messages = {
    {"messages of a layer",
     [](Builder& b, const OpExampleInputs& in) {
       Value h = matmul(in.dense_features, b.glorot("w", 6, 21));
       h = relu_messages(in.pattern, h, in.edge_constant, b.glorot("v", 2, 21),
                         b.glorot("c", 1, 21));
       return matmul(h, b.glorot("u", 21, 3));
     }},
    {"messages of a constant",
     [](Builder& b, const OpExampleInputs& in) {
       const Value x = concat_columns({in.dense_features, in.dense_features, in.dense_features});
       return relu_messages(in.pattern, x, in.edge_constant, b.glorot("v", 2, 18),
                            b.glorot("c", 1, 18));
     }},
};

}  // namespace cupel
