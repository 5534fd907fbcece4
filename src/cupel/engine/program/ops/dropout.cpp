// Dropout: a chain element on dense values, a thinner list of entries on sparse ones.
#include "cupel/engine/kernels/dropout.h"

#include "cupel/engine/program/builder.h"
#include "cupel/engine/program/op_example.h"
#include "cupel/engine/program/pointwise_op.h"

namespace cupel {
namespace {

struct SparseDropoutState : SparseOutput {
  kernels::DrawPlan plan;
  AlignedVector<std::uint16_t> draws;
  std::vector<Offset> row_ptr;
  AlignedVector<Index> columns;
  AlignedVector<float> values;
};

class SparseDropout final : public Op {
 public:
  SparseDropout(double p, std::uint32_t purpose, bool when_evaluated)
      : rate_(p), purpose_(purpose), when_evaluated_(when_evaluated) {}
  std::string_view name() const override { return "sparse-dropout"; }
  Shape shape(std::span<const Shape> inputs) const override {
    require(inputs[0].layout == Layout::kSparse, name(), "wants a sparse value");
    return inputs[0];
  }
  Reads reads(int) const override { return Reads::kSameRows; }
  bool is_random() const override { return true; }
  bool only_training() const override { return !when_evaluated_; }
  std::unique_ptr<OpState> bind(std::span<const Operand> in, const Operand& out) const override {
    const SparseView& x = *in[0].sparse;
    require(in[0].row_map == nullptr, name(),
            "cannot read some rows of entries that were dropped before; drop them once");
    auto state = std::make_unique<SparseDropoutState>();
    state->plan = kernels::DrawPlan::ragged(out.rows->ids.data(), x.rows, x.row_ptr);
    state->draws.resize(state->plan.draws_capacity());
    state->row_ptr.resize(static_cast<std::size_t>(x.rows) + 1);
    state->columns.resize(static_cast<std::size_t>(x.entries()) + 16);
    if (x.values != nullptr) state->values.resize(state->columns.size());
    state->view = x;
    return state;
  }
  std::size_t state_bytes(std::span<const OperandSize> in, const OperandSize&) const override {
    return kernels::DrawPlan::ragged_bytes(in[0].rows, in[0].entries) +
           (static_cast<std::size_t>(in[0].rows) + 1) * sizeof(Offset) +
           (static_cast<std::size_t>(in[0].entries) + 16) *
               (sizeof(Index) + (in[0].valued ? sizeof(float) : 0));
  }
  void forward(const OpRun& run) const override {
    auto& state = run.state<SparseDropoutState>();
    kernels::fill_draws({run.key, purpose_, run.step}, state.plan.slot_rows.data(),
                        state.plan.slot_blocks.data(), state.plan.slot_rows.size(),
                        state.draws.data());
    state.view =
        kernels::drop_entries(*run.in[0].sparse, rate_, state.plan, state.draws.data(),
                              state.row_ptr.data(), state.columns.data(), state.values.data());
  }
  void backward(const OpRun&) const override {}  // sparse values are constants: nothing to reach

 private:
  kernels::DropRate rate_;
  std::uint32_t purpose_;
  bool when_evaluated_;
};

}  // namespace

Value Builder::dropout(Value x, double p, bool when_evaluated) {
  require(p >= 0 && p < 1, "dropout", "the probability must be in [0, 1)");
  const std::uint32_t purpose = next_purpose();
  if (p == 0) return x;
  if (x.shape().layout == Layout::kSparse)
    return add_node(std::make_shared<SparseDropout>(p, purpose, when_evaluated), {x});
  const Pointwise::Spec spec = {.drop = p, .purpose = purpose, .drop_evaluated = when_evaluated};
  return add_node(std::make_shared<Pointwise>(spec), {x});
}

extern const OpExamples op_dropout;
const OpExamples op_dropout = {
    {"sparse dropout",
     [](Builder& b, const OpExampleInputs& in) {
       return matmul(b.dropout(in.sparse_features, 0.5), b.glorot("w", 9, 4));
     }},
    {"sparse dropout read by two layers",
     [](Builder& b, const OpExampleInputs& in) {
       Value x = b.dropout(in.sparse_features, 0.3);
       return propagate(in.adjacency, matmul(x, b.glorot("w", 9, 4))) +
              matmul(x, b.glorot("v", 9, 4));
     }},
    {"dense dropout",
     [](Builder& b, const OpExampleInputs& in) {
       return matmul(b.dropout(in.dense_features, 0.5), b.glorot("w", 6, 4));
     }},
};

}  // namespace cupel
