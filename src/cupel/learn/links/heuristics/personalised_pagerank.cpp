// With M = D^-1 A, p_i(j) is entry (i, j) of alpha (I - (1 - alpha) M)^-1: the column of j by
// iteration.
//
// Undirected: d(i) p_i(j) = d(j) p_j(i), so that one column gives both directions, and M, similar
// to a symmetric matrix with eigenvalues in [-1, 1], admits Chebyshev's factors (G. Golub and R.
// Varga, "Chebyshev semi-iterative methods", Numerische Mathematik 1961): a third of the steps.
//
// Directed: plain iteration. A walk that goes back from nodes without arcs is, in shares, one that
// ends there, divided by the length it has on average.
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "cupel/base/error.h"
#include "cupel/learn/links/heuristics/column_solver.h"
#include "cupel/learn/links/heuristics/heuristics.h"

namespace cupel {
namespace {

constexpr double kError = 1e-12;

class PersonalisedPagerank final : public PairScorer {
 public:
  PersonalisedPagerank(const LinkGraph& graph, double alpha, Threads threads)
      : graph_(graph), threads_(threads) {
    if (!(alpha >= 0.01 && alpha <= 1))
      fail("personalised-pagerank: alpha is {}; it must be in [0.01, 1]", alpha);
    const double follow = 1 - alpha;
    iteration_.start = alpha;
    iteration_.scale.resize(static_cast<std::size_t>(graph.arcs.rows));
    for (Index i = 0; i < graph.arcs.rows; ++i) {
      const Offset degree = graph.arcs.row_size(i);
      iteration_.scale[i] = degree == 0 ? 0 : follow / static_cast<double>(degree);
    }
    if (graph.directed) {
      iteration_.steps = static_cast<int>(std::ceil(std::log(kError) / std::log(follow)));
      sum_rows();
      return;
    }
    // The error falls below 1 / T_k(1 / follow), T_k(cosh x) = cosh kx. No step where follow is 0.
    iteration_.steps = static_cast<int>(std::ceil(std::acosh(1 / kError) / std::acosh(1 / follow)));
    double factor = 2;
    for (int k = 0; k < iteration_.steps; ++k) {
      factor = 1 / (1 - follow * follow * factor / 4);
      iteration_.factors.push_back(factor);
    }
  }

  void score(std::span<const Pair> pairs, std::span<float> scores,
             const RunLimits& limits) override {
    const auto finish = [&](double value, Index node, Index of) {
      if (graph_.directed) return value / row_sums_[node];
      const auto own = static_cast<double>(graph_.arcs.row_size(node));
      const auto other = static_cast<double>(graph_.arcs.row_size(of));
      return other == 0 ? 0.0 : std::max(0.0, value) * (1 + own / other);
    };
    score_columns(graph_, iteration_, finish, pairs, scores, threads_, limits);
  }

 private:
  // The same iteration, started everywhere.
  void sum_rows() {
    row_sums_.assign(iteration_.scale.size(), iteration_.start);
    std::vector<double> next(row_sums_.size());
    for (int k = 0; k < iteration_.steps; ++k) {
      for (Index i = 0; i < graph_.arcs.rows; ++i) {
        double sum = 0;
        for (const Index j : graph_.arcs.row_columns(i)) sum += row_sums_[j];
        next[i] = iteration_.start + iteration_.scale[i] * sum;
      }
      row_sums_.swap(next);
    }
  }

  const LinkGraph graph_;
  const Threads threads_;
  ColumnIteration iteration_;
  std::vector<double> row_sums_;  // directed: what a walk that ends has left at any node
};

}  // namespace

std::unique_ptr<PairScorer> personalised_pagerank_scorer(const LinkGraph& graph, double alpha,
                                                         Threads threads) {
  return std::make_unique<PersonalisedPagerank>(graph, alpha, threads);
}

}  // namespace cupel
