// Rows in a random order: what contrastive objectives corrupt a graph's nodes by.
#include <numeric>

#include "cupel/base/shuffle.h"
#include "cupel/engine/kernels/gather.h"
#include "cupel/engine/program/builder.h"
#include "cupel/engine/program/op.h"
#include "cupel/engine/program/op_example.h"

namespace cupel {
namespace {

struct Order : OpState {
  std::vector<Index> of_all;  // row behind each row of the space
  std::vector<Index> wanted;  // of those that this binding computes
};

class ShuffleRows final : public Op {
 public:
  explicit ShuffleRows(std::uint32_t purpose) : purpose_(purpose) {}
  std::string_view name() const override { return "shuffle-rows"; }
  Shape shape(std::span<const Shape> in) const override {
    require(in[0].layout == Layout::kDense && in[0].space != kStaticSpace, name(),
            "wants a dense value with rows of a space");
    return in[0];
  }
  Reads reads(int) const override { return Reads::kAllRows; }
  bool is_random() const override { return true; }
  bool adds_gradient(int) const override { return true; }
  std::unique_ptr<OpState> bind(std::span<const Operand> in, const Operand& out) const override {
    auto state = std::make_unique<Order>();
    state->of_all.resize(static_cast<std::size_t>(in[0].value.rows));
    state->wanted.resize(static_cast<std::size_t>(out.value.rows));
    return state;
  }
  std::size_t state_bytes(std::span<const OperandSize> in, const OperandSize& out) const override {
    return (static_cast<std::size_t>(in[0].rows) + static_cast<std::size_t>(out.rows)) *
           sizeof(Index);
  }
  // Every row is drawn (Fisher and Yates), so that the order is that of the space whatever a
  // binding computes of it.
  void forward(const OpRun& run) const override {
    auto& order = run.state<Order>();
    std::iota(order.of_all.begin(), order.of_all.end(), 0);
    Stream stream(run.key, purpose_, run.step);
    shuffle(order.of_all, stream);
    for (std::size_t r = 0; r < order.wanted.size(); ++r)
      order.wanted[r] = order.of_all[static_cast<std::size_t>(run.out.rows->ids[r])];
    kernels::gather_rows(run.threads, order.wanted.data(), run.in[0].value, run.out.value);
  }
  void backward(const OpRun& run) const override {
    if (run.in[0].grad.data != nullptr)
      kernels::scatter_rows(run.threads, run.state<Order>().wanted.data(), run.out.grad,
                            run.in[0].grad, run.in[0].adds_grad);
  }

 private:
  std::uint32_t purpose_;
};

}  // namespace

Value shuffle_rows(Value x) {
  Builder& b = *x.builder;
  return b.add_node(std::make_shared<ShuffleRows>(b.next_purpose()), {x});
}

extern const OpExamples op_shuffle_rows;
const OpExamples op_shuffle_rows = {
    {"rows shuffled, then a hop",
     [](Builder& b, const OpExampleInputs& in) {
       Value h = tanh(matmul(in.dense_features, b.glorot("w", 6, 19)));
       return propagate(in.adjacency, shuffle_rows(h));
     }},
    {"two orders of one value, which others read",
     [](Builder& b, const OpExampleInputs& in) {
       Value h = matmul(in.sparse_features, b.glorot("w", 9, 5));
       return tanh(shuffle_rows(h)) * h + shuffle_rows(h);
     }},
    {"rows shuffled twice",
     [](Builder& b, const OpExampleInputs& in) {
       return shuffle_rows(tanh(shuffle_rows(matmul(in.dense_features, b.glorot("w", 6, 3)))));
     }},
};

}  // namespace cupel
