// Products with a static right side.
#include "cupel/engine/kernels/dense.h"
#include "cupel/engine/kernels/sparse.h"
#include "cupel/engine/program/builder.h"
#include "cupel/engine/program/op.h"
#include "cupel/engine/program/op_example.h"

namespace cupel {
namespace {

class Matmul final : public Op {
 public:
  std::string_view name() const override { return "matmul"; }
  Shape shape(std::span<const Shape> in) const override {
    require(in[1].space == kStaticSpace && in[0].cols == in[1].rows, name(),
            "the right side must be static with as many rows as the left side has columns");
    return {Layout::kDense, in[0].space, in[0].rows, in[1].cols};
  }
  Reads reads(int input) const override { return input == 0 ? Reads::kSameRows : Reads::kAllRows; }
  bool backward_reads_input(int) const override { return true; }
  bool folds_rows() const override { return true; }
  bool adds_gradient(int input) const override { return input == 0; }
  void forward(const OpRun& run) const override {
    const Operand& x = run.in[0];
    if (x.sparse != nullptr)
      kernels::spmm(run.threads, *x.sparse, x.row_map, run.in[1].value, run.out.value);
    else
      kernels::matmul(run.threads, x.value, run.in[1].value, run.out.value);
  }
  void backward(const OpRun& run) const override {
    const Operand& x = run.in[0];
    const Operand& w = run.in[1];
    const DenseView& g = run.out.grad;
    if (w.grad.data != nullptr) {
      if (x.sparse != nullptr)
        kernels::spmm_transposed(run.threads, *x.sparse, x.row_map, g, w.grad);
      else
        kernels::matmul_tn(run.threads, x.value, g, w.grad);
    }
    if (x.grad.data == nullptr) return;
    if (x.adds_grad)
      kernels::matmul_nt_add(run.threads, g, w.value, x.grad);
    else
      kernels::matmul_nt(run.threads, g, w.value, x.grad);
  }
};

}  // namespace

std::shared_ptr<const Op> make_matmul() { return std::make_shared<Matmul>(); }

Value matmul(Value x, Value w) { return x.builder->add_node(make_matmul(), {x, w}); }

extern const OpExamples op_matmul;
const OpExamples op_matmul = {
    {"sparse",
     [](Builder& b, const OpExampleInputs& in) {
       return matmul(in.sparse_features, b.glorot("w", 9, 17));
     }},
    {"dense, two layers, a shared weight",
     [](Builder& b, const OpExampleInputs& in) {
       Value w = b.glorot("w", 6, 6);
       return matmul(matmul(in.dense_features, w), w);
     }},
};

}  // namespace cupel
