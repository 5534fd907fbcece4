// Sums over neighbours: A h.
#include <algorithm>

#include "cupel/engine/kernels/sparse.h"
#include "cupel/engine/program/builder.h"
#include "cupel/engine/program/op.h"
#include "cupel/engine/program/op_example.h"

namespace cupel {
namespace {

// out += weight * row `r` of h.
void add_row(float weight, const SparseView& h, Index r, float* out) {
  const Offset begin = h.row_ptr[r], end = h.row_ptr[r + 1];
  if (h.values == nullptr) {
    const float term = weight * h.uniform;
    for (Offset k = begin; k < end; ++k) out[h.columns[k]] += term;
  } else {
    for (Offset k = begin; k < end; ++k) out[h.columns[k]] += weight * h.values[k];
  }
}

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
  Turned turned() const override { return Turned::kPlain; }
  bool adds_gradient(int input) const override { return input == 1; }
  bool folds_rows() const override { return true; }
  void forward(const OpRun& run) const override {
    const SparseView& a = *run.in[0].sparse;
    if (run.in[1].sparse == nullptr) {
      kernels::spmm(run.threads, a, nullptr, run.in[1].value, run.out.value);
      return;
    }
    // A sparse h is a constant, so this runs once per binding.
    constexpr std::int64_t kRows = 64;  // of a block
    const SparseView& h = *run.in[1].sparse;
    parallel_blocks(run.threads, a.rows, kRows, [&](std::int64_t begin, std::int64_t end) {
      for (auto r = static_cast<Index>(begin); r < static_cast<Index>(end); ++r) {
        float* out = run.out.value.row(r);
        std::fill_n(out, run.out.value.cols, 0.0f);
        for (Offset e = a.row_ptr[r]; e < a.row_ptr[r + 1]; ++e)
          add_row(a.value(e), h, a.columns[e], out);
      }
    });
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
