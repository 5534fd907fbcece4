// Rows of a table that a selection names: the embeddings of both ends of pairs.
#include "cupel/engine/kernels/gather.h"

#include "cupel/engine/program/builder.h"
#include "cupel/engine/program/op.h"
#include "cupel/engine/program/op_example.h"
#include "cupel/engine/program/pair_dot_op.h"

namespace cupel {
namespace {

class GatherRows final : public Op {
 public:
  std::string_view name() const override { return "gather-rows"; }
  Shape shape(std::span<const Shape> in) const override {
    require(in[0].layout == Layout::kSparse && in[0].space != kStaticSpace &&
                in[1].layout == Layout::kDense && in[1].space == kStaticSpace &&
                in[0].cols == in[1].rows,
            name(), "wants a sparse selection and a static table with a row for each column of it");
    return {Layout::kDense, in[0].space, 0, in[1].cols};
  }
  Reads reads(int input) const override { return input == 0 ? Reads::kSameRows : Reads::kAllRows; }
  bool folds_rows() const override { return true; }
  bool adds_gradient(int input) const override { return input == 1; }
  std::unique_ptr<OpState> bind(std::span<const Operand> in, const Operand&) const override {
    require_selection(in[0], name());
    return nullptr;
  }
  void forward(const OpRun& run) const override {
    kernels::gather_rows(run.threads, run.in[0].sparse->columns, run.in[1].value, run.out.value);
  }
  void backward(const OpRun& run) const override {
    if (run.in[1].grad.data != nullptr)
      kernels::scatter_rows(run.threads, run.in[0].sparse->columns, run.out.grad, run.in[1].grad,
                            run.in[1].adds_grad);
  }
};

}  // namespace

void require_selection(const Operand& operand, std::string_view op) {
  const SparseView& selection = *operand.sparse;
  require(operand.bound != nullptr && selection.values == nullptr, op,
          "wants a selection that is a constant without values");
  bool one_each = true;
  for (Index r = 0; r <= selection.rows; ++r) one_each = one_each && selection.row_ptr[r] == r;
  require(one_each, op, "wants one entry in each row of the selection");
}

Value gather_rows(Value selection, Value table) {
  return table.builder->add_node(std::make_shared<GatherRows>(), {selection, table});
}

extern const OpExamples op_gather_rows;
const OpExamples op_gather_rows = {
    {"rows gathered from a parameter",
     [](Builder& b, const OpExampleInputs& in) {
       return gather_rows(in.selection, b.glorot("table", 4, 18));
     }},
    {"rows gathered from one table twice, and from a computed one",
     [](Builder& b, const OpExampleInputs& in) {
       Value table = b.glorot("table", 4, 5);
       Value x = tanh(gather_rows(in.selection, table));
       return x * gather_rows(in.selection, table) + gather_rows(in.selection, tanh(table));
     }},
    {"its gradient is added to that of a product",
     [](Builder& b, const OpExampleInputs& in) {
       Value table = b.glorot("table", 4, 6);
       Value x = gather_rows(in.selection, table);
       return x + matmul(in.selection, table) * in.dense_features;
     }},
};

}  // namespace cupel
