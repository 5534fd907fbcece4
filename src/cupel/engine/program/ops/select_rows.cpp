// Some rows of a value. Inserted where a reader needs fewer rows than another one, or tells rows
// apart that are computed once.
#include "cupel/engine/program/ops/select_rows.h"

#include <algorithm>
#include <numeric>

#include "cupel/engine/kernels/blocks.h"
#include "cupel/engine/program/op_example.h"

namespace cupel {
namespace {

struct SelectState : OpState {
  std::vector<Index> from;        // input row of each output row
  std::vector<Index> read_start;  // of each input row: its readers begin here in read_by, + end
  std::vector<Index> read_by;     // output rows, ascending by input row
};

}  // namespace

Shape SelectRows::shape(std::span<const Shape> in) const { return in[0]; }

std::unique_ptr<OpState> SelectRows::bind(std::span<const Operand> in, const Operand& out) const {
  auto state = std::make_unique<SelectState>();
  const RowSet &given = *in[0].rows, &wanted = *out.rows;
  state->from.reserve(wanted.ids.size());
  for (const Index group : wanted.groups) {
    const Index place = given.place[group];
    if (given.group_ptr.empty()) {
      state->from.push_back(place);
    } else {
      for (Offset e = given.group_ptr[place]; e < given.group_ptr[place + 1]; ++e)
        state->from.push_back(static_cast<Index>(e));
    }
  }
  // Several output rows read one where equal rows are computed once.
  std::vector<Index>& start = state->read_start;
  start.assign(given.ids.size() + 1, 0);
  for (const Index row : state->from) ++start[row + 1];
  std::partial_sum(start.begin(), start.end(), start.begin());
  state->read_by.resize(state->from.size());
  std::vector<Index> next(start.begin(), start.end() - 1);
  for (std::size_t r = 0; r < state->from.size(); ++r)
    state->read_by[next[state->from[r]]++] = static_cast<Index>(r);
  return state;
}

std::size_t SelectRows::state_bytes(std::span<const OperandSize> in, const OperandSize& out) const {
  return (2 * static_cast<std::size_t>(out.rows) + static_cast<std::size_t>(in[0].rows) + 1) *
         sizeof(Index);
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
  const auto& state = run.state<SelectState>();
  kernels::over_blocks(run.threads, grad.rows, grad.cols, 1, [&](Index begin, Index end) {
    for (Index r = begin; r < end; ++r) {
      float* row = grad.row(r);
      bool adds = run.in[0].adds_grad;
      for (Index k = state.read_start[r]; k < state.read_start[r + 1]; ++k) {
        const float* from = g.row(state.read_by[k]);
        if (adds)
          for (Index j = 0; j < grad.cols; ++j) row[j] += from[j];
        else
          std::copy_n(from, grad.cols, row);
        adds = true;
      }
      if (!adds) std::fill_n(row, grad.cols, 0.0f);
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
