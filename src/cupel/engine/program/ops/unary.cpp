// Functions of one element whose gradient is computed from what they read.
#include "cupel/engine/kernels/unary.h"

#include "cupel/engine/program/builder.h"
#include "cupel/engine/program/op.h"
#include "cupel/engine/program/op_example.h"

namespace cupel {
namespace {

using kernels::Function;

class Unary final : public Op {
 public:
  explicit Unary(Function function) : function_(function) {}
  std::string_view name() const override {
    switch (function_) {
      case Function::kSigmoid:
        return "sigmoid";
      case Function::kSoftplus:
        return "softplus";
      case Function::kAbsolute:
        return "absolute";
      case Function::kCosine:
        return "cosine";
    }
    return {};
  }
  Shape shape(std::span<const Shape> in) const override {
    require(in[0].layout == Layout::kDense, name(), "wants a dense value");
    return in[0];
  }
  Reads reads(int) const override { return Reads::kSameRows; }
  bool folds_rows() const override { return true; }
  bool backward_reads_input(int) const override { return true; }
  bool in_place() const override { return true; }
  void forward(const OpRun& run) const override {
    kernels::function_forward(run.threads, function_, run.in[0].value, run.out.value);
  }
  void backward(const OpRun& run) const override {
    if (run.in[0].grad.data != nullptr)
      kernels::function_backward(run.threads, function_, run.in[0].value, run.out.grad,
                                 run.in[0].grad);
  }

 private:
  Function function_;
};

Value unary(Value x, Function function) {
  return x.builder->add_node(std::make_shared<Unary>(function), {x});
}

// Of a value of nodes, of its function again, and of a parameter.
Value example(Builder& b, const OpExampleInputs& in, Value (*f)(Value)) {
  Value x = matmul(in.dense_features, f(b.glorot("w", 6, 21)));
  return f(affine(f(x), -1.0, 0.5)) + x;
}

}  // namespace

Value sigmoid(Value x) { return unary(x, Function::kSigmoid); }
Value softplus(Value x) { return unary(x, Function::kSoftplus); }
Value absolute(Value x) { return unary(x, Function::kAbsolute); }
Value cosine(Value x) { return unary(x, Function::kCosine); }

extern const OpExamples op_unary;
const OpExamples op_unary = {
    {"sigmoid", [](Builder& b, const OpExampleInputs& in) { return example(b, in, sigmoid); }},
    {"softplus", [](Builder& b, const OpExampleInputs& in) { return example(b, in, softplus); }},
    {"absolute", [](Builder& b, const OpExampleInputs& in) { return example(b, in, absolute); }},
    {"cosine", [](Builder& b, const OpExampleInputs& in) { return example(b, in, cosine); }},
};

}  // namespace cupel
