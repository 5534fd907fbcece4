#include "cupel/learn/graph_kernels/svm.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <mutex>
#include <numeric>
#include <stdexcept>

#include "cupel/base/error.h"

namespace cupel {

SvmRows::SvmRows(const Gram& gram)
    : rows_(gram.graphs),
      width_(static_cast<std::size_t>(gram.graphs) + 1),
      nodes_(static_cast<std::size_t>(gram.graphs) * width_) {
  for (Index i = 0; i < rows_; ++i) {
    svm_node* row = &nodes_[static_cast<std::size_t>(i) * width_];
    row[0] = {0, static_cast<double>(i) + 1};  // where others find their kernel value with i
    for (Index j = 0; j < rows_; ++j) row[1 + j] = {1 + j, gram(i, j)};
  }
}

SvmRows::SvmRows(std::span<const double> values, Index rows, std::span<const Index> columns)
    : rows_(rows), width_(columns.size() + 1), nodes_(static_cast<std::size_t>(rows) * width_) {
  for (Index i = 0; i < rows; ++i) {
    svm_node* row = &nodes_[static_cast<std::size_t>(i) * width_];
    for (std::size_t c = 0; c < columns.size(); ++c)
      row[1 + c] = {static_cast<int>(1 + c), values[i * columns.size() + c]};
  }
  for (std::size_t c = 0; c < columns.size(); ++c)
    nodes_[static_cast<std::size_t>(columns[c]) * width_] = {0, static_cast<double>(c) + 1};
}

SvmRows SvmRows::beside(std::span<const double> values, Index rows, Index columns) {
  SvmRows out;
  out.rows_ = rows;
  out.width_ = static_cast<std::size_t>(columns) + 1;
  out.nodes_.resize(static_cast<std::size_t>(rows) * out.width_);
  for (Index i = 0; i < rows; ++i) {
    svm_node* row = &out.nodes_[static_cast<std::size_t>(i) * out.width_];
    for (Index c = 0; c < columns; ++c)
      row[1 + c] = {1 + c, values[static_cast<std::size_t>(i) * columns + c]};
  }
  return out;
}

SvmRows SvmRows::of_numbers(std::span<const double> numbers) {
  SvmRows out;
  out.rows_ = static_cast<Index>(numbers.size());
  out.width_ = 2;
  for (const double number : numbers) {
    out.nodes_.push_back({1, number});
    out.nodes_.push_back({-1, 0});
  }
  return out;
}

double scaled_gamma(std::span<const double> numbers, Index columns) {
  const auto count = static_cast<double>(numbers.size());
  double mean = 0, squares = 0;
  for (const double x : numbers) mean += x / count;
  for (const double x : numbers) squares += (x - mean) * (x - mean) / count;
  if (!std::isfinite(squares)) fail("support vector machine: features are not finite numbers");
  return squares > 0 ? 1 / (columns * squares) : 1;
}

namespace {

int libsvm_kernel(SvmKernel kernel) {
  switch (kernel) {
    case SvmKernel::kPrecomputed:
      return PRECOMPUTED;
    case SvmKernel::kLinear:
      return LINEAR;
    case SvmKernel::kPoly:
      return POLY;
    case SvmKernel::kRbf:
      return RBF;
    case SvmKernel::kSigmoid:
      return SIGMOID;
  }
  throw std::logic_error("no such kernel");
}

svm_parameter parameters(const SvmRule& rule) {
  svm_parameter out = {};
  out.svm_type = C_SVC;
  out.kernel_type = libsvm_kernel(rule.kernel);
  out.degree = 3;
  out.gamma = rule.gamma;
  out.cache_size = static_cast<double>(kSvmCache >> 20);
  out.eps = 1e-3;
  out.C = rule.c;
  out.shrinking = 1;
  return out;
}

// What LIBSVM says of the steps it made, in the thread that it makes them in: all that it tells of
// whether it came to an end. Of several pairs of classes, all together and the most of one.
thread_local std::int64_t steps = 0, most_steps = 0;

// LIBSVM has no way to be stopped but what it says after every thousand steps: past these limits
// the hearing throws, out of the solver. What the solver had allocated for its examples, 84 bytes
// each, is then lost to the process; its cache of kernel values is freed. Nothing that it reads in
// its loop is ours: numbers are copied, and kernel values once they are in the cache.
thread_local const RunLimits* limits_here = nullptr;

// The limits under which this thread trains while it lives.
class ObeyedLimits {
 public:
  explicit ObeyedLimits(const RunLimits& limits) { limits_here = &limits; }
  ~ObeyedLimits() { limits_here = nullptr; }
  ObeyedLimits(const ObeyedLimits&) = delete;
  ObeyedLimits& operator=(const ObeyedLimits&) = delete;
};

void listen(const char* said) {
  if (limits_here != nullptr) limits_here->check();
  const char* at = std::strstr(said, "#iter = ");
  if (at == nullptr) return;
  const std::int64_t made = std::atoll(at + std::strlen("#iter = "));
  steps += made;
  most_steps = std::max(most_steps, made);
}

// LIBSVM's own limit, on the larger of a pair of classes at least.
constexpr std::int64_t kLimit = 10'000'000;

}  // namespace

void hear_libsvm() {
  static std::once_flag once;
  std::call_once(once, [] { svm_set_print_string_function(listen); });
}

Svm::Svm(const SvmRows& rows, std::span<const Index> examples, std::span<const Index> labels,
         Index classes, const SvmRule& rule, const RunLimits& limits)
    : rows_(rows), classes_(classes) {
  if (examples.empty()) fail("support vector machine: there is no training example");
  // By class, so that LIBSVM, which numbers classes as it meets them, has them ascending.
  std::vector<std::size_t> order(examples.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return labels[a] < labels[b]; });
  for (const std::size_t at : order) {
    examples_.push_back(rows.row(examples[at]));
    targets_.push_back(labels[at]);
    if (seen_.empty() || seen_.back() != labels[at]) seen_.push_back(labels[at]);
  }
  if (seen_.size() == 1) return;
  hear_libsvm();
  svm_problem problem = {};
  problem.l = static_cast<int>(examples_.size());
  problem.y = targets_.data();
  // LIBSVM does not write to its examples, but says so nowhere.
  problem.x = const_cast<svm_node**>(examples_.data());
  const svm_parameter parameter = parameters(rule);
  if (const char* wrong = svm_check_parameter(&problem, &parameter))
    fail("support vector machine: {}", wrong);
  steps = most_steps = 0;
  limits.check();  // few examples may be done before LIBSVM says anything
  {
    const ObeyedLimits obeyed(limits);
    model_.reset(svm_train(&problem, &parameter));
  }
  iterations_ = static_cast<int>(std::min(steps, std::int64_t{std::numeric_limits<int>::max()}));
  if (most_steps >= kLimit)
    fail(
        "support vector machine: no solution after {} steps on {} examples, which happens where "
        "kernel values are large; normalise the kernel, or set C below {}",
        most_steps, examples_.size(), rule.c);
}

void Svm::score(const svm_node* row, std::vector<double>& decisions, std::span<float> out) const {
  std::fill(out.begin(), out.end(), -1.0f);
  if (seen_.size() == 1) {
    out[static_cast<std::size_t>(seen_[0])] = 1;
    return;
  }
  const auto chosen =
      static_cast<std::size_t>(svm_predict_values(model_.get(), row, decisions.data()));
  constexpr float kLeast = std::numeric_limits<float>::denorm_min();
  if (seen_.size() == 2) {
    const auto first = static_cast<std::size_t>(seen_[0]),
               second = static_cast<std::size_t>(seen_[1]);
    const auto half = static_cast<float>(decisions[0] / 2);
    if (classes_ > 2) {  // the others are below both
      std::fill(out.begin(), out.end(), -std::abs(half) - 1);
    }
    out[first] = half;
    out[second] = -half;
    if (half == 0) out[chosen] = kLeast;
    return;
  }
  std::vector<double> votes(seen_.size(), 0), sums(seen_.size(), 0);
  std::size_t at = 0;
  for (std::size_t i = 0; i < seen_.size(); ++i) {
    for (std::size_t j = i + 1; j < seen_.size(); ++j, ++at) {
      ++votes[decisions[at] > 0 ? i : j];
      sums[i] += decisions[at];
      sums[j] -= decisions[at];
    }
  }
  float highest = 0;
  for (std::size_t i = 0; i < seen_.size(); ++i) {
    const auto score = static_cast<float>(votes[i] + sums[i] / (3 * (std::abs(sums[i]) + 1)));
    out[static_cast<std::size_t>(seen_[i])] = score;
    highest = std::max(highest, score);
  }
  // Among classes with as many votes the sums may favour another than LIBSVM's.
  if (std::max_element(out.begin(), out.end()) - out.begin() != static_cast<std::ptrdiff_t>(chosen))
    out[chosen] = std::nextafter(highest, std::numeric_limits<float>::infinity());
}

Matrix Svm::score_all(const SvmRows& rows, std::span<const Index> examples) const {
  Matrix out(static_cast<Index>(examples.size()), classes_);
  std::vector<double> decisions(seen_.size() * (seen_.size() - 1) / 2 + 1);
  for (std::size_t r = 0; r < examples.size(); ++r)
    score(rows.row(examples[r]), decisions,
          {out.row(static_cast<Index>(r)), static_cast<std::size_t>(classes_)});
  return out;
}

Matrix Svm::scores(std::span<const Index> examples) const { return score_all(rows_, examples); }

Matrix Svm::scores(const SvmRows& others) const {
  std::vector<Index> all(static_cast<std::size_t>(others.size()));
  std::iota(all.begin(), all.end(), 0);
  return score_all(others, all);
}

}  // namespace cupel
