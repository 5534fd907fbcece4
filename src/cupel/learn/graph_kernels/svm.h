// Support vector classification with LIBSVM (Chang and Lin, 2011): C-SVC, one against one,
// tolerance 1e-3, as scikit-learn's SVC with its default settings.
#pragma once

#include <libsvm/svm.h>

#include <memory>
#include <span>
#include <vector>

#include "cupel/base/limits.h"
#include "cupel/base/matrix.h"
#include "cupel/learn/graph_kernels/gram.h"

namespace cupel {

// Examples in LIBSVM's own layout, 16 bytes an entry, made once and shared by all machines that
// are trained on some of them. Immutable.
class SvmRows {
 public:
  // Kernel values of example i with example j, for all.
  explicit SvmRows(const Gram& gram);
  // Kernel values of examples with some of them, the columns: values(i, c) of example i and example
  // columns[c]. Only columns can be trained on. `values` is row-major.
  SvmRows(std::span<const double> values, Index rows, std::span<const Index> columns);
  // The same of examples that are none of the columns: none of them can be trained on. For
  // Svm::scores() of other rows than it was trained on.
  [[nodiscard]] static SvmRows beside(std::span<const double> values, Index rows, Index columns);
  // One number for each example.
  [[nodiscard]] static SvmRows of_numbers(std::span<const double> numbers);

  Index size() const { return rows_; }
  const svm_node* row(Index i) const {
    return nodes_.data() + static_cast<std::size_t>(i) * width_;
  }
  // Of a kernel matrix: that of example i with the one of column c.
  double value(Index i, Index c) const { return row(i)[1 + c].value; }

 private:
  SvmRows() = default;
  Index rows_ = 0;
  std::size_t width_ = 0;
  AlignedVector<svm_node> nodes_;
};

// Bytes of kernel values that a machine keeps while it is trained, at most.
inline constexpr std::size_t kSvmCache = std::size_t{200} << 20;

enum class SvmKernel { kPrecomputed, kLinear, kPoly, kRbf, kSigmoid };  // poly: degree 3

struct SvmRule {
  SvmKernel kernel = SvmKernel::kPrecomputed;
  double c = 1;      // weight of errors
  double gamma = 1;  // of poly, rbf and sigmoid
};

// 1 / (columns var), over all numbers of a matrix of features: scikit-learn's gamma = "scale"; 1
// where they are all alike. Throws Error for numbers that are not finite.
[[nodiscard]] double scaled_gamma(std::span<const double> numbers, Index columns);

// From now on what LIBSVM says of its steps comes to us, not to standard output. Whoever trains
// with it calls this before; any number of times, from any thread.
void hear_libsvm();

// A trained machine. Keeps no reference to the labels; the rows must live as long as it does.
class Svm {
 public:
  // Trains on rows `examples` with `labels` in [0, classes). Throws Error if there are none, or if
  // LIBSVM gives up (after ten million steps, or a hundred for each example), which kernels of
  // values as large as millions bring about; LIBSVM then says so on standard error too. Throws
  // Interrupted or TimedOut within a thousand steps of the solver.
  Svm(const SvmRows& rows, std::span<const Index> examples, std::span<const Index> labels,
      Index classes, const SvmRule& rule, const RunLimits& limits = {});

  // examples x classes. The largest score of a row is at the class that LIBSVM predicts, with its
  // ties: most votes, then the lowest class, then, with two classes, class 1 on the plane.
  //   two classes in training: half the signed decision value, and its negative
  //   more: votes + s / (3 (|s| + 1)), s the sum of decision values for the class (scikit-learn)
  //   classes without a training example: below all others
  [[nodiscard]] Matrix scores(std::span<const Index> examples) const;
  // Of every row of `others`, whose columns are those of the rows it was trained on.
  [[nodiscard]] Matrix scores(const SvmRows& others) const;

  // Steps of the solver, of all pairs of classes together.
  int iterations() const { return iterations_; }

 private:
  struct FreeModel {
    void operator()(svm_model* model) const { svm_free_and_destroy_model(&model); }
  };
  Matrix score_all(const SvmRows& rows, std::span<const Index> examples) const;
  void score(const svm_node* row, std::vector<double>& decisions, std::span<float> out) const;

  const SvmRows& rows_;
  Index classes_;
  std::vector<Index> seen_;  // classes with a training example, ascending
  std::vector<const svm_node*> examples_;
  std::vector<double> targets_;
  int iterations_ = 0;
  std::unique_ptr<svm_model, FreeModel> model_;  // none with one class
};

}  // namespace cupel
