#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "cupel/base/error.h"
#include "cupel/learn/links/heuristics/column_solver.h"
#include "cupel/learn/links/heuristics/heuristics.h"

namespace cupel {
namespace {

constexpr int kMostSteps = 2000;
constexpr double kRest = 1e-46;  // rounds to 0 in float32
constexpr double kLargest = std::numeric_limits<float>::max();

// `r` as below. It grows by the largest eigenvalue of beta A, in the end; every second step, where
// the graph is bipartite.
[[noreturn]] void refuse(const KatzSettings& settings, const std::vector<double>& r) {
  if (settings.length > 0)
    fail("katz: with beta {}, walks of up to {} arcs weigh more than a float32 holds; lower one",
         settings.beta, settings.length);
  const std::size_t k = r.size() - 1;
  const double growth = k < 2 ? r[k] : std::sqrt(r[k] / r[k - 2]);
  fail(
      "katz: beta is {}, and the sum over all walks needs one clearly below {:.3g}, which is 1 "
      "over "
      "the largest eigenvalue of the adjacency; lower beta, or give the longest walk as length",
      settings.beta, settings.beta / growth);
}

// How many products make the sum. Entries of (beta A)^k are at most its largest row sum, r_k, and
// r_{k+m} <= r_k r_m. Where r_m <= 1/2, what follows the k-th term is therefore at most
// (r_{k+1} + ... + r_{k+m}) / (1 - r_m).
int steps_needed(const Csr& arcs, const KatzSettings& settings) {
  std::vector<double> walks(static_cast<std::size_t>(arcs.rows), 1), next(walks.size());
  std::vector<double> r = {1};
  double sum = 0;
  std::size_t m = 0;
  const auto most = static_cast<std::size_t>(settings.length > 0 ? settings.length : kMostSteps);
  while (r.size() <= most) {
    for (Index i = 0; i < arcs.rows; ++i) {
      double of_node = 0;
      for (const Index j : arcs.row_columns(i)) of_node += walks[j];
      next[i] = settings.beta * of_node;
    }
    walks.swap(next);
    r.push_back(walks.empty() ? 0 : *std::ranges::max_element(walks));
    sum += r.back();
    if (!(sum <= kLargest)) refuse(settings, r);
    if (settings.length > 0) continue;
    if (m == 0 && r.back() <= 0.5) m = r.size() - 1;
    if (m == 0) continue;
    const double window = std::accumulate(r.end() - static_cast<std::ptrdiff_t>(m), r.end(), 0.0);
    if (window / (1 - r[m]) <= kRest) return static_cast<int>(r.size() - 1 - m);
  }
  if (settings.length == 0) refuse(settings, r);
  return settings.length;
}

class Katz final : public PairScorer {
 public:
  Katz(const LinkGraph& graph, const KatzSettings& settings, Threads threads)
      : graph_(graph), threads_(threads) {
    if (!(settings.beta > 0) || !std::isfinite(settings.beta))
      fail("katz: beta is {}; it must be above 0", settings.beta);
    if (settings.length < 0 || settings.length > kMostSteps)
      fail("katz: length is {}; it must be 0, for walks of any length, or at most {}",
           settings.length, kMostSteps);
    iteration_.scale.assign(static_cast<std::size_t>(graph.arcs.rows), settings.beta);
    iteration_.steps = steps_needed(graph.arcs, settings);
  }

  void score(std::span<const Pair> pairs, std::span<float> scores,
             const RunLimits& limits) override {
    // The empty walk is no walk.
    const auto finish = [](double value, Index node, Index of) {
      return node == of ? value - 1 : value;
    };
    score_columns(graph_, iteration_, finish, pairs, scores, threads_, limits);
  }

 private:
  const LinkGraph graph_;
  const Threads threads_;
  ColumnIteration iteration_;  // Horner's rule
};

}  // namespace

std::unique_ptr<PairScorer> katz_scorer(const LinkGraph& graph, const KatzSettings& settings,
                                        Threads threads) {
  return std::make_unique<Katz>(graph, settings, threads);
}

}  // namespace cupel
