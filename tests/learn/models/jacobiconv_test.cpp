#include "learn/models/dense_oracle.h"
#include "learn/models/directed_task.h"

namespace cupel {
namespace {

using oracle::Dense;

// The operator of a directed graph: A + A^T, so that arcs both ways and loops weigh 2, divided by
// the roots of the numbers of neighbours.
Dense summed_directions(const Dense& a) {
  const Dense pattern = oracle::undirected(a);
  Dense out = oracle::sum(a, oracle::transposed(a));
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < a.size(); ++j)
      if (out[i][j] != 0)
        out[i][j] /= std::sqrt(oracle::row_sum(pattern, i) * oracle::row_sum(pattern, j));
  return out;
}

void expect_equations(const NodeTask& task, double a, double b, const Dense& s) {
  const ModelEntry& entry = *find_model("jacobiconv");
  TracedModel model(entry, configure(entry, {{"a", a}, {"b", b}, {"hops", std::int64_t{4}}}),
                    task.view);
  model.shake(0.2);
  const auto w = [&](const char* name) { return oracle::parameter(model, name); };
  const Dense eta = w("eta"), combination = w("combination");
  const auto alpha = [&](int k) { return 2 * std::tanh(eta[k][0]); };
  std::vector<Dense> p = {
      oracle::sum(oracle::product(oracle::words_of(task.view), w("w_1")), w("b_1"))};
  for (int k = 1; k <= 4; ++k) {
    const Dense moved = oracle::product(s, p.back());
    double t1 = (a + b + 2) / 2, t2 = (b - a) / 2, t3 = 0;
    if (k > 1) {
      const double below = 2 * k * (k + a + b), less = 2 * k + a + b - 2;
      t1 = (less + 1) * (less + 2) / below;
      t2 = (less + 1) * (a * a - b * b) / (below * less);
      t3 = alpha(k - 2) * (k - 1 + a) * (k - 1 + b) * (less + 2) / (k * (k + a + b) * less);
    }
    Dense next = oracle::zeros(moved.size(), moved[0].size());
    for (std::size_t i = 0; i < next.size(); ++i)
      for (std::size_t c = 0; c < next[i].size(); ++c)
        next[i][c] = alpha(k - 1) *
                     (t1 * moved[i][c] - t2 * p[k - 1][i][c] - (k > 1 ? t3 * p[k - 2][i][c] : 0.0));
    p.push_back(next);
  }
  Dense out = oracle::zeros(p[0].size(), p[0][0].size());
  for (std::size_t k = 0; k < p.size(); ++k)
    for (std::size_t i = 0; i < out.size(); ++i)
      for (std::size_t c = 0; c < out[i].size(); ++c) out[i][c] += combination[k][c] * p[k][i][c];
  oracle::expect_near(model.evaluate(), out);
}

TEST(JacobiConv, ComputesItsEquations) {
  const NodeTask task = made_task({.nodes = 14, .words = 9}, 5, 4);
  expect_equations(task, 0.5, 0.25, oracle::symmetric(oracle::adjacency_of(task.view, false)));
}

TEST(JacobiConv, SumsTheDirectionsOfArcs) {
  const NodeTask task = directed_task();
  expect_equations(task, 0, 0, summed_directions(oracle::adjacency_of(task.view, false)));
}

}  // namespace
}  // namespace cupel
