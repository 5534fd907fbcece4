// Gaussian kernels of pseudo-coordinates (Monti et al. 2017, equation 11, diagonal covariance).
#include "cupel/engine/kernels/edge.h"

#include <algorithm>

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
  std::unique_ptr<OpState> bind(std::span<const Operand> in, const Operand&) const override {
    auto state = std::make_unique<Unwanted>();
    for (int i = 0; i < 3; ++i)
      if (!in[i].wants_grad) state->gradients[i] = Matrix(in[i].value.rows, in[i].value.cols);
    return state;
  }
  void forward(const OpRun& run) const override {
    kernels::gaussian_kernels(run.threads, run.in[0].value, run.in[1].value, run.in[2].value,
                              run.out.value);
  }
  void backward(const OpRun& run) const override {
    DenseView grads[3];
    for (int i = 0; i < 3; ++i) {
      Matrix& own = run.state<Unwanted>().gradients[i];
      grads[i] = run.in[i].grad.data != nullptr
                     ? run.in[i].grad
                     : DenseView{own.values.data(), own.rows, own.cols, own.cols};
      for (Index r = 0; r < grads[i].rows; ++r) std::fill_n(grads[i].row(r), grads[i].cols, 0.0f);
    }
    kernels::gaussian_kernels_backward(run.in[0].value, run.in[1].value, run.in[2].value,
                                       run.out.value, run.out.grad, grads[0], grads[1], grads[2]);
  }

 private:
  struct Unwanted : OpState {
    Matrix gradients[3];  // room for those nobody asked for
  };
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
