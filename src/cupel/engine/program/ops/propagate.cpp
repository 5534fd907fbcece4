// Sums over neighbours: A h.
#include <algorithm>

#include "cupel/engine/kernels/sparse.h"
#include "cupel/engine/program/builder.h"
#include "cupel/engine/program/op.h"
#include "cupel/engine/program/op_example.h"

namespace cupel {
namespace {

class Propagate final : public Op {
 public:
  std::string_view name() const override { return "propagate"; }
  Shape shape(std::span<const Shape> in) const override {
    require(in[0].layout == Layout::kSparse && in[0].space != kStaticSpace &&
                in[1].space != kStaticSpace,
            name(), "wants a sparse adjacency and a value over the rows that its columns name");
    return {Layout::kDense, in[0].space, 0, in[1].cols};
  }
  Reads reads(int input) const override {
    return input == 0 ? Reads::kSameRows : Reads::kColumnRows;
  }
  bool adds_gradient(int input) const override { return input == 1; }
  bool folds_rows() const override { return true; }
  void forward(const OpRun& run) const override {
    const SparseView& a = *run.in[0].sparse;
    if (run.in[1].sparse == nullptr) {
      kernels::spmm(run.threads, a, nullptr, run.in[1].value, run.out.value);
      return;
    }
    // A sparse h is a constant, so this runs once per binding.
    const SparseView& h = *run.in[1].sparse;
    for (Index r = 0; r < a.rows; ++r) {
      float* out = run.out.value.row(r);
      std::fill_n(out, run.out.value.cols, 0.0f);
      for (Offset e = a.row_ptr[r]; e < a.row_ptr[r + 1]; ++e)
        for (Offset k = h.row_ptr[a.columns[e]]; k < h.row_ptr[a.columns[e] + 1]; ++k)
          out[h.columns[k]] += a.value(e) * h.value(k);
    }
  }
  void backward(const OpRun& run) const override {
    if (run.in[1].grad.data != nullptr)
      kernels::spmm(run.threads, run.in[0].bound->transposed_view, nullptr, run.out.grad,
                    run.in[1].grad, run.in[1].adds_grad);
  }
};

}  // namespace

std::shared_ptr<const Op> make_propagate() { return std::make_shared<Propagate>(); }
Value propagate(Value adjacency, Value h) {
  return h.builder->add_node(make_propagate(), {adjacency, h});
}

extern const OpExamples op_propagate;
const OpExamples op_propagate = {
    {"two hops",
     [](Builder& b, const OpExampleInputs& in) {
       Value h = propagate(in.adjacency, matmul(in.sparse_features, b.glorot("w", 9, 8)));
       return propagate(in.pattern, matmul(relu(h), b.glorot("v", 8, 3)));
     }},
    {"of sparse features",
     [](Builder& b, const OpExampleInputs& in) {
       return matmul(propagate(in.adjacency, in.sparse_features), b.glorot("w", 9, 12));
     }},
    {"of dense features, wide after",
     [](Builder& b, const OpExampleInputs& in) {
       return propagate(in.adjacency, matmul(in.dense_features, b.glorot("w", 6, 24)));
     }},
};

}  // namespace cupel
