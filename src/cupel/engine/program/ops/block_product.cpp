// Rows times matrices of 2 x 2 blocks: the relations of a relational graph convolution.
#include "cupel/engine/kernels/block_product.h"

#include "cupel/engine/program/builder.h"
#include "cupel/engine/program/op.h"
#include "cupel/engine/program/op_example.h"
#include "cupel/engine/program/pair_dot_op.h"

namespace cupel {
namespace {

class BlockProduct final : public Op {
 public:
  std::string_view name() const override { return "block-product"; }
  Shape shape(std::span<const Shape> in) const override {
    require(in[0].layout == Layout::kSparse && in[0].space != kStaticSpace &&
                in[1].layout == Layout::kDense && in[1].space == in[0].space && in[1].cols % 2 == 0,
            name(), "wants a sparse selection and dense rows of an even width over its rows");
    require(in[2].layout == Layout::kDense && in[2].space == kStaticSpace &&
                in[2].rows == in[0].cols && in[2].cols == 2 * in[1].cols,
            name(), "wants a static table of twice the width, with a row for each column");
    return in[1];
  }
  Reads reads(int input) const override { return input < 2 ? Reads::kSameRows : Reads::kAllRows; }
  bool backward_reads_input(int input) const override { return input > 0; }
  bool adds_gradient(int input) const override { return input == 2; }
  std::unique_ptr<OpState> bind(std::span<const Operand> in, const Operand&) const override {
    require_selection(in[0], name());
    return nullptr;
  }
  void forward(const OpRun& run) const override {
    kernels::block_product(run.threads, run.in[0].sparse->columns, run.in[1].value, run.in[2].value,
                           run.out.value);
  }
  void backward(const OpRun& run) const override {
    const Index* which = run.in[0].sparse->columns;
    if (run.in[1].grad.data != nullptr)
      kernels::block_product_backward(run.threads, which, run.in[2].value, run.out.grad,
                                      run.in[1].grad);
    if (run.in[2].grad.data != nullptr)
      kernels::block_product_table(run.threads, which, run.in[1].value, run.out.grad,
                                   run.in[2].grad, run.in[2].adds_grad);
  }
};

}  // namespace

Value block_product(Value selection, Value x, Value table) {
  return x.builder->add_node(std::make_shared<BlockProduct>(), {selection, x, table});
}

extern const OpExamples op_block_product;
const OpExamples op_block_product = {
    {"rows times blocks",
     [](Builder& b, const OpExampleInputs& in) {
       Value x = matmul(in.dense_features, b.glorot("w", 6, 10));
       return block_product(in.selection, x, b.glorot("blocks", 4, 20));
     }},
    {"blocks wider than a vector, twice by one table",
     [](Builder& b, const OpExampleInputs& in) {
       Value x = matmul(in.dense_features, b.glorot("w", 6, 38));
       Value table = b.glorot("blocks", 4, 76);
       return block_product(in.selection, tanh(block_product(in.selection, x, table)), table);
     }},
};

}  // namespace cupel
