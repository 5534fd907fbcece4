// Sums over neighbours along arcs that are dropped at random: drop(A) h.
#include "cupel/engine/kernels/dropout.h"
#include "cupel/engine/kernels/sparse.h"
#include "cupel/engine/program/builder.h"
#include "cupel/engine/program/op.h"
#include "cupel/engine/program/op_example.h"

namespace cupel {
namespace {

struct DroppedArcs : OpState {
  kernels::DrawPlan plan;
  AlignedVector<std::uint16_t> draws;
  // Of every entry, in the order of the matrix and in that of its transpose: 0 where it is dropped.
  AlignedVector<float> values, transposed_values;
};

// A sum over zeros has the bits of one without them, so that no entry is moved and the way back
// finds its own by number.
class DropPropagate final : public Op {
 public:
  DropPropagate(double p, std::uint32_t purpose) : rate_(p), purpose_(purpose) {}
  std::string_view name() const override { return "drop-propagate"; }
  Shape shape(std::span<const Shape> in) const override {
    require(in[0].layout == Layout::kSparse && in[0].space != kStaticSpace &&
                in[1].layout == Layout::kDense && in[1].space != kStaticSpace,
            name(), "wants a sparse adjacency and a dense value over the rows its columns name");
    return {Layout::kDense, in[0].space, 0, in[1].cols};
  }
  Reads reads(int input) const override {
    return input == 0 ? Reads::kSameRows : Reads::kColumnRows;
  }
  bool adds_gradient(int input) const override { return input == 1; }
  bool is_random() const override { return true; }
  std::shared_ptr<const Op> evaluation_form() const override { return make_propagate(); }
  std::unique_ptr<OpState> bind(std::span<const Operand> in, const Operand& out) const override {
    const SparseView& a = *in[0].sparse;
    auto state = std::make_unique<DroppedArcs>();
    state->plan = kernels::DrawPlan::ragged(out.rows->ids.data(), a.rows, a.row_ptr);
    state->draws.resize(state->plan.draws_capacity());
    state->values.resize(static_cast<std::size_t>(a.entries()));
    return state;
  }
  std::size_t state_bytes(std::span<const OperandSize> in, const OperandSize& out) const override {
    const std::size_t values = (out.wants_grad ? 2 : 1) * sizeof(float);
    return kernels::DrawPlan::ragged_bytes(out.rows, in[0].entries) +
           static_cast<std::size_t>(in[0].entries) * values;
  }
  void forward(const OpRun& run) const override {
    auto& state = run.state<DroppedArcs>();
    kernels::fill_draws({run.key, purpose_, run.step}, state.plan.slot_rows.data(),
                        state.plan.slot_blocks.data(), state.plan.slot_rows.size(),
                        state.draws.data());
    SparseView a = *run.in[0].sparse;
    for (Index r = 0; r < a.rows; ++r) {
      const std::uint16_t* draw =
          state.draws.data() + 8 * state.plan.first_slot[static_cast<std::size_t>(r)];
      for (Offset e = a.row_ptr[r]; e < a.row_ptr[r + 1]; ++e)
        state.values[static_cast<std::size_t>(e)] =
            *draw++ >= rate_.threshold ? a.value(e) * rate_.keep_scale : 0.0f;
    }
    a.values = state.values.data();
    kernels::spmm(run.threads, a, nullptr, run.in[1].value, run.out.value);
  }
  void backward(const OpRun& run) const override {
    if (run.in[1].grad.data == nullptr) return;
    auto& state = run.state<DroppedArcs>();
    SparseView turned = run.in[0].bound->transposed_view;
    const std::vector<Offset>& entry = run.in[0].bound->entry;
    state.transposed_values.resize(entry.size());
    for (std::size_t k = 0; k < entry.size(); ++k)
      state.transposed_values[k] = state.values[static_cast<std::size_t>(entry[k])];
    turned.values = state.transposed_values.data();
    kernels::spmm(run.threads, turned, nullptr, run.out.grad, run.in[1].grad, run.in[1].adds_grad);
  }

 private:
  kernels::DropRate rate_;
  std::uint32_t purpose_;
};

}  // namespace

Value propagate_dropped(Value adjacency, Value h, double p) {
  Builder& b = *h.builder;
  require(p >= 0 && p < 1, "drop-propagate", "the probability must be in [0, 1)");
  const std::uint32_t purpose = b.next_purpose();
  if (p == 0) return propagate(adjacency, h);
  return b.add_node(std::make_shared<DropPropagate>(p, purpose), {adjacency, h});
}

extern const OpExamples op_drop_propagate;
const OpExamples op_drop_propagate = {
    {"two hops along dropped arcs",
     [](Builder& b, const OpExampleInputs& in) {
       Value h =
           propagate_dropped(in.adjacency, matmul(in.sparse_features, b.glorot("w", 9, 8)), 0.4);
       return propagate_dropped(in.pattern, matmul(relu(h), b.glorot("v", 8, 3)), 0.3);
     }},
    {"dropped arcs beside all of them",
     [](Builder& b, const OpExampleInputs& in) {
       Value h = matmul(in.dense_features, b.glorot("w", 6, 12));
       return propagate_dropped(in.adjacency, h, 0.5) + propagate(in.adjacency, h) + h;
     }},
};

}  // namespace cupel
