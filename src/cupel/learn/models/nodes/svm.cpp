// Support vector machine with a radial kernel on a node's own features: a baseline that sees no
// graph. Chang and Lin, "LIBSVM: a library for support vector machines", ACM TIST 2011, section 2.
#include "cupel/learn/graph_kernels/svm.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "cupel/base/error.h"
#include "cupel/learn/graph_kernels/kernel_svm.h"

namespace cupel {
namespace {

constexpr Index kBlock = 256;  // nodes that are scored together

// 0: "scale".
double read_gamma(const std::string& text) {
  if (text == "scale") return 0;
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, problem] = std::from_chars(text.data(), end, value);
  if (problem != std::errc() || stop != end || !(value > 0) || !std::isfinite(value))
    fail("svm: gamma = \"{}\" is no positive number; write one, or \"scale\"", text);
  return value;
}

// Numbers of one node that are not left out as zero: visit(column, value), columns ascending.
template <class Visit>
void visit_row(const Features& features, Index node, Visit visit) {
  if (const auto* sparse = std::get_if<Csr>(&features)) {
    for (Offset e = sparse->row_ptr[node]; e < sparse->row_ptr[node + 1]; ++e)
      visit(sparse->columns[e], double{sparse->value(e)});
    return;
  }
  const Matrix& dense = std::get<Matrix>(features);
  for (Index k = 0; k < dense.cols; ++k) visit(k, double{dense(node, k)});
}

// exp(-gamma |x - y|^2) of nodes with those that are trained on. Inner products are chains over the
// columns, so that the kernel of a node with itself is 1.
class RadialKernel {
 public:
  RadialKernel(const Features& features, const std::vector<Index>& fitted, double gamma)
      : features_(features),
        fitted_(fitted.size()),
        turned_(fitted_ * static_cast<std::size_t>(feature_count(features))) {
    for (std::size_t c = 0; c < fitted_; ++c) {
      double square = 0;
      visit_row(features, fitted[c], [&](Index k, double x) {
        turned_[static_cast<std::size_t>(k) * fitted_ + c] = x;
        square += x * x;
      });
      if (!std::isfinite(square)) fail("svm: features are not finite numbers");
      squares_.push_back(square);
    }
    gamma_ = gamma > 0 ? gamma : scaled_gamma(turned_, feature_count(features));
  }

  // nodes x fitted.
  std::vector<double> values(std::span<const Index> nodes, const RunLimits& limits) const {
    std::vector<double> out(nodes.size() * fitted_);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      if (i % 64 == 0) limits.check();
      double* row = out.data() + i * fitted_;
      double square = 0;
      visit_row(features_, nodes[i], [&](Index k, double x) {
        const double* column = turned_.data() + static_cast<std::size_t>(k) * fitted_;
        for (std::size_t c = 0; c < fitted_; ++c) row[c] += x * column[c];
        square += x * x;
      });
      for (std::size_t c = 0; c < fitted_; ++c)
        row[c] = std::exp(-gamma_ * std::max(0.0, square + squares_[c] - 2 * row[c]));
    }
    return out;
  }

 private:
  const Features& features_;
  std::size_t fitted_;
  std::vector<double> turned_;  // columns x fitted
  std::vector<double> squares_;
  double gamma_ = 0;
};

class FeatureSvm final : public DirectModel {
 public:
  explicit FeatureSvm(const Options& o)
      : c_(o.real("C")), gamma_(read_gamma(o.text("gamma"))), fit_on_(o.text("fit_on")) {}

  Result fit_predict(const TaskView& view, const RunLimits& limits) const override {
    const FitPart fit(view, fit_on_);
    const RadialKernel kernel(view.features(), fit.examples, gamma_);
    std::vector<Index> places(fit.examples.size());
    std::iota(places.begin(), places.end(), 0);
    const auto columns = static_cast<Index>(places.size());
    const SvmRows rows(kernel.values(fit.examples, limits), columns, places);
    const Svm machine(rows, places, fit.labels, view.classes(), {.c = c_}, limits);
    const auto scores = [&](const std::vector<Index>& nodes) {
      Matrix out(static_cast<Index>(nodes.size()), view.classes());
      for (std::size_t first = 0; first < nodes.size(); first += kBlock) {
        const auto block =
            std::span(nodes).subspan(first, std::min<std::size_t>(kBlock, nodes.size() - first));
        const Matrix part = machine.scores(SvmRows::beside(
            kernel.values(block, limits), static_cast<Index>(block.size()), columns));
        std::ranges::copy(part.values, out.row(static_cast<Index>(first)));
      }
      return out;
    };
    return {scores(view.valid), scores(view.test), machine.iterations()};
  }

  std::size_t memory_bytes(const TaskView& view) const override {
    const std::size_t fitted =
        view.train.size() + (fit_on_ == "train" ? std::size_t{0} : view.valid.size());
    const auto columns = static_cast<std::size_t>(feature_count(view.features()));
    // Turned features, the kernel, LIBSVM's copy of it and its cache, a block of each.
    return 8 * fitted * columns + (8 + sizeof(svm_node)) * (fitted + 1) * (fitted + kBlock) +
           std::min(kSvmCache, fitted * fitted * sizeof(float));
  }

 private:
  double c_, gamma_;
  std::string fit_on_;
};

}  // namespace

extern const ModelEntry model_svm;
const ModelEntry model_svm = {
    .name = "svm",
    .title = "Support vector machine",
    .citation = "Chang and Lin, LIBSVM: a library for support vector machines, ACM TIST 2011",
    .equations =
        {"k(x, y) = exp(-gamma |x - y|^2); gamma = scale: 1 / (features var), the variance "
         "of all numbers of the nodes that are trained on",
         kSvmEquation},
    .disagreements = {},
    .options = {svm_c_option(),
                {.name = "gamma",
                 .fallback = std::string("scale"),
                 .doc = "Of the kernel: a positive number, or scale, as scikit-learn has it."},
                fit_on_option()},
    .direct = make_direct<FeatureSvm>,
};

}  // namespace cupel
