// Some rows of a value. Inserted where a reader needs fewer rows than another one.
#include "cupel/engine/program/ops/select_rows.h"

#include <algorithm>

#include "cupel/engine/program/op_example.h"

namespace cupel {
namespace {

struct SelectState : OpState {
  std::vector<Index> from;  // input row of each output row
};

}  // namespace

Shape SelectRows::shape(std::span<const Shape> in) const { return in[0]; }

std::unique_ptr<OpState> SelectRows::bind(std::span<const Operand> in, const Operand& out) const {
  auto state = std::make_unique<SelectState>();
  state->from.reserve(out.rows->ids.size());
  // Both lists ascend and the input holds every output row.
  std::size_t at = 0;
  for (const Index id : out.rows->ids) {
    while (in[0].rows->ids[at] != id) ++at;
    state->from.push_back(static_cast<Index>(at));
  }
  return state;
}

void SelectRows::forward(const OpRun& run) const {
  const auto& from = run.state<SelectState>().from;
  for (Index r = 0; r < run.out.value.rows; ++r)
    std::copy_n(run.in[0].value.row(from[r]), run.out.value.cols, run.out.value.row(r));
}

void SelectRows::backward(const OpRun& run) const {
  const DenseView& grad = run.in[0].grad;
  if (grad.data == nullptr) return;
  const auto& from = run.state<SelectState>().from;
  for (Index r = 0; r < grad.rows; ++r) std::fill_n(grad.row(r), grad.cols, 0.0f);
  for (Index r = 0; r < run.out.grad.rows; ++r)
    std::copy_n(run.out.grad.row(r), grad.cols, grad.row(from[r]));
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
};

}  // namespace cupel
