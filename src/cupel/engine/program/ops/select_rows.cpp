// Some rows of a value. Inserted where a reader needs fewer rows than another one.
#include "cupel/engine/program/ops/select_rows.h"

#include <algorithm>

#include "cupel/engine/kernels/blocks.h"
#include "cupel/engine/program/op_example.h"

namespace cupel {
namespace {

struct SelectState : OpState {
  std::vector<Index> from;  // input row of each output row
  std::vector<Index> to;    // output row of each input row; -1: not selected
};

}  // namespace

Shape SelectRows::shape(std::span<const Shape> in) const { return in[0]; }

std::unique_ptr<OpState> SelectRows::bind(std::span<const Operand> in, const Operand& out) const {
  auto state = std::make_unique<SelectState>();
  state->from.reserve(out.rows->ids.size());
  state->to.assign(in[0].rows->ids.size(), -1);
  // Both lists ascend and the input holds every output row.
  std::size_t at = 0;
  for (const Index id : out.rows->ids) {
    while (in[0].rows->ids[at] != id) ++at;
    state->to[at] = static_cast<Index>(state->from.size());
    state->from.push_back(static_cast<Index>(at));
  }
  return state;
}

void SelectRows::forward(const OpRun& run) const {
  const auto& from = run.state<SelectState>().from;
  const DenseView& out = run.out.value;
  kernels::over_blocks(run.threads, out.rows, out.cols, 1, [&](Index begin, Index end) {
    for (Index r = begin; r < end; ++r)
      std::copy_n(run.in[0].value.row(from[r]), out.cols, out.row(r));
  });
}

void SelectRows::backward(const OpRun& run) const {
  const DenseView &grad = run.in[0].grad, &g = run.out.grad;
  if (grad.data == nullptr) return;
  const bool adds = run.in[0].adds_grad;
  const auto& to = run.state<SelectState>().to;
  kernels::over_blocks(run.threads, grad.rows, grad.cols, 1, [&](Index begin, Index end) {
    for (Index r = begin; r < end; ++r) {
      float* row = grad.row(r);
      if (to[r] < 0) {
        if (!adds) std::fill_n(row, grad.cols, 0.0f);
      } else if (adds) {
        const float* from = g.row(to[r]);
        for (Index j = 0; j < grad.cols; ++j) row[j] += from[j];
      } else {
        std::copy_n(g.row(to[r]), grad.cols, row);
      }
    }
  });
}

// Traced by no model; the examples make the binding insert it.
extern const OpExamples op_select_rows;
const OpExamples op_select_rows = {
    {"a skip connection reads fewer rows than the propagation",
     [](Builder& b, const OpExampleInputs& in) {
       Value h = relu(matmul(in.dense_features, b.glorot("w", 6, 5)));
       return propagate(in.adjacency, matmul(h, b.glorot("a", 5, 3))) +
              matmul(h, b.glorot("s", 5, 3));
     }},
    {"its gradient is added to that of a later reader",
     [](Builder& b, const OpExampleInputs& in) {
       Value h = tanh(matmul(in.dense_features, b.glorot("w", 6, 3)));
       Value skip = tanh(h);
       return skip + propagate(in.adjacency, h);
     }},
};

}  // namespace cupel
