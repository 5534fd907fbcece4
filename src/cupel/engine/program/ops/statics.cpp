// Small static matrices: elements, rows on top of each other, transposes, inverses.
#include <cmath>
#include <limits>

#include "cupel/engine/kernels/arithmetic.h"
#include "cupel/engine/program/builder.h"
#include "cupel/engine/program/op.h"
#include "cupel/engine/program/op_example.h"

namespace cupel {
namespace {

bool is_dense_static(const Shape& shape) {
  return shape.layout == Layout::kDense && shape.space == kStaticSpace;
}

class Element final : public Op {
 public:
  Element(Index row, Index col) : row_(row), col_(col) {}
  std::string_view name() const override { return "element"; }
  Shape shape(std::span<const Shape> in) const override {
    require(
        is_dense_static(in[0]) && row_ >= 0 && row_ < in[0].rows && col_ >= 0 && col_ < in[0].cols,
        name(), "wants an element that a static value has");
    return {Layout::kDense, kStaticSpace, 1, 1};
  }
  Reads reads(int) const override { return Reads::kAllRows; }
  void forward(const OpRun& run) const override {
    run.out.value.data[0] = run.in[0].value.row(row_)[col_];
  }
  void backward(const OpRun& run) const override {
    const DenseView& grad = run.in[0].grad;
    if (grad.data == nullptr) return;
    kernels::zero(run.threads, grad);
    grad.row(row_)[col_] = run.out.grad.data[0];
  }

 private:
  Index row_, col_;
};

class StackRows final : public Op {
 public:
  std::string_view name() const override { return "stack-rows"; }
  Shape shape(std::span<const Shape> in) const override {
    Shape out = {Layout::kDense, kStaticSpace, 0, in[0].cols};
    for (const Shape& part : in) {
      require(is_dense_static(part) && part.cols == in[0].cols, name(),
              "wants static values of one width");
      out.rows += part.rows;
    }
    return out;
  }
  Reads reads(int) const override { return Reads::kAllRows; }
  void forward(const OpRun& run) const override {
    Index at = 0;
    for (const Operand& part : run.in)
      kernels::copy_rows(run.threads, part.value, take(run.out.value, part.value, &at));
  }
  void backward(const OpRun& run) const override {
    Index at = 0;
    for (const Operand& part : run.in) {
      const DenseView g = take(run.out.grad, part.value, &at);
      if (part.grad.data != nullptr) kernels::copy_rows(run.threads, g, part.grad);
    }
  }

 private:
  static DenseView take(const DenseView& whole, const DenseView& part, Index* at) {
    const DenseView rows = {whole.row(*at), part.rows, whole.cols, whole.stride};
    *at += part.rows;
    return rows;
  }
};

void copy_transposed(const DenseView& from, const DenseView& to) {
  for (Index i = 0; i < from.rows; ++i)
    for (Index j = 0; j < from.cols; ++j) to.row(j)[i] = from.row(i)[j];
}

class Transposed final : public Op {
 public:
  std::string_view name() const override { return "transposed"; }
  Shape shape(std::span<const Shape> in) const override {
    require(is_dense_static(in[0]), name(), "wants a static value");
    return {Layout::kDense, kStaticSpace, in[0].cols, in[0].rows};
  }
  Reads reads(int) const override { return Reads::kAllRows; }
  void forward(const OpRun& run) const override { copy_transposed(run.in[0].value, run.out.value); }
  void backward(const OpRun& run) const override {
    if (run.in[0].grad.data != nullptr) copy_transposed(run.out.grad, run.in[0].grad);
  }
};

struct InverseState : OpState {
  std::vector<double> inverse, work, product;
};

// By LU with partial pivoting, all right sides at once, in double.
class Inverse final : public Op {
 public:
  std::string_view name() const override { return "inverse"; }
  Shape shape(std::span<const Shape> in) const override {
    require(is_dense_static(in[0]) && in[0].rows == in[0].cols, name(),
            "wants a square static value");
    return in[0];
  }
  Reads reads(int) const override { return Reads::kAllRows; }
  std::unique_ptr<OpState> bind(std::span<const Operand>, const Operand& out) const override {
    auto state = std::make_unique<InverseState>();
    const auto size = static_cast<std::size_t>(out.value.rows) * out.value.cols;
    for (auto* part : {&state->inverse, &state->work, &state->product}) part->resize(size);
    return state;
  }
  std::size_t state_bytes(std::span<const OperandSize>, const OperandSize& out) const override {
    return 3 * sizeof(double) * static_cast<std::size_t>(out.rows) *
           static_cast<std::size_t>(out.cols);
  }
  void forward(const OpRun& run) const override {
    auto& state = run.state<InverseState>();
    const auto n = static_cast<std::size_t>(run.out.value.rows);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) {
        state.work[i * n + j] = run.in[0].value.row(static_cast<Index>(i))[j];
        state.inverse[i * n + j] = i == j ? 1 : 0;
      }
    if (!solve(n, state.work.data(), state.inverse.data()))
      state.inverse.assign(n * n, std::numeric_limits<double>::quiet_NaN());
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j)
        run.out.value.row(static_cast<Index>(i))[j] = static_cast<float>(state.inverse[i * n + j]);
  }
  // d X^-1 = -X^-1 dX X^-1, so the gradient is -X^-T G X^-T.
  void backward(const OpRun& run) const override {
    const DenseView &g = run.out.grad, &grad = run.in[0].grad;
    if (grad.data == nullptr) return;
    auto& state = run.state<InverseState>();
    const auto n = static_cast<std::size_t>(g.rows);
    const double* y = state.inverse.data();
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) {
        double sum = 0;
        for (std::size_t k = 0; k < n; ++k) sum += y[k * n + i] * g.row(static_cast<Index>(k))[j];
        state.product[i * n + j] = sum;
      }
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) {
        double sum = 0;
        for (std::size_t k = 0; k < n; ++k) sum += state.product[i * n + k] * y[j * n + k];
        grad.row(static_cast<Index>(i))[j] = static_cast<float>(-sum);
      }
  }

 private:
  // b becomes a^-1 b; a is used up. False if a pivot is zero or NaN.
  static bool solve(std::size_t n, double* a, double* b) {
    for (std::size_t k = 0; k < n; ++k) {
      std::size_t pivot = k;
      for (std::size_t i = k + 1; i < n; ++i)
        if (std::abs(a[i * n + k]) > std::abs(a[pivot * n + k])) pivot = i;
      if (!(std::abs(a[pivot * n + k]) > 0)) return false;
      for (std::size_t j = 0; j < n && pivot != k; ++j) {
        std::swap(a[k * n + j], a[pivot * n + j]);
        std::swap(b[k * n + j], b[pivot * n + j]);
      }
      for (std::size_t i = k + 1; i < n; ++i) {
        const double by = a[i * n + k] / a[k * n + k];
        for (std::size_t j = k; j < n; ++j) a[i * n + j] -= by * a[k * n + j];
        for (std::size_t j = 0; j < n; ++j) b[i * n + j] -= by * b[k * n + j];
      }
    }
    for (std::size_t k = n; k-- > 0;)
      for (std::size_t j = 0; j < n; ++j) {
        double sum = b[k * n + j];
        for (std::size_t i = k + 1; i < n; ++i) sum -= a[k * n + i] * b[i * n + j];
        b[k * n + j] = sum / a[k * n + k];
      }
    return true;
  }
};

class AddDiagonal final : public Op {
 public:
  explicit AddDiagonal(double by) : by_(static_cast<float>(by)) {}
  std::string_view name() const override { return "add-diagonal"; }
  Shape shape(std::span<const Shape> in) const override {
    require(is_dense_static(in[0]) && in[0].rows == in[0].cols, name(),
            "wants a square static value");
    return in[0];
  }
  Reads reads(int) const override { return Reads::kAllRows; }
  bool in_place() const override { return true; }
  void forward(const OpRun& run) const override {
    const DenseView& out = run.out.value;
    if (out.data != run.in[0].value.data) kernels::copy_rows(run.threads, run.in[0].value, out);
    for (Index i = 0; i < out.rows; ++i) out.row(i)[i] += by_;
  }
  void backward(const OpRun& run) const override {
    const DenseView& grad = run.in[0].grad;
    if (grad.data != nullptr && grad.data != run.out.grad.data)
      kernels::copy_rows(run.threads, run.out.grad, grad);
  }

 private:
  float by_;
};

}  // namespace

Value element(Value x, Index row, Index col) {
  return x.builder->add_node(std::make_shared<Element>(row, col), {x});
}

Value stack_rows(const std::vector<Value>& parts) {
  require(!parts.empty(), "stack-rows", "wants at least one part");
  if (parts.size() == 1) return parts[0];
  return parts[0].builder->add_node(std::make_shared<StackRows>(), parts);
}

Value transposed(Value x) { return x.builder->add_node(std::make_shared<Transposed>(), {x}); }

Value inverse(Value x) { return x.builder->add_node(std::make_shared<Inverse>(), {x}); }

Value add_diagonal(Value x, double by) {
  return x.builder->add_node(std::make_shared<AddDiagonal>(by), {x});
}

extern const OpExamples op_statics;
const OpExamples op_statics = {
    {"elements of a parameter",
     [](Builder& b, const OpExampleInputs& in) {
       Value x = matmul(in.dense_features, b.glorot("w", 6, 5));
       Value c = tanh(b.glorot("c", 2, 3));
       return x * element(c, 1, 2) + propagate(in.adjacency, x) * element(c, 0, 0);
     }},
    {"rows stacked, one part twice",
     [](Builder& b, const OpExampleInputs& in) {
       Value v = b.glorot("v", 2, 5), w = tanh(b.glorot("w", 1, 5));
       return matmul(in.dense_features, stack_rows({v, w, v, w}));
     }},
    {"a parameter and its transpose",
     [](Builder& b, const OpExampleInputs& in) {
       Value w = tanh(b.glorot("w", 6, 4));
       return matmul(matmul(in.dense_features, w), transposed(w));
     }},
    {"inverse of a parameter",
     [](Builder& b, const OpExampleInputs& in) {
       Value w = inverse(add_diagonal(b.glorot("w", 6, 6), 3.0));
       return matmul(in.dense_features, w);
     }},
    // The shape of GloGNN's layers: a static value made of all nodes, inverted.
    {"inverse of inner products of nodes",
     [](Builder& b, const OpExampleInputs& in) {
       Value h = tanh(matmul(in.dense_features, b.glorot("w", 6, 4)));
       Value s = inner_products(h, h);
       Value r = matmul(inverse(add_diagonal(affine(s, 0.5), 2.0)), s);
       Value q = h - affine(matmul(h, r), 0.5);
       return matmul(h, inner_products(h, q)) + propagate(in.adjacency, q);
     }},
};

}  // namespace cupel
