#include <algorithm>

#include "cupel/learn/train/trainer.h"
#include "learn/models/dense_oracle.h"

namespace cupel {
namespace {

using oracle::Dense;

Dense clipped(Dense x) {
  for (oracle::Row& row : x) {
    double squares = 0;
    for (const double v : row) squares += v * v;
    for (double& v : row) v /= std::max(1.0, std::sqrt(squares));
  }
  return x;
}

Dense neighbour_max(const Dense& a, const Dense& h, bool padded) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, oracle::row_sum(a, i));
  Dense out = oracle::zeros(h.size(), h[0].size());
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t c = 0; c < h[0].size(); ++c) {
      double max = -1e300;
      for (std::size_t j = 0; j < a.size(); ++j)
        if (a[i][j] != 0) max = std::max(max, h[j][c]);
      if (padded && oracle::row_sum(a, i) < largest) max = std::max(max, h[0][c]);
      out[i][c] = max;
    }
  return out;
}

// The logits of the given model by its equations.
Dense expected(TracedModel& model, const std::string& name, const TaskView& task, bool padded) {
  const Dense a = oracle::adjacency_of(task, true);
  const auto layer = [&](const Dense& x, const std::string& number) {
    const auto w = [&](const char* part) { return oracle::parameter(model, part + number); };
    Dense agg;
    if (name == "gs-mean") {
      agg = oracle::product(oracle::mean_over_rows(a), oracle::product(x, w("agg")));
    } else {
      const Dense pooled = oracle::relu(oracle::product(x, w("pool")));
      agg =
          oracle::product(name == "gs-meanpool" ? oracle::product(oracle::mean_over_rows(a), pooled)
                                                : neighbour_max(a, pooled, padded),
                          w("agg"));
    }
    return clipped(oracle::sum(oracle::sum(agg, oracle::product(x, w("skip"))), w("b")));
  };
  return layer(oracle::relu(layer(oracle::words_of(task), "1")), "2");
}

TEST(GraphSage, EveryAggregatorComputesItsEquations) {
  const ClassTask task = made_task({.nodes = 12, .words = 9}, 4, 4);
  for (const std::string name : {"gs-mean", "gs-meanpool", "gs-maxpool"}) {
    const ModelEntry& entry = *find_model(name);
    TracedModel model(entry, configure(entry), task.view);
    model.shake(0.3);
    SCOPED_TRACE(name);
    oracle::expect_near(model.evaluate(), expected(model, name, task.view, true));
  }
}

TEST(GraphSage, PaddingWithNodeZeroCanBeLeftOut) {
  const ClassTask task = made_task({.nodes = 12, .words = 9}, 4, 4);
  const ModelEntry& entry = *find_model("gs-maxpool");
  TracedModel plain(entry, configure(entry, {{"padding", std::string("none")}}), task.view);
  TracedModel padded(entry, configure(entry), task.view);
  plain.shake(0.3);
  padded.shake(0.3);
  oracle::expect_near(plain.evaluate(), expected(plain, "gs-maxpool", task.view, false));
  EXPECT_NE(plain.evaluate().values, padded.evaluate().values);
}

TEST(GraphSage, LogitsAreNoLongerThanOne) {
  const ClassTask task = made_task();
  const ModelEntry& entry = *find_model("gs-mean");
  TracedModel model(entry, configure(entry), task.view);
  model.shake(3);
  const Matrix logits = model.evaluate();
  double longest = 0;
  for (Index i = 0; i < logits.rows; ++i) {
    double squares = 0;
    for (Index c = 0; c < logits.cols; ++c) squares += double{logits(i, c)} * logits(i, c);
    longest = std::max(longest, std::sqrt(squares));
  }
  EXPECT_NEAR(longest, 1, 1e-6);
}

TEST(GraphSage, RegularisesTheFirstLayerWithoutThePool) {
  for (const std::string name : {"gs-mean", "gs-meanpool", "gs-maxpool"}) {
    const ModelEntry& entry = *find_model(name);
    TracedModel model(entry, configure(entry), made_task().view);
    std::vector<std::string> names = oracle::regularised(model, configure(entry).real("l2"));
    std::sort(names.begin(), names.end());
    EXPECT_EQ(names, (std::vector<std::string>{"agg1", "skip1"})) << name;
  }
}

// A made graph whose last node, a test node, has no neighbour and the given words; the others have
// so many words and neighbours that dropout leaves them some.
ClassTask task_with_a_hermit(const std::vector<Index>& words) {
  Dataset data = made_dataset({.words_per_node = 40});
  const Index hermit = data.nodes() - 1;
  std::vector<Edge> edges;
  for (Index i = 0; i < hermit; ++i)
    for (const Index j : data.adjacency.row_columns(i))
      if (j != hermit) edges.push_back({i, j});
  data.adjacency = from_edges(data.nodes(), edges);
  Csr& all = std::get<Csr>(data.features);
  all.columns.resize(static_cast<std::size_t>(all.row_ptr[hermit]));
  all.columns.insert(all.columns.end(), words.begin(), words.end());
  all.row_ptr.back() = static_cast<Offset>(all.columns.size());
  const Split split = leading_split(data, 20, 20);
  return task_of(std::move(data), split);
}

TrialOutcome trial(const ClassTask& task, const std::string& name, const std::string& norm,
                   int max_epochs, const std::string& key = "trial") {
  const ModelEntry& entry = *find_model(name);
  TrainRule rule;
  rule.max_epochs = max_epochs;
  Trainer trainer(task.view, entry, configure(entry, {{"norm", norm}, {"dropout", 0.4}}), rule);
  return trainer.run(stream_key(key));
}

// A test node that training never reads ends the run, as in the released code.
TEST(GraphSage, ReleasedNormDivergesWhereANeighbourhoodHasNoWords) {
  const ClassTask task = task_with_a_hermit({});
  for (const std::string name : {"gs-mean", "gs-meanpool"}) {
    const TrialOutcome released = trial(task, name, "released", 100);
    EXPECT_EQ(released.status, TrialStatus::kDiverged) << name;
    EXPECT_FALSE(released.message.empty());
    EXPECT_EQ(released.epochs, 1);
    EXPECT_EQ(released.best_epoch, -1);
    // It is scored with its initial parameters, which are those before any epoch.
    ASSERT_TRUE(released.test_scores.has_value());
    EXPECT_EQ(released.test_scores->values, trial(task, name, "safe", 0).test_scores->values);

    const TrialOutcome safe = trial(task, name, "safe", 100);
    EXPECT_EQ(safe.status, TrialStatus::kOk) << name;
    EXPECT_GT(safe.epochs, 50);
    EXPECT_TRUE(std::isfinite(task.test_labels.score("accuracy", *safe.test_scores)));
  }
}

// Two words dropped with probability 0.4 each: 0.16 of the runs diverge, all in the first step,
// because from then on the bias is not zero.
TEST(GraphSage, ReleasedNormDivergesAsOftenAsDropoutLeavesNoWord) {
  const ClassTask task = task_with_a_hermit({3, 8});
  const ModelEntry& entry = *find_model("gs-mean");
  TrainRule rule;
  rule.max_epochs = 3;
  Trainer trainer(task.view, entry, configure(entry), rule);
  int diverged = 0;
  const int runs = 400;
  for (int run = 0; run < runs; ++run) {
    const TrialOutcome outcome = trainer.run(stream_key("run " + std::to_string(run)));
    if (outcome.status != TrialStatus::kDiverged) continue;
    ++diverged;
    EXPECT_EQ(outcome.epochs, 1);
  }
  // Four standard deviations of a binomial.
  EXPECT_NEAR(diverged, 0.16 * runs, 4 * std::sqrt(runs * 0.16 * 0.84));
}

}  // namespace
}  // namespace cupel
