// A value whose gradient step descends a penalty too.
#include "cupel/engine/kernels/arithmetic.h"
#include "cupel/engine/program/builder.h"
#include "cupel/engine/program/op.h"
#include "cupel/engine/program/op_example.h"

namespace cupel {
namespace {

class WithPenalty final : public Op {
 public:
  std::string_view name() const override { return "with-penalty"; }
  Shape shape(std::span<const Shape> in) const override {
    const Shape scalar = {Layout::kDense, kStaticSpace, 1, 1};
    require(in[0].layout == Layout::kDense && in[1] == scalar, name(),
            "wants a dense value and a penalty that is static, 1 x 1");
    return in[0];
  }
  Reads reads(int input) const override { return input == 0 ? Reads::kSameRows : Reads::kAllRows; }
  bool in_place() const override { return true; }
  bool only_training() const override { return true; }
  void forward(const OpRun& run) const override {
    if (run.out.value.data != run.in[0].value.data)
      kernels::copy_rows(run.threads, run.in[0].value, run.out.value);
  }
  void backward(const OpRun& run) const override {
    const DenseView &grad = run.in[0].grad, &penalty = run.in[1].grad;
    if (grad.data != nullptr && grad.data != run.out.grad.data)
      kernels::copy_rows(run.threads, run.out.grad, grad);
    if (penalty.data != nullptr) penalty.data[0] = 1.0f;
  }
};

}  // namespace

Value with_penalty(Value x, Value penalty) {
  return x.builder->add_node(std::make_shared<WithPenalty>(), {x, penalty});
}

// The gradient is not that of the output, so no example can be compared with differences; see
// tests/engine/program/with_penalty_test.cpp.
extern const OpExamples op_with_penalty;
const OpExamples op_with_penalty = {};

}  // namespace cupel
