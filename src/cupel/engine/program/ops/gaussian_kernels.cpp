// Gaussian kernels of pseudo-coordinates (Monti et al. 2017, equation 11, diagonal covariance).
#include "cupel/engine/kernels/arithmetic.h"
#include "cupel/engine/kernels/edge.h"
#include "cupel/engine/program/builder.h"
#include "cupel/engine/program/op.h"
#include "cupel/engine/program/op_example.h"

namespace cupel {
namespace {

class GaussianKernels final : public Op {
 public:
  std::string_view name() const override { return "gaussian-kernels"; }
  Shape shape(std::span<const Shape> in) const override {
    require(in[1] == in[2] && in[1].space == kStaticSpace && in[1].cols == in[0].cols, name(),
            "mu and sigma must be static, kernels x coordinates");
    return {Layout::kDense, in[0].space, in[0].rows, in[1].rows};
  }
  Reads reads(int input) const override { return input == 0 ? Reads::kSameRows : Reads::kAllRows; }
  bool backward_reads_input(int) const override { return true; }
  bool backward_reads_output() const override { return true; }
  void forward(const OpRun& run) const override {
    kernels::gaussian_kernels(run.threads, run.in[0].value, run.in[1].value, run.in[2].value,
                              run.out.value);
  }
  void backward(const OpRun& run) const override {
    for (const Operand& in : run.in)
      if (in.grad.data != nullptr) kernels::zero(run.threads, in.grad);
    kernels::gaussian_kernels_backward(run.in[0].value, run.in[1].value, run.in[2].value,
                                       run.out.value, run.out.grad, run.in[0].grad, run.in[1].grad,
                                       run.in[2].grad);
  }
};

}  // namespace

Value gaussian_kernels(Value v, Value mu, Value sigma) {
  return v.builder->add_node(std::make_shared<GaussianKernels>(), {v, mu, sigma});
}

extern const OpExamples op_gaussian_kernels;
const OpExamples op_gaussian_kernels = {
    {"learnt filter",
     [](Builder& b, const OpExampleInputs& in) {
       Value v = tanh(matmul(in.edge_constant, b.glorot("m", 2, 2)) + b.zeros("c", 2));
       Value w = gaussian_kernels(
           v, b.parameter({"mu", 2, 2, Parameter::Init::kFill, {-0.75f, -0.75f, 0.25f, 0.25f}, 0}),
           b.parameter({"sigma", 2, 2, Parameter::Init::kFill, {1.0f}, 0}));
       return edge_gather(in.pattern, edge_normalise(in.pattern, w, 1e-14),
                          matmul(in.dense_features, b.glorot("g", 6, 8)), true);
     }},
};

}  // namespace cupel
