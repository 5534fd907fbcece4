// Gated recurrent units.
#include "cupel/engine/kernels/gru.h"

#include "cupel/engine/program/builder.h"
#include "cupel/engine/program/op.h"
#include "cupel/engine/program/op_example.h"

namespace cupel {
namespace {

class Gru final : public Op {
 public:
  std::string_view name() const override { return "gru"; }
  Shape shape(std::span<const Shape> in) const override {
    require(in[1] == in[2] && in[1].layout == Layout::kDense && in[0].layout == Layout::kDense &&
                in[0].space == in[1].space && in[0].rows == in[1].rows &&
                in[0].cols == 3 * in[1].cols,
            name(), "wants two dense values of one shape, and one thrice as wide before them");
    return in[2];
  }
  Reads reads(int) const override { return Reads::kSameRows; }
  bool folds_rows() const override { return true; }
  bool backward_reads_input(int) const override { return true; }
  void forward(const OpRun& run) const override {
    kernels::gru(run.threads, inputs(run), run.out.value);
  }
  void backward(const OpRun& run) const override {
    kernels::gru_backward(run.threads, inputs(run), run.out.grad,
                          {run.in[0].grad, run.in[1].grad, run.in[2].grad});
  }

 private:
  static kernels::GruInputs inputs(const OpRun& run) {
    return {run.in[0].value, run.in[1].value, run.in[2].value};
  }
};

Value example(Builder& b, const OpExampleInputs& in, Index width, bool shared) {
  const auto of = [&](const char* name, Index cols) {
    return matmul(in.dense_features, b.glorot(name, 6, cols));
  };
  const Value state = of("state", width);
  return gru(of("in", 3 * width), shared ? state : of("again", width), state);
}

}  // namespace

Value gru(Value in, Value again, Value state) {
  return in.builder->add_node(std::make_shared<Gru>(), {in, again, state});
}

extern const OpExamples op_gru;
const OpExamples op_gru = {
    {"gru, narrow",
     [](Builder& b, const OpExampleInputs& in) {
       return matmul(example(b, in, 3, false), b.glorot("o", 3, 4));
     }},
    {"gru, wider than a vector, of a state that is used twice",
     [](Builder& b, const OpExampleInputs& in) {
       return matmul(propagate(in.adjacency, example(b, in, 21, true)), b.glorot("o", 21, 3));
     }},
    {"gru of a constant state",
     [](Builder& b, const OpExampleInputs& in) {
       return gru(matmul(in.dense_features, b.glorot("in", 6, 18)),
                  matmul(in.dense_features, b.glorot("again", 6, 6)), in.dense_features);
     }},
};

}  // namespace cupel
