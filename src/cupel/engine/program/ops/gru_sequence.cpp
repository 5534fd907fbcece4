// Gated recurrent units over the entries of a sparse constant.
#include "cupel/engine/kernels/gru_sequence.h"

#include <utility>
#include <vector>

#include "cupel/engine/program/builder.h"
#include "cupel/engine/program/op.h"
#include "cupel/engine/program/op_example.h"

namespace cupel {
namespace {

// Blocks of memory that bindings of this thread have left: programs that are bound anew for every
// batch would otherwise have the pages of their traces cleared each time.
std::vector<AlignedVector<float>>& left_behind() {
  thread_local std::vector<AlignedVector<float>> blocks;
  return blocks;
}

struct GruState : OpState {
  GruState(const SparseView& sequences, Index d, Index rows, bool trains)
      : steps(sequences), width(d), work_rows(trains ? rows : 0) {
    std::vector<AlignedVector<float>>& blocks = left_behind();
    if (!blocks.empty()) {
      memory = std::move(blocks.back());
      blocks.pop_back();
    }
    const std::size_t size = at(5, steps.places()) + at(1, work_rows);
    if (memory.size() < size) memory = AlignedVector<float>(size + size / 4);
  }
  ~GruState() override { left_behind().push_back(std::move(memory)); }
  GruState(const GruState&) = delete;
  GruState& operator=(const GruState&) = delete;

  std::size_t at(std::size_t of_width, Index rows) const {
    return of_width * static_cast<std::size_t>(width) * static_cast<std::size_t>(rows);
  }
  // Steps and memory; that of others may be larger.
  static std::size_t bytes(Offset entries, Index d, Index rows, bool trains) {
    const std::size_t floats =
        (5 * static_cast<std::size_t>(entries) + (trains ? static_cast<std::size_t>(rows) : 0)) *
        static_cast<std::size_t>(d);
    return 24 * static_cast<std::size_t>(entries) + 8 * static_cast<std::size_t>(rows) +
           (floats + floats / 4) * sizeof(float);
  }
  kernels::GruTrace trace() {
    const Index places = steps.places();
    return {{memory.data(), places, width, width},
            {memory.data() + at(1, places), places, 4 * width, 4 * width}};
  }
  DenseView work() { return {memory.data() + at(5, steps.places()), work_rows, width, width}; }

  kernels::SequenceSteps steps;
  Index width, work_rows;
  AlignedVector<float> memory;
};

class Gru final : public Op {
 public:
  std::string_view name() const override { return "gru-sequence"; }
  Shape shape(std::span<const Shape> in) const override {
    require(in[0].layout == Layout::kSparse && in[0].space != kStaticSpace, name(),
            "wants sparse sequences");
    require(in[1].layout == Layout::kDense && in[1].space != kStaticSpace &&
                in[2].layout == Layout::kDense && in[2].space == in[0].space &&
                in[1].cols == in[2].cols,
            name(), "wants dense inputs of columns and of rows, of one width");
    const Index d = in[3].rows;
    require(in[3].space == kStaticSpace && in[3].cols == 3 * d && in[1].cols == 3 * d, name(),
            "wants static weights d x 3 d, and inputs of 3 d columns");
    require(in[4].space == kStaticSpace && in[4].rows == 1 && in[4].cols == 3 * d, name(),
            "wants a static bias of 3 d columns");
    return {Layout::kDense, in[0].space, 0, d};
  }
  Reads reads(int input) const override {
    if (input == 1) return Reads::kColumnRows;
    return input < 3 ? Reads::kSameRows : Reads::kAllRows;
  }
  bool backward_reads_input(int input) const override { return input == 3; }
  std::unique_ptr<OpState> bind(std::span<const Operand> in, const Operand& out) const override {
    require(in[0].bound != nullptr, name(), "wants sequences that are a constant");
    return std::make_unique<GruState>(*in[0].sparse, out.value.cols, out.value.rows,
                                      out.wants_grad);
  }
  std::size_t state_bytes(std::span<const OperandSize> in, const OperandSize& out) const override {
    return GruState::bytes(in[0].entries, out.cols, out.rows, out.wants_grad);
  }
  void forward(const OpRun& run) const override {
    auto& state = run.state<GruState>();
    kernels::gru_sequence(run.threads, state.steps, run.in[1].value, run.in[2].value,
                          run.in[3].value, run.in[4].value.data, state.trace(), run.out.value);
  }
  void backward(const OpRun& run) const override {
    auto& state = run.state<GruState>();
    const BoundSparse& a = *run.in[0].bound;
    kernels::gru_sequence_backward(
        run.threads, state.steps, a.transposed_view, a.entry.data(), run.in[3].value, state.trace(),
        run.out.grad, state.work(),
        {run.in[1].grad, run.in[2].grad, run.in[3].grad, run.in[4].grad});
  }
};

}  // namespace

Value gru_sequence(Value sequences, Value of_columns, Value of_rows, Value weights, Value bias) {
  return sequences.builder->add_node(std::make_shared<Gru>(),
                                     {sequences, of_columns, of_rows, weights, bias});
}

extern const OpExamples op_gru_sequence;
const OpExamples op_gru_sequence = {
    {"recurrence over the neighbours",
     [](Builder& b, const OpExampleInputs& in) {
       return gru_sequence(in.pattern, matmul(in.dense_features, b.glorot("x", 6, 12)),
                           matmul(in.dense_features, b.glorot("own", 6, 12)), b.glorot("u", 4, 12),
                           b.uniform("b", 1, 12, 4));
     }},
    {"recurrence wider than a vector, behind another",
     [](Builder& b, const OpExampleInputs& in) {
       Value h = matmul(in.dense_features, b.glorot("h", 6, 19));
       for (const char* layer : {"1", "2"}) {
         const std::string name = layer;
         h = gru_sequence(in.pattern, matmul(h, b.glorot("x" + name, 19, 57)),
                          matmul(in.dense_features, b.glorot("own" + name, 6, 57)),
                          b.glorot("u" + name, 19, 57), b.uniform("b" + name, 1, 57, 4));
       }
       return h;
     }},
    {"recurrence, gradient to the inputs of rows alone",
     [](Builder& b, const OpExampleInputs& in) {
       return gru_sequence(in.pattern, in.dense_features,
                           matmul(in.dense_features, b.glorot("own", 6, 6)), b.glorot("u", 2, 6),
                           b.uniform("b", 1, 6, 2));
     }},
};

}  // namespace cupel
