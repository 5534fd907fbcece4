// Inner products row by row: what pairs of embeddings are scored by.
#include "cupel/engine/kernels/arithmetic.h"
#include "cupel/engine/program/builder.h"
#include "cupel/engine/program/op.h"
#include "cupel/engine/program/op_example.h"

namespace cupel {
namespace {

class RowDot final : public Op {
 public:
  std::string_view name() const override { return "row-dot"; }
  Shape shape(std::span<const Shape> in) const override {
    require(in[0] == in[1] && in[0].layout == Layout::kDense && in[0].cols > 0, name(),
            "wants two dense values of one shape, with columns");
    Shape out = in[0];
    out.cols = 1;
    return out;
  }
  Reads reads(int) const override { return Reads::kSameRows; }
  bool folds_rows() const override { return true; }
  bool backward_reads_input(int) const override { return true; }
  void forward(const OpRun& run) const override {
    kernels::row_dots(run.threads, run.in[0].value, run.in[1].value, run.out.value);
  }
  void backward(const OpRun& run) const override {
    for (const int side : {0, 1}) {
      const DenseView& grad = run.in[side].grad;
      if (grad.data != nullptr)
        kernels::scale_rows(run.threads, run.in[1 - side].value, run.out.grad, grad);
    }
  }
};

}  // namespace

Value row_dot(Value a, Value b) { return a.builder->add_node(std::make_shared<RowDot>(), {a, b}); }

extern const OpExamples op_row_dot;
const OpExamples op_row_dot = {
    {"row dots, narrow",
     [](Builder& b, const OpExampleInputs& in) {
       Value x = matmul(in.dense_features, b.glorot("x", 6, 3));
       return row_dot(x, tanh(propagate(in.adjacency, x)));
     }},
    {"row dots, wider than a vector",
     [](Builder& b, const OpExampleInputs& in) {
       Value x = matmul(in.dense_features, b.glorot("x", 6, 37));
       Value dots = row_dot(x, matmul(in.dense_features, b.glorot("y", 6, 37)));
       return matmul(dots, b.glorot("s", 1, 5));
     }},
    {"row dots of a value with itself, and of constants",
     [](Builder& b, const OpExampleInputs& in) {
       Value x = matmul(in.dense_features, b.glorot("x", 6, 9));
       return row_dot(x, x) + row_dot(in.dense_features, in.dense_features);
     }},
    {"row dots of parameters",
     [](Builder& b, const OpExampleInputs& in) {
       return matmul(in.dense_features, row_dot(b.glorot("v", 6, 10), b.glorot("w", 6, 10)));
     }},
};

}  // namespace cupel
