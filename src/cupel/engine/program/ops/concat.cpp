// Values side by side.
#include <algorithm>

#include "cupel/engine/program/builder.h"
#include "cupel/engine/program/op.h"
#include "cupel/engine/program/op_example.h"

namespace cupel {
namespace {

class ConcatColumns final : public Op {
 public:
  std::string_view name() const override { return "concat-columns"; }
  Shape shape(std::span<const Shape> in) const override {
    Shape out = in[0];
    out.cols = 0;
    for (const Shape& part : in) {
      require(part.layout == Layout::kDense && part.space == in[0].space && part.rows == in[0].rows,
              name(), "wants dense values over the same rows");
      out.cols += part.cols;
    }
    return out;
  }
  Reads reads(int) const override { return Reads::kSameRows; }
  bool folds_rows() const override { return true; }
  void forward(const OpRun& run) const override {
    Index at = 0;
    for (const Operand& part : run.in) {
      for (Index r = 0; r < part.value.rows; ++r)
        std::copy_n(part.value.row(r), part.value.cols, run.out.value.row(r) + at);
      at += part.value.cols;
    }
  }
  void backward(const OpRun& run) const override {
    Index at = 0;
    for (const Operand& part : run.in) {
      if (part.grad.data != nullptr)
        for (Index r = 0; r < part.grad.rows; ++r)
          std::copy_n(run.out.grad.row(r) + at, part.grad.cols, part.grad.row(r));
      at += part.value.cols;
    }
  }
};

}  // namespace

Value concat_columns(const std::vector<Value>& parts) {
  if (parts.size() == 1) return parts[0];
  return parts[0].builder->add_node(std::make_shared<ConcatColumns>(), parts);
}

extern const OpExamples op_concat;
const OpExamples op_concat = {
    {"three parts, one of them read twice",
     [](Builder& b, const OpExampleInputs& in) {
       Value x = matmul(in.dense_features, b.glorot("x", 6, 2));
       Value y = relu(matmul(in.sparse_features, b.glorot("y", 9, 5)));
       return concat_columns({x, y, x});
     }},
};

}  // namespace cupel
