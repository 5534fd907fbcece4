#include "cupel/engine/kernels/gather.h"
#include "cupel/engine/program/builder.h"
#include "cupel/engine/program/op_example.h"
#include "cupel/engine/program/pair_dot_op.h"

namespace cupel {

Shape PairDot::shape(std::span<const Shape> in) const {
  require(in[0] == in[1] && in[0].layout == Layout::kSparse && in[2].layout == Layout::kDense &&
              in[2].space == kStaticSpace && in[0].cols == in[2].rows,
          name(), "wants two selections of one shape and a static table that they are of");
  return {Layout::kDense, in[0].space, 0, 1};
}

std::unique_ptr<OpState> PairDot::bind(std::span<const Operand> in, const Operand&) const {
  for (const int side : {0, 1}) require_selection(in[static_cast<std::size_t>(side)], name());
  return nullptr;
}

void PairDot::forward(const OpRun& run) const {
  kernels::pair_dots(run.threads, run.in[0].sparse->columns, run.in[1].sparse->columns,
                     run.in[2].value, run.out.value);
}

void PairDot::backward(const OpRun& run) const {
  const Operand& table = run.in[2];
  if (table.grad.data != nullptr)
    kernels::pair_dots_gradient(run.threads, run.in[0].sparse->columns, run.in[1].sparse->columns,
                                table.value, run.out.grad, table.grad, table.adds_grad);
}

// Traced by no model; a pass makes it.
extern const OpExamples op_pair_dot;
const OpExamples op_pair_dot = {
    {"row dots of rows of one parameter",
     [](Builder& b, const OpExampleInputs& in) {
       Value table = b.glorot("table", 4, 18);
       return row_dot(gather_rows(in.selection, table), gather_rows(in.selection, table));
     }},
    {"row dots of rows of a computed table that others read",
     [](Builder& b, const OpExampleInputs& in) {
       Value table = tanh(b.glorot("table", 4, 5));
       Value dots = row_dot(gather_rows(in.selection, table), gather_rows(in.selection, table));
       return matmul(dots, b.glorot("s", 1, 5)) + tanh(gather_rows(in.selection, table));
     }},
};

}  // namespace cupel
