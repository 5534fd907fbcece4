#include <array>
#include <cmath>
#include <variant>
#include <vector>

#include "cupel/base/error.h"
#include "cupel/learn/links/heuristics/heuristics.h"

namespace cupel {
namespace {

constexpr std::int64_t kPairsEach = 4096;

// Both kinds add products in an order that does not say which of two rows came first.

class DenseRows {
 public:
  explicit DenseRows(const Matrix& x) : x_(x) {}
  Index rows() const { return x_.rows; }
  void take(Index i) { first_ = x_.row(i); }
  double times(Index j) const {
    constexpr int kChains = 8;
    std::array<double, kChains> sums{};
    const float* const second = x_.row(j);
    Index c = 0;
    for (; c + kChains <= x_.cols; c += kChains)
      for (int k = 0; k < kChains; ++k)
        sums[k] += static_cast<double>(first_[c + k]) * static_cast<double>(second[c + k]);
    for (int k = 0; c < x_.cols; ++c, ++k)
      sums[k] += static_cast<double>(first_[c]) * static_cast<double>(second[c]);
    double sum = 0;
    for (const double part : sums) sum += part;
    return sum;
  }

 private:
  const Matrix& x_;
  const float* first_ = nullptr;
};

// The first row is spread out, so that a product costs the entries of the second.
class SparseRows {
 public:
  explicit SparseRows(const Csr& x) : x_(x), spread_(static_cast<std::size_t>(x.cols)) {}
  Index rows() const { return x_.rows; }
  void take(Index i) {
    if (taken_ >= 0)
      for (const Index c : x_.row_columns(taken_)) spread_[c] = 0;
    for (Offset at = x_.row_ptr[i]; at < x_.row_ptr[i + 1]; ++at)
      spread_[x_.columns[at]] = x_.value(at);
    taken_ = i;
  }
  double times(Index j) const {
    const auto columns = x_.row_columns(j);
    const double* const spread = spread_.data();
    double sum = 0;
    if (x_.is_pattern()) {
      for (const Index c : columns) sum += spread[c];
      return sum;
    }
    const float* value = x_.values.data() + x_.row_ptr[j];
    for (const Index c : columns) sum += spread[c] * static_cast<double>(*value++);
    return sum;
  }

 private:
  const Csr& x_;
  std::vector<double> spread_;
  Index taken_ = -1;
};

template <class Rows, class Stored>
class FeatureCosine final : public PairScorer {
 public:
  FeatureCosine(const Stored& x, Threads threads)
      : x_(x), threads_(threads), norms_(static_cast<std::size_t>(x.rows)) {
    Rows rows(x_);
    for (Index i = 0; i < rows.rows(); ++i) {
      rows.take(i);
      norms_[i] = std::sqrt(rows.times(i));
      if (!std::isfinite(norms_[i]))
        fail("features: row {} has a value that is not finite; cosines need numbers", i);
    }
  }

  void score(std::span<const Pair> pairs, std::span<float> scores,
             const RunLimits& limits) override {
    parallel_blocks(threads_, std::ssize(pairs), kPairsEach,
                    [&](std::int64_t begin, std::int64_t end) {
                      limits.check();
                      score_block(pairs, scores, begin, end);
                    });
  }

 private:
  void score_block(std::span<const Pair> pairs, std::span<float> scores, std::int64_t begin,
                   std::int64_t end) const {
    Rows rows(x_);
    Index taken = -1;
    for (auto k = static_cast<std::size_t>(begin); k < static_cast<std::size_t>(end); ++k) {
      const auto [i, j] = pairs[k];
      const double lengths = norms_[i] * norms_[j];
      scores[k] = 0;
      if (lengths == 0) continue;
      if (i != taken) rows.take(taken = i);
      scores[k] = static_cast<float>(rows.times(j) / lengths);
    }
  }

  const Stored& x_;
  const Threads threads_;
  std::vector<double> norms_;
};

}  // namespace

std::unique_ptr<PairScorer> feature_cosine_scorer(const LinkGraph& graph, Threads threads) {
  if (const Csr* sparse = std::get_if<Csr>(&graph.features))
    return std::make_unique<FeatureCosine<SparseRows, Csr>>(*sparse, threads);
  return std::make_unique<FeatureCosine<DenseRows, Matrix>>(std::get<Matrix>(graph.features),
                                                            threads);
}

}  // namespace cupel
