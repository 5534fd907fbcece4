#include "learn/models/dense_oracle.h"
#include "learn/models/nodes/directed_task.h"

namespace cupel {
namespace {

using oracle::Dense;

// Pairs exactly two arcs apart, by the definition.
Dense two_apart(const Dense& one) {
  Dense looped = one;
  for (std::size_t i = 0; i < one.size(); ++i) looped[i][i] = 1;
  const Dense squared = oracle::product(looped, looped);
  return oracle::each_of(squared, looped,
                         [](double s, double l) { return s > 0 && l == 0 ? 1.0 : 0.0; });
}

void expect_equations(const ClassTask& task, const std::string& node_order,
                      const Dense& adjacency) {
  const ModelEntry& entry = *find_model("h2gcn");
  TracedModel model(entry, configure(entry, {{"node_order", node_order}}), task.view);
  model.shake(0.2);
  const auto w = [&](const char* name) { return oracle::parameter(model, name); };
  const Dense one = oracle::without_diagonal(adjacency);
  const Dense s1 = oracle::symmetric(one), s2 = oracle::symmetric(two_apart(one));
  const auto r0 =
      oracle::relu(oracle::product(oracle::mean_over_rows(oracle::words_of(task.view)), w("w0")));
  const auto round = [&](const Dense& r) {
    return oracle::beside(oracle::product(s1, r), oracle::product(s2, r));
  };
  const auto r1 = round(r0), r2 = round(r1);
  oracle::expect_near(model.evaluate(),
                      oracle::product(oracle::beside(oracle::beside(r0, r1), r2), w("w1")));
}

TEST(H2gcn, ComputesItsEquations) {
  const ClassTask task = directed_task();
  expect_equations(task, "file", oracle::adjacency_of(task.view, false));
}

TEST(H2gcn, CanNumberNodesByFirstAppearance) {
  const ClassTask task = directed_task();
  expect_equations(task, "first-appearance",
                   oracle::by_first_appearance(oracle::adjacency_of(task.view, false), false));
}

TEST(H2gcn, OfUndirectedGraphsEachEdgeIsSeenOnce) {
  const ClassTask task = made_task({.nodes = 14, .words = 9}, 5, 4);
  expect_equations(task, "first-appearance",
                   oracle::by_first_appearance(oracle::adjacency_of(task.view, false), true));
}

}  // namespace
}  // namespace cupel
