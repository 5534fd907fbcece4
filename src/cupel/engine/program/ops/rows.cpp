// Functions of whole rows: softmax, division by the norm, some of the columns.
#include "cupel/engine/kernels/rows.h"

#include "cupel/engine/kernels/arithmetic.h"
#include "cupel/engine/program/builder.h"
#include "cupel/engine/program/op.h"
#include "cupel/engine/program/op_example.h"

namespace cupel {
namespace {

class SoftmaxRows final : public Op {
 public:
  std::string_view name() const override { return "softmax-rows"; }
  Shape shape(std::span<const Shape> in) const override {
    require(in[0].layout == Layout::kDense && in[0].cols > 0, name(),
            "wants a dense value with columns");
    return in[0];
  }
  Reads reads(int) const override { return Reads::kSameRows; }
  bool folds_rows() const override { return true; }
  bool backward_reads_output() const override { return true; }
  bool in_place() const override { return true; }
  void forward(const OpRun& run) const override {
    kernels::softmax_rows(run.threads, run.in[0].value, run.out.value);
  }
  void backward(const OpRun& run) const override {
    if (run.in[0].grad.data != nullptr)
      kernels::softmax_rows_backward(run.threads, run.out.value, run.out.grad, run.in[0].grad);
  }
};

struct Norms : OpState {
  AlignedVector<float> norms;
};

class NormaliseRows final : public Op {
 public:
  explicit NormaliseRows(double epsilon, bool nan_at_zero = false)
      : epsilon_(static_cast<float>(epsilon)), nan_at_zero_(nan_at_zero) {}
  std::string_view name() const override { return "normalise-rows"; }
  Shape shape(std::span<const Shape> in) const override {
    require(in[0].layout == Layout::kDense, name(), "wants a dense value");
    require(epsilon_ > 0, name(), "epsilon must be above 0");
    return in[0];
  }
  Reads reads(int) const override { return Reads::kSameRows; }
  bool folds_rows() const override { return true; }
  bool backward_reads_output() const override { return true; }
  bool in_place() const override { return true; }
  std::unique_ptr<OpState> bind(std::span<const Operand>, const Operand& out) const override {
    auto state = std::make_unique<Norms>();
    state->norms.resize(static_cast<std::size_t>(out.value.rows));
    return state;
  }
  std::size_t state_bytes(std::span<const OperandSize>, const OperandSize& out) const override {
    return static_cast<std::size_t>(out.rows) * sizeof(float);
  }
  void forward(const OpRun& run) const override {
    kernels::normalise_rows(run.threads, epsilon_, run.in[0].value, run.out.value,
                            run.state<Norms>().norms.data());
  }
  void backward(const OpRun& run) const override {
    if (run.in[0].grad.data != nullptr)
      kernels::normalise_rows_backward(run.threads, epsilon_, run.out.value,
                                       run.state<Norms>().norms.data(), run.out.grad,
                                       run.in[0].grad, nan_at_zero_);
  }

 private:
  float epsilon_;
  bool nan_at_zero_;
};

class Columns final : public Op {
 public:
  Columns(Index first, Index count) : first_(first), count_(count) {}
  std::string_view name() const override { return "columns"; }
  Shape shape(std::span<const Shape> in) const override {
    require(in[0].layout == Layout::kDense && first_ >= 0 && count_ > 0 &&
                count_ <= in[0].cols - first_,
            name(), "wants columns that a dense value has");
    Shape out = in[0];
    out.cols = count_;
    return out;
  }
  Reads reads(int) const override { return Reads::kSameRows; }
  bool folds_rows() const override { return true; }
  void forward(const OpRun& run) const override {
    kernels::copy_rows(run.threads, part(run.in[0].value), run.out.value);
  }
  void backward(const OpRun& run) const override {
    const DenseView& grad = run.in[0].grad;
    if (grad.data == nullptr) return;
    kernels::zero(run.threads, grad);
    kernels::copy_rows(run.threads, run.out.grad, part(grad));
  }

 private:
  DenseView part(const DenseView& all) const {
    return {all.data + first_, all.rows, count_, all.stride};
  }
  Index first_, count_;
};

}  // namespace

Value softmax_rows(Value x) { return x.builder->add_node(std::make_shared<SoftmaxRows>(), {x}); }

Value normalise_rows(Value x, double epsilon) {
  return x.builder->add_node(std::make_shared<NormaliseRows>(epsilon), {x});
}

// Not what "normalise" means elsewhere, but what GraphSAGE's released code does.
Value clip_row_norms(Value x, bool nan_at_zero) {
  return x.builder->add_node(std::make_shared<NormaliseRows>(1, nan_at_zero), {x});
}

Value columns(Value x, Index first, Index count) {
  return x.builder->add_node(std::make_shared<Columns>(first, count), {x});
}

extern const OpExamples op_rows;
const OpExamples op_rows = {
    {"softmax of rows and of a parameter",
     [](Builder& b, const OpExampleInputs& in) {
       Value w = matmul(in.dense_features, softmax_rows(b.glorot("w", 6, 11)));
       return softmax_rows(w) * w;
     }},
    {"normalised rows and parameters",
     [](Builder& b, const OpExampleInputs& in) {
       Value w = normalise_rows(b.glorot("w", 6, 11), 1e-12);
       return normalise_rows(matmul(in.dense_features, w), 1e-12);
     }},
    {"rows shorter than epsilon",
     [](Builder& b, const OpExampleInputs& in) {
       return normalise_rows(matmul(in.dense_features, b.glorot("w", 6, 3)), 1.5);
     }},
    {"some rows longer than 1, some shorter",
     [](Builder& b, const OpExampleInputs& in) {
       return clip_row_norms(matmul(in.dense_features, b.glorot("w", 6, 3)), false);
     }},
    {"columns, read twice, and of a parameter",
     [](Builder& b, const OpExampleInputs& in) {
       Value x = matmul(in.dense_features, columns(b.glorot("w", 6, 12), 2, 9));
       return columns(x, 0, 4) * columns(x, 3, 4) + columns(x, 5, 4);
     }},
};

}  // namespace cupel
