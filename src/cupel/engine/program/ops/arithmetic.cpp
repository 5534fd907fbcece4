// Products, differences, multiples, weighted sums.
#include "cupel/engine/kernels/arithmetic.h"

#include "cupel/engine/program/builder.h"
#include "cupel/engine/program/op.h"
#include "cupel/engine/program/op_example.h"

namespace cupel {
namespace {

// What the right side of a product is.
enum class Factor : std::uint8_t { kElements, kRows, kColumns, kScalar };

class Product final : public Op {
 public:
  explicit Product(Factor factor) : factor_(factor) {}
  std::string_view name() const override { return "product"; }
  Shape shape(std::span<const Shape> in) const override {
    const Shape &a = in[0], &b = in[1];
    require(a.layout == Layout::kDense && b.layout == Layout::kDense, name(), "wants dense values");
    const bool row = b.space == kStaticSpace && b.rows == 1;
    const bool fits = factor_ == Factor::kElements  ? a == b
                      : factor_ == Factor::kRows    ? b.space == a.space && b.rows == a.rows
                      : factor_ == Factor::kColumns ? row && b.cols == a.cols
                                                    : row && b.cols == 1;
    require(fits, name(),
            "the right side must have the left side's shape, or its rows and one column, or be "
            "static, 1 x columns or 1 x 1");
    return a;
  }
  Reads reads(int input) const override {
    const bool by_row = factor_ == Factor::kElements || factor_ == Factor::kRows;
    return input == 0 || by_row ? Reads::kSameRows : Reads::kAllRows;
  }
  bool folds_rows() const override { return true; }
  bool backward_reads_input(int) const override { return true; }
  bool in_place() const override { return true; }
  void forward(const OpRun& run) const override { multiply(run, run.in[0].value, run.out.value); }
  void backward(const OpRun& run) const override {
    const DenseView &a = run.in[0].value, &g = run.out.grad, &grad = run.in[1].grad;
    // The right side first: the left one's gradient may be the output's own memory.
    if (grad.data != nullptr) {
      switch (factor_) {
        case Factor::kElements:
          kernels::multiply(run.threads, g, a, grad);
          break;
        case Factor::kRows:
          kernels::row_dots(run.threads, g, a, grad);
          break;
        case Factor::kColumns:
          kernels::column_dots(run.threads, g, a, grad.data);
          break;
        case Factor::kScalar:
          grad.data[0] = kernels::total_dot(g, a);
          break;
      }
    }
    if (run.in[0].grad.data != nullptr) multiply(run, g, run.in[0].grad);
  }

 private:
  void multiply(const OpRun& run, ConstDenseView a, DenseView out) const {
    const DenseView& b = run.in[1].value;
    switch (factor_) {
      case Factor::kElements:
        return kernels::multiply(run.threads, a, b, out);
      case Factor::kRows:
        return kernels::scale_rows(run.threads, a, b, out);
      case Factor::kColumns:
        return kernels::scale_columns(run.threads, a, b.data, out);
      case Factor::kScalar:
        return kernels::affine(run.threads, a, b.data[0], 0.0f, out);
    }
  }

  Factor factor_;
};

class Difference final : public Op {
 public:
  std::string_view name() const override { return "difference"; }
  Shape shape(std::span<const Shape> in) const override {
    require(in[0] == in[1] && in[0].layout == Layout::kDense, name(),
            "wants two dense values of one shape");
    return in[0];
  }
  Reads reads(int) const override { return Reads::kSameRows; }
  bool folds_rows() const override { return true; }
  bool in_place() const override { return true; }
  void forward(const OpRun& run) const override {
    kernels::subtract(run.threads, run.in[0].value, run.in[1].value, run.out.value);
  }
  void backward(const OpRun& run) const override {
    const DenseView &a = run.in[0].grad, &b = run.in[1].grad;
    if (b.data != nullptr) kernels::affine(run.threads, run.out.grad, -1.0f, 0.0f, b);
    if (a.data != nullptr && a.data != run.out.grad.data)
      kernels::copy_rows(run.threads, run.out.grad, a);
  }
};

class Affine final : public Op {
 public:
  Affine(double factor, double offset)
      : factor_(static_cast<float>(factor)), offset_(static_cast<float>(offset)) {}
  std::string_view name() const override { return "affine"; }
  Shape shape(std::span<const Shape> in) const override {
    require(in[0].layout == Layout::kDense, name(), "wants a dense value");
    return in[0];
  }
  Reads reads(int) const override { return Reads::kSameRows; }
  bool folds_rows() const override { return true; }
  bool in_place() const override { return true; }
  void forward(const OpRun& run) const override {
    kernels::affine(run.threads, run.in[0].value, factor_, offset_, run.out.value);
  }
  void backward(const OpRun& run) const override {
    if (run.in[0].grad.data != nullptr)
      kernels::affine(run.threads, run.out.grad, factor_, 0.0f, run.in[0].grad);
  }

 private:
  float factor_, offset_;
};

struct PartViews : OpState {
  std::vector<ConstDenseView> views;
};

// Inputs: the parts, then the coefficients.
class WeightedSum final : public Op {
 public:
  std::string_view name() const override { return "weighted-sum"; }
  Shape shape(std::span<const Shape> in) const override {
    const Shape& c = in.back();
    for (const Shape& part : in.first(in.size() - 1))
      require(part == in[0] && part.layout == Layout::kDense, name(),
              "wants dense parts of one shape");
    require(in.size() > 1 && c.space == kStaticSpace &&
                c.rows == static_cast<Index>(in.size()) - 1 &&
                (c.cols == 1 || c.cols == in[0].cols),
            name(), "the coefficients must be static, parts x 1 or parts x columns");
    return in[0];
  }
  Reads reads(int) const override { return Reads::kSameRows; }
  bool folds_rows() const override { return true; }
  bool backward_reads_input(int) const override { return true; }
  std::unique_ptr<OpState> bind(std::span<const Operand> in, const Operand&) const override {
    auto state = std::make_unique<PartViews>();
    for (const Operand& part : in.first(in.size() - 1)) state->views.emplace_back(part.value);
    return state;
  }
  void forward(const OpRun& run) const override {
    kernels::weighted_sum(run.threads, run.state<PartViews>().views, run.in.back().value,
                          run.out.value);
  }
  void backward(const OpRun& run) const override {
    const Operand& c = run.in.back();
    const DenseView& g = run.out.grad;
    const bool uniform = c.value.cols == 1;
    for (std::size_t k = 0; k + 1 < run.in.size(); ++k) {
      const Operand& part = run.in[k];
      const float* by = c.value.row(static_cast<Index>(k));
      if (c.grad.data != nullptr) {
        float* to = c.grad.row(static_cast<Index>(k));
        if (uniform)
          to[0] = kernels::total_dot(g, part.value);
        else
          kernels::column_dots(run.threads, g, part.value, to);
      }
      if (part.grad.data == nullptr) continue;
      if (uniform)
        kernels::affine(run.threads, g, by[0], 0.0f, part.grad);
      else
        kernels::scale_columns(run.threads, g, by, part.grad);
    }
  }
};

}  // namespace

Value operator*(Value a, Value b) {
  const auto is_static = [](Value v) { return v.shape().space == kStaticSpace; };
  if (is_static(a) && !is_static(b)) return b * a;
  const Shape &x = a.shape(), &y = b.shape();
  const bool row = is_static(b) && y.rows == 1;
  const Factor factor = x == y                    ? Factor::kElements
                        : row && y.cols == 1      ? Factor::kScalar
                        : row && y.cols == x.cols ? Factor::kColumns
                        : y.cols == 1             ? Factor::kRows
                                                  : Factor::kElements;
  return a.builder->add_node(std::make_shared<Product>(factor), {a, b});
}

Value operator-(Value a, Value b) {
  return a.builder->add_node(std::make_shared<Difference>(), {a, b});
}

Value affine(Value x, double factor, double offset) {
  return x.builder->add_node(std::make_shared<Affine>(factor, offset), {x});
}

Value weighted_sum(const std::vector<Value>& parts, Value coefficients) {
  require(!parts.empty(), "weighted-sum", "wants at least one part");
  std::vector<Value> inputs = parts;
  inputs.push_back(coefficients);
  return coefficients.builder->add_node(std::make_shared<WeightedSum>(), inputs);
}

extern const OpExamples op_arithmetic;
const OpExamples op_arithmetic = {
    {"product of two values, and a square",
     [](Builder& b, const OpExampleInputs& in) {
       Value x = matmul(in.dense_features, b.glorot("x", 6, 11));
       Value y = tanh(matmul(in.dense_features, b.glorot("y", 6, 11)));
       return x * y + y * y;
     }},
    {"product with a factor for each row",
     [](Builder& b, const OpExampleInputs& in) {
       Value x = matmul(in.dense_features, b.glorot("x", 6, 19));
       return x * tanh(matmul(in.dense_features, b.glorot("f", 6, 1)));
     }},
    {"product with a factor for each column, computed",
     [](Builder& b, const OpExampleInputs& in) {
       Value x = propagate(in.adjacency, matmul(in.dense_features, b.glorot("x", 6, 5)));
       return x * tanh(b.glorot("f", 1, 5));
     }},
    {"product with a scalar on either side",
     [](Builder& b, const OpExampleInputs& in) {
       Value x = matmul(in.dense_features, b.glorot("x", 6, 5));
       Value s = b.glorot("s", 1, 1), t = b.glorot("t", 1, 1);
       return (s * t) * (x * (s * s));
     }},
    {"products of static values",
     [](Builder& b, const OpExampleInputs& in) {
       Value w = b.glorot("w", 6, 5) * b.glorot("rows", 6, 1);
       w = w * b.glorot("columns", 1, 5) * b.glorot("elements", 6, 5);
       return matmul(in.dense_features, w);
     }},
    {"difference, and of a value with itself",
     [](Builder& b, const OpExampleInputs& in) {
       Value x = matmul(in.dense_features, b.glorot("x", 6, 5));
       Value y = propagate(in.adjacency, x);
       return (x - y) + (y - y) + (matmul(in.dense_features, b.glorot("v", 6, 5)) - x);
     }},
    {"affine, of values and of parameters",
     [](Builder& b, const OpExampleInputs& in) {
       Value w = affine(b.glorot("w", 6, 5), -0.5, 0.25);
       return affine(matmul(in.dense_features, w), 3.0, 1.0);
     }},
    {"weighted sum, one coefficient for each part",
     [](Builder& b, const OpExampleInputs& in) {
       Value x = matmul(in.dense_features, b.glorot("x", 6, 5));
       Value y = propagate(in.adjacency, x);
       return weighted_sum({x, y, propagate(in.adjacency, y)}, tanh(b.glorot("c", 3, 1)));
     }},
    {"weighted sum, coefficients for each column",
     [](Builder& b, const OpExampleInputs& in) {
       Value x = matmul(in.dense_features, b.glorot("x", 6, 17));
       return weighted_sum({x, propagate(in.adjacency, x), x}, b.glorot("c", 3, 17));
     }},
    {"weighted sum of static values",
     [](Builder& b, const OpExampleInputs& in) {
       Value w = weighted_sum({b.glorot("v", 6, 5), b.glorot("w", 6, 5)}, b.glorot("c", 2, 1));
       return matmul(in.dense_features, w);
     }},
    {"weighted sum of constants",
     [](Builder& b, const OpExampleInputs& in) {
       return weighted_sum({in.dense_features, propagate(in.adjacency, in.dense_features)},
                           b.glorot("c", 2, 6));
     }},
};

}  // namespace cupel
