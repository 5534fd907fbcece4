#include "cupel/data/graph/graph.h"
#include "error_of.h"
#include "learn/models/dense_oracle.h"
#include "learn/models/nodes/directed_task.h"

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

void expect_equations(const ClassTask& task, double a, double b, const Dense& s,
                      const std::string& recurrence = "released") {
  const ModelEntry& entry = *find_model("jacobiconv");
  TracedModel model(
      entry,
      configure(entry, {{"a", a}, {"b", b}, {"hops", std::int64_t{4}}, {"recurrence", recurrence}}),
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
      if (recurrence == "textbook") t2 = -t2;
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

// At a = b = -1 the second polynomial's coefficients are quotients by 0; the first has none.
TEST(JacobiConv, RefusesParametersWithoutCoefficients) {
  const ModelEntry& entry = *find_model("jacobiconv");
  const auto refused = [&](double a, double b, std::int64_t hops) {
    return error_of([&] {
      (void)entry.trainable(configure(entry, {{"a", a}, {"b", b}, {"hops", hops}}));
    });
  };
  EXPECT_EQ(refused(-1, -1, 2),
            "jacobiconv: a + b = -2 is not above -2; from hops = 2 on its coefficients divide by a "
            "+ b + 2");
  EXPECT_EQ(refused(-1, -1, 1), "no error");
  EXPECT_EQ(refused(-1, -0.5, 10), "no error");
}

TEST(JacobiConv, ComputesItsEquations) {
  const ClassTask task = made_task({.nodes = 14, .words = 9}, 5, 4);
  expect_equations(task, 0.5, 0.25, oracle::symmetric(oracle::adjacency_of(task.view, false)));
}

TEST(JacobiConv, HasTheRecurrenceOfTextbooksToo) {
  const ClassTask task = made_task({.nodes = 14, .words = 9}, 5, 4);
  expect_equations(task, 0.5, 0.25, oracle::symmetric(oracle::adjacency_of(task.view, false)),
                   "textbook");
}

// P_2 of a = 1, b = 0 is -1/2 + z + 5/2 z^2, by the explicit sum of the polynomials' definition.
// The operator of single edges is its own inverse, so that P_2 of it is 2 + S. With alpha = 1 and
// coefficients (0, 0, 1) the logits are that, applied to P_0.
TEST(JacobiConv, OfTextbooksIsAJacobiPolynomial) {
  Dataset data = made_dataset({.nodes = 6, .words = 9});
  data.adjacency = symmetrise(from_edges(6, std::vector<Edge>{{0, 1}, {2, 3}, {4, 5}}));
  const Split split = leading_split(data, 2, 2);
  const ClassTask task = task_of(std::move(data), split);
  const ModelEntry& entry = *find_model("jacobiconv");
  const Settings settings = {
      {"a", 1.0}, {"b", 0.0}, {"hops", std::int64_t{2}}, {"recurrence", std::string("textbook")}};
  TracedModel model(entry, configure(entry, settings), task.view);
  model.shake(0.3);
  for (Index k = 0; k < 3; ++k) {
    *model.view("eta").row(k) = std::atanh(0.5f);  // alpha = 2 tanh(eta) = 1
    std::fill_n(model.view("combination").row(k), 3, k == 2 ? 1.0f : 0.0f);
  }
  const Dense p0 =
      oracle::sum(oracle::product(oracle::words_of(task.view), oracle::parameter(model, "w_1")),
                  oracle::parameter(model, "b_1"));
  oracle::expect_near(model.evaluate(),
                      oracle::sum(oracle::each(p0, [](double v) { return 2 * v; }),
                                  oracle::product(oracle::adjacency_of(task.view, false), p0)));
}

TEST(JacobiConv, SumsTheDirectionsOfArcs) {
  const ClassTask task = directed_task();
  expect_equations(task, 0, 0, summed_directions(oracle::adjacency_of(task.view, false)));
}

}  // namespace
}  // namespace cupel
