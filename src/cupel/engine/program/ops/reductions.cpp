// Sums over every row of a space: static values that depend on all nodes.
#include "cupel/engine/kernels/arithmetic.h"
#include "cupel/engine/kernels/dense.h"
#include "cupel/engine/kernels/pointwise.h"
#include "cupel/engine/program/builder.h"
#include "cupel/engine/program/op.h"
#include "cupel/engine/program/op_example.h"

namespace cupel {
namespace {

class ColumnSums final : public Op {
 public:
  std::string_view name() const override { return "column-sums"; }
  Shape shape(std::span<const Shape> in) const override {
    require(in[0].layout == Layout::kDense, name(), "wants a dense value");
    return {Layout::kDense, kStaticSpace, 1, in[0].cols};
  }
  Reads reads(int) const override { return Reads::kAllRows; }
  void forward(const OpRun& run) const override {
    kernels::column_sums(run.threads, run.in[0].value, run.out.value.data);
  }
  void backward(const OpRun& run) const override {
    if (run.in[0].grad.data != nullptr)
      kernels::spread_row(run.threads, run.out.grad.data, run.in[0].grad);
  }
};

class InnerProducts final : public Op {
 public:
  std::string_view name() const override { return "inner-products"; }
  Shape shape(std::span<const Shape> in) const override {
    require(in[0].layout == Layout::kDense && in[1].layout == Layout::kDense &&
                in[0].space == in[1].space && in[0].rows == in[1].rows,
            name(), "wants two dense values over the same rows");
    return {Layout::kDense, kStaticSpace, in[0].cols, in[1].cols};
  }
  Reads reads(int) const override { return Reads::kAllRows; }
  bool backward_reads_input(int) const override { return true; }
  void forward(const OpRun& run) const override {
    kernels::matmul_tn(run.threads, run.in[0].value, run.in[1].value, run.out.value);
  }
  void backward(const OpRun& run) const override {
    const Operand &a = run.in[0], &b = run.in[1];
    if (a.grad.data != nullptr) kernels::matmul_nt(run.threads, b.value, run.out.grad, a.grad);
    if (b.grad.data != nullptr) kernels::matmul(run.threads, a.value, run.out.grad, b.grad);
  }
};

}  // namespace

Value column_sums(Value x) { return x.builder->add_node(std::make_shared<ColumnSums>(), {x}); }

Value inner_products(Value a, Value b) {
  return a.builder->add_node(std::make_shared<InnerProducts>(), {a, b});
}

extern const OpExamples op_reductions;
const OpExamples op_reductions = {
    {"column sums of nodes, as a factor",
     [](Builder& b, const OpExampleInputs& in) {
       Value x = tanh(matmul(in.dense_features, b.glorot("w", 6, 5)));
       return x * column_sums(x);
     }},
    {"column sums of a parameter, as a bias",
     [](Builder& b, const OpExampleInputs& in) {
       Value w = b.glorot("w", 6, 5);
       return matmul(in.dense_features, w) + column_sums(w);
     }},
    {"inner products of nodes, as a weight",
     [](Builder& b, const OpExampleInputs& in) {
       Value h = tanh(matmul(in.dense_features, b.glorot("w", 6, 5)));
       Value y = tanh(propagate(in.adjacency, matmul(in.dense_features, b.glorot("v", 6, 3))));
       return matmul(h, affine(inner_products(h, y), 0.1)) + y;
     }},
    {"inner products with itself, and of parameters",
     [](Builder& b, const OpExampleInputs& in) {
       Value v = b.glorot("v", 6, 4);
       Value h = matmul(in.dense_features, matmul(v, inner_products(v, b.glorot("u", 6, 3))));
       return matmul(h, affine(inner_products(h, h), 0.1));
     }},
    {"constants alone, hoisted",
     [](Builder& b, const OpExampleInputs& in) {
       Value gram = affine(inner_products(in.dense_features, in.dense_features), 0.1);
       return matmul(matmul(in.dense_features, gram), b.glorot("w", 6, 3)) +
              columns(column_sums(in.dense_features), 1, 3);
     }},
};

}  // namespace cupel
