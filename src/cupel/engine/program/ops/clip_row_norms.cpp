// Rows divided by max(1, their 2-norm): not what "normalise" means elsewhere, but what GraphSAGE's
// released code does.
#include "cupel/engine/kernels/rows.h"
#include "cupel/engine/program/builder.h"
#include "cupel/engine/program/op.h"
#include "cupel/engine/program/op_example.h"

namespace cupel {
namespace {

struct NormState : OpState {
  AlignedVector<float> norms;
};

class ClipRowNorms final : public Op {
 public:
  explicit ClipRowNorms(bool nan_at_zero) : nan_at_zero_(nan_at_zero) {}
  std::string_view name() const override { return "clip-row-norms"; }
  Shape shape(std::span<const Shape> in) const override {
    require(in[0].layout == Layout::kDense, name(), "wants a dense value");
    return in[0];
  }
  Reads reads(int) const override { return Reads::kSameRows; }
  bool backward_reads_output() const override { return true; }
  bool in_place() const override { return true; }
  std::unique_ptr<OpState> bind(std::span<const Operand>, const Operand& out) const override {
    auto state = std::make_unique<NormState>();
    state->norms.resize(static_cast<std::size_t>(out.value.rows));
    return state;
  }
  void forward(const OpRun& run) const override {
    kernels::normalise_rows(run.threads, kLongest, run.in[0].value, run.out.value,
                            run.state<NormState>().norms.data());
  }
  void backward(const OpRun& run) const override {
    if (run.in[0].grad.data != nullptr)
      kernels::normalise_rows_backward(run.threads, kLongest, run.out.value,
                                       run.state<NormState>().norms.data(), run.out.grad,
                                       run.in[0].grad, nan_at_zero_);
  }

 private:
  static constexpr float kLongest = 1;
  bool nan_at_zero_;
};

}  // namespace

Value clip_row_norms(Value x, bool nan_at_zero) {
  return x.builder->add_node(std::make_shared<ClipRowNorms>(nan_at_zero), {x});
}

extern const OpExamples op_clip_row_norms;
const OpExamples op_clip_row_norms = {
    {"some rows longer than 1, some shorter",
     [](Builder& b, const OpExampleInputs& in) {
       return clip_row_norms(matmul(in.dense_features, b.glorot("w", 6, 3)), false);
     }},
};

}  // namespace cupel
