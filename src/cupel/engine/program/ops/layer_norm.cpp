// Layer normalisation with gain and shift.
#include "cupel/engine/kernels/layer_norm.h"

#include "cupel/engine/program/builder.h"
#include "cupel/engine/program/op.h"
#include "cupel/engine/program/op_example.h"

namespace cupel {
namespace {

struct LayerNormState : OpState {
  LayerNormState(const Index* ids, Index rows, Index cols)
      : blocks(ids, rows),
        moments(static_cast<std::size_t>(rows)),
        partial(blocks.count(), 2 * cols) {}
  kernels::RowBlocks blocks;
  std::vector<kernels::RowMoments> moments;
  Matrix partial;
};

class LayerNorm final : public Op {
 public:
  std::string_view name() const override { return "layer-norm"; }
  Shape shape(std::span<const Shape> in) const override {
    const Shape row = {Layout::kDense, kStaticSpace, 1, in[0].cols};
    require(in[0].layout == Layout::kDense && in[1] == row && in[2] == row, name(),
            "wants a dense value, and gain and shift that are static, 1 x columns");
    return in[0];
  }
  Reads reads(int input) const override { return input == 0 ? Reads::kSameRows : Reads::kAllRows; }
  bool folds_rows() const override { return true; }
  bool backward_reads_input(int input) const override { return input < 2; }
  bool adds_gradient(int input) const override { return input == 0; }
  std::unique_ptr<OpState> bind(std::span<const Operand>, const Operand& out) const override {
    return std::make_unique<LayerNormState>(out.rows != nullptr ? out.rows->ids.data() : nullptr,
                                            out.value.rows, out.value.cols);
  }
  std::size_t state_bytes(std::span<const OperandSize>, const OperandSize& out) const override {
    const kernels::RowBlocks blocks = blocks_of(out);
    return blocks.starts.size() * sizeof(Index) +
           static_cast<std::size_t>(out.rows) * sizeof(kernels::RowMoments) +
           2 * sizeof(float) * static_cast<std::size_t>(blocks.count()) *
               static_cast<std::size_t>(out.cols);
  }
  void forward(const OpRun& run) const override {
    kernels::layer_norm(run.threads, run.in[0].value, run.in[1].value.data, run.in[2].value.data,
                        run.out.value, run.state<LayerNormState>().moments.data());
  }
  void backward(const OpRun& run) const override {
    auto& state = run.state<LayerNormState>();
    kernels::layer_norm_backward(run.threads, state.blocks, run.in[0].value, run.in[1].value.data,
                                 state.moments.data(), run.out.grad, run.in[0].grad,
                                 run.in[0].adds_grad, state.partial.values.data(),
                                 run.in[1].grad.data, run.in[2].grad.data);
  }
};

}  // namespace

Value layer_norm(Value x, Value gain, Value shift) {
  return x.builder->add_node(std::make_shared<LayerNorm>(), {x, gain, shift});
}

extern const OpExamples op_layer_norm;
const OpExamples op_layer_norm = {
    {"layer norm of a layer",
     [](Builder& b, const OpExampleInputs& in) {
       Value x = matmul(in.dense_features, b.glorot("w", 6, 45));
       return layer_norm(x, b.glorot("gain", 1, 45), b.glorot("shift", 1, 45));
     }},
    {"layer norm of a constant, then a hop",
     [](Builder& b, const OpExampleInputs& in) {
       Value x = layer_norm(in.dense_features, b.glorot("gain", 1, 6), b.glorot("shift", 1, 6));
       return propagate(in.adjacency, matmul(x, b.glorot("w", 6, 3)));
     }},
};

}  // namespace cupel
