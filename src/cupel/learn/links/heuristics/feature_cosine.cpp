#include <algorithm>
#include <cmath>
#include <variant>
#include <vector>

#include "cupel/base/error.h"
#include "cupel/learn/links/heuristics/heuristics.h"
#include "cupel/learn/links/heuristics/pair_groups.h"

namespace cupel {
namespace {

constexpr std::int64_t kPairsEach = 4096;

// The sum of term(0), ..., term(count - 1): several sums at once, as each waits for its last one.
template <class Term>
double in_chains(Offset count, Term term) {
  double a = 0, b = 0, c = 0, d = 0;
  Offset at = 0;
  for (; at + 4 <= count; at += 4) {
    a += term(at);
    b += term(at + 1);
    c += term(at + 2);
    d += term(at + 3);
  }
  for (; at < count; ++at) a += term(at);
  return (a + b) + (c + d);
}

class DenseRows {
 public:
  explicit DenseRows(const Matrix& x) : x_(x) {}
  Index rows() const { return x_.rows; }
  void take(Index i) { first_ = x_.row(i); }
  double times(Index j) const {
    const float *const first = first_, *const second = x_.row(j);
    return in_chains(x_.cols, [=](Offset at) {
      return static_cast<double>(first[at]) * static_cast<double>(second[at]);
    });
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
    double* const spread = spread_.data();
    if (taken_ >= 0)
      for (const Index c : x_.row_columns(taken_)) spread[c] = 0;
    const float* value = x_.is_pattern() ? nullptr : x_.values.data() + x_.row_ptr[i];
    for (const Index c : x_.row_columns(i)) spread[c] = value == nullptr ? 1.0 : *value++;
    taken_ = i;
  }
  double times(Index j) const {
    const Index* const column = x_.columns.data() + x_.row_ptr[j];
    const float* const value = x_.is_pattern() ? nullptr : x_.values.data() + x_.row_ptr[j];
    const double* const spread = spread_.data();
    return in_chains(x_.row_size(j), [=](Offset at) {
      return value == nullptr ? spread[column[at]]
                              : spread[column[at]] * static_cast<double>(value[at]);
    });
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
    // Put together, pairs in no order share their first row too, which is spread out once.
    const PairGroups groups = group_pairs(pairs, GroupBy::kSmaller, x_.rows);
    parallel_blocks(threads_, std::ssize(pairs), kPairsEach,
                    [&](std::int64_t begin, std::int64_t end) {
                      limits.check();
                      const auto from = static_cast<std::size_t>(begin);
                      const auto count = static_cast<std::size_t>(end - begin);
                      score_block(std::span(groups.places).subspan(from, count), pairs, scores);
                    });
  }

 private:
  void score_block(std::span<const std::size_t> places, std::span<const Pair> pairs,
                   std::span<float> scores) const {
    Rows rows(x_);
    Index taken = -1;
    for (const std::size_t place : places) {
      // In an order of their own, since sums depend on which row comes first.
      const auto [i, j] = std::minmax(pairs[place].source, pairs[place].target);
      const double lengths = norms_[i] * norms_[j];
      scores[place] = 0;
      if (lengths == 0) continue;
      if (i != taken) rows.take(taken = i);
      scores[place] = static_cast<float>(rows.times(j) / lengths);
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
