// Gaussian latent values: draws that gradients flow through, and their distance from the standard
// normal.
#include "cupel/engine/kernels/gaussian.h"

#include "cupel/engine/kernels/arithmetic.h"
#include "cupel/engine/program/builder.h"
#include "cupel/engine/program/op.h"
#include "cupel/engine/program/op_example.h"

namespace cupel {
namespace {

class SampleGaussian final : public Op {
 public:
  explicit SampleGaussian(std::uint32_t purpose) : purpose_(purpose) {}
  std::string_view name() const override { return "sample-gaussian"; }
  Shape shape(std::span<const Shape> in) const override {
    require(in[0] == in[1] && in[0].layout == Layout::kDense, name(),
            "wants two dense values of one shape");
    return in[0];
  }
  Reads reads(int) const override { return Reads::kSameRows; }
  bool is_random() const override { return true; }
  bool in_place() const override { return true; }
  bool keeps() const override { return true; }
  void forward(const OpRun& run) const override {
    kernels::sample_gaussian(run.threads, {run.key, purpose_, run.step},
                             run.out.rows != nullptr ? run.out.rows->ids.data() : nullptr,
                             run.in[0].value, run.in[1].value, run.out.value, run.kept);
  }
  // What was kept is the draw times exp(log_std): its own derivative.
  void backward(const OpRun& run) const override {
    const DenseView &g = run.out.grad, &mu = run.in[0].grad, &log_std = run.in[1].grad;
    if (log_std.data != nullptr) kernels::multiply(run.threads, g, run.kept, log_std);
    if (mu.data != nullptr && mu.data != g.data) kernels::copy_rows(run.threads, g, mu);
  }

 private:
  std::uint32_t purpose_;
};

class GaussianDivergence final : public Op {
 public:
  std::string_view name() const override { return "gaussian-divergence"; }
  Shape shape(std::span<const Shape> in) const override {
    require(in[0] == in[1] && in[0].layout == Layout::kDense, name(),
            "wants two dense values of one shape");
    return {Layout::kDense, kStaticSpace, 1, 1};
  }
  Reads reads(int) const override { return Reads::kAllRows; }
  bool backward_reads_input(int) const override { return true; }
  void forward(const OpRun& run) const override {
    run.out.value.data[0] = static_cast<float>(
        kernels::gaussian_divergence(run.threads, run.in[0].value, run.in[1].value));
  }
  void backward(const OpRun& run) const override {
    kernels::gaussian_divergence_backward(run.threads, run.in[0].value, run.in[1].value,
                                          run.out.grad.data[0], run.in[0].grad, run.in[1].grad);
  }
};

}  // namespace

Value sample_gaussian(Value mu, Value log_std) {
  Builder& b = *mu.builder;
  return b.add_node(std::make_shared<SampleGaussian>(b.next_purpose()), {mu, log_std});
}

Value gaussian_divergence(Value mu, Value log_std) {
  return mu.builder->add_node(std::make_shared<GaussianDivergence>(), {mu, log_std});
}

extern const OpExamples op_gaussian;
const OpExamples op_gaussian = {
    {"draws of nodes",
     [](Builder& b, const OpExampleInputs& in) {
       Value h = tanh(matmul(in.dense_features, b.glorot("w", 6, 5)));
       return sample_gaussian(matmul(h, b.glorot("m", 5, 3)), matmul(h, b.glorot("s", 5, 3)));
     }},
    {"draws whose mean has another reader, then a hop",
     [](Builder& b, const OpExampleInputs& in) {
       Value mu = matmul(in.dense_features, b.glorot("m", 6, 9));
       Value z = sample_gaussian(mu, affine(tanh(mu), 0.5, -1.0));
       return propagate(in.adjacency, z) + mu;
     }},
    {"draws of a parameter",
     [](Builder& b, const OpExampleInputs& in) {
       return matmul(in.dense_features, sample_gaussian(b.glorot("m", 6, 4), b.glorot("s", 6, 4)));
     }},
    {"divergence of nodes, as a factor",
     [](Builder& b, const OpExampleInputs& in) {
       Value mu = matmul(in.dense_features, b.glorot("m", 6, 4));
       Value log_std = affine(tanh(matmul(in.dense_features, b.glorot("s", 6, 4))), 0.5);
       return tanh(mu) * gaussian_divergence(mu, log_std);
     }},
    {"divergence of a parameter from its own scale",
     [](Builder& b, const OpExampleInputs& in) {
       Value w = b.glorot("w", 6, 5);
       return matmul(in.dense_features, w) * gaussian_divergence(w, w);
     }},
};

}  // namespace cupel
