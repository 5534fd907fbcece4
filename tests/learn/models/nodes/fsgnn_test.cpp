#include "cupel/learn/score/metrics.h"
#include "learn/models/dense_oracle.h"
#include "learn/models/nodes/directed_task.h"

namespace cupel {
namespace {

using oracle::Dense;

void expect_equations(const std::string& operators) {
  const ClassTask task = directed_task();
  const ModelEntry& entry = *find_model("fsgnn");
  TracedModel model(entry, configure(entry, {{"operators", operators}, {"hops", std::int64_t{2}}}),
                    task.view);
  model.shake(0.2);
  const auto w = [&](const std::string& name) { return oracle::parameter(model, name); };
  Dense a = oracle::adjacency_of(task.view, false), looped = a;
  for (std::size_t i = 0; i < a.size(); ++i) looped[i][i] += 1;  // 2 where there is a loop
  if (operators == "normalised") {
    a = oracle::symmetric(a);
    looped = oracle::symmetric(looped);
  }
  const Dense x = oracle::words_of(task.view);
  const std::vector<Dense> views = {x, oracle::product(a, x), oracle::product(looped, x),
                                    oracle::product(a, oracle::product(a, x)),
                                    oracle::product(looped, oracle::product(looped, x))};
  const Dense attention = w("attention");
  double total = 0;
  for (const double v : attention[0]) total += std::exp(v);
  Dense all;
  for (std::size_t t = 0; t < views.size(); ++t) {
    const std::string number = std::to_string(t);
    Dense u = oracle::sum(oracle::product(views[t], w("w_" + number)), w("b_" + number));
    for (auto& row : u) {
      double squares = 0;
      for (const double v : row) squares += v * v;
      for (double& v : row) v *= std::exp(attention[0][t]) / total / std::sqrt(squares);
    }
    all = t == 0 ? u : oracle::beside(all, u);
  }
  oracle::expect_near(model.evaluate(),
                      oracle::sum(oracle::product(oracle::relu(all), w("w_out")), w("b_out")));
}

TEST(Fsgnn, ComputesItsEquations) { expect_equations("normalised"); }
TEST(Fsgnn, CanTakeTheAdjacencyAsItIs) { expect_equations("raw"); }

TEST(Fsgnn, RanksByTheMarginUnlessToldOtherwise) {
  const ModelEntry& entry = *find_model("fsgnn");
  const auto form = [&](const std::string& metric, const Settings& settings) {
    const auto trained = entry.trainable(configure(entry, settings));
    return form_of_metric(metric, trained->schedule().ranking);
  };
  EXPECT_EQ(form("roc-auc", {}), "roc-auc");
  EXPECT_EQ(form("roc-auc", {{"ranking", "column"}}), "roc-auc-column");
  EXPECT_EQ(form("accuracy", {{"ranking", "column"}}), "accuracy");
}

}  // namespace
}  // namespace cupel
