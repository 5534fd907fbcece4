#include "cupel/learn/train/trainer.h"
#include "learn/models/dense_oracle.h"
#include "learn/models/directed_task.h"

namespace cupel {
namespace {

using oracle::Dense;

Dense softmax(const Dense& z) {
  Dense out = oracle::each(z, [](double v) { return std::exp(v); });
  for (auto& row : out) {
    double sum = 0;
    for (const double v : row) sum += v;
    for (double& v : row) v /= sum;
  }
  return out;
}

struct SecondPhase : TracedModel {
  SecondPhase(const ModelEntry& entry, const Options& options, const TaskView& task)
      : TracedModel(entry, options, task, [](TrainableModel& m, Builder& b, GraphInputs& in) {
          return m.second_logits(b, in);
        }) {}
};

Dense beliefs(TracedModel& model, const TaskView& task) {
  return oracle::product(
      oracle::relu(oracle::product(oracle::mean_over_rows(oracle::words_of(task)),
                                   oracle::parameter(model, "w0"))),
      oracle::parameter(model, "w1"));
}

TEST(Cpgnn, TrainsAPerceptronFirst) {
  const NodeTask task = directed_task();
  const ModelEntry& entry = *find_model("cpgnn");
  TracedModel model(entry, configure(entry), task.view);
  model.shake(0.3);
  oracle::expect_near(model.evaluate(), beliefs(model, task.view));
}

TEST(Cpgnn, ThenPropagatesBeliefs) {
  const NodeTask task = directed_task();
  const ModelEntry& entry = *find_model("cpgnn");
  SecondPhase model(entry, configure(entry), task.view);
  model.shake(0.3);
  const Dense prior =
      oracle::each(softmax(beliefs(model, task.view)), [](double v) { return v - 1.0 / 3; });
  const Dense a = oracle::without_diagonal(oracle::adjacency_of(task.view, false));
  const Dense h = oracle::parameter(model, "compatibility");
  Dense b = prior;
  for (int k = 0; k < 2; ++k) b = oracle::sum(prior, oracle::product(oracle::product(a, b), h));
  oracle::expect_near(model.evaluate(), oracle::each(b, [](double v) { return v + 1.0 / 3; }));
}

// What the compatibility matrix starts from is doubly stochastic and symmetric, less 1 / classes,
// and says which classes meet: here every arc leads to the next class.
TEST(Cpgnn, StartsFromTheCompatibilityOfTrainingNodes) {
  Dataset data = made_dataset({.nodes = 30, .words = 9});
  std::vector<Edge> arcs;
  for (Index i = 0; i < 30; ++i) {
    data.labels[i] = i % 3;
    arcs.push_back({i, (i + 1) % 30});
  }
  data.adjacency = from_edges(30, arcs);
  const Split split = leading_split(data, 20, 5);
  const NodeTask task = task_of(std::move(data), split);
  const ModelEntry& entry = *find_model("cpgnn");
  SecondPhase model(entry, configure(entry), task.view);
  Matrix indifferent(30, 3);
  model.model->begin_second_phase({task.view,
                                   {indifferent.values.data(), 30, 3, 3},
                                   [&](const std::string& name) { return model.view(name); }});
  const Dense h = oracle::parameter(model, "compatibility");
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(oracle::row_sum(h, i), 0, 1e-3);
    for (std::size_t j = 0; j < 3; ++j) {
      EXPECT_NEAR(h[i][j], h[j][i], 1e-6);
      EXPECT_EQ(h[i][j] > 0, i != j) << i << " " << j;
    }
  }
}

TEST(Cpgnn, SwitchesToPropagationWhenPretrainingEnds) {
  const NodeTask task = made_task({.nodes = 60, .words = 20}, 20, 20);
  const ModelEntry& entry = *find_model("cpgnn");
  const auto scores = [&](std::int64_t pretraining, int epochs) {
    TrainRule rule;
    rule.max_epochs = epochs;
    rule.keep = "last";
    Trainer trainer(task.view, entry, configure(entry, {{"pretraining", pretraining}}), rule);
    return *trainer.run(stream_key("phases")).test_scores;
  };
  // The first four epochs are the same; the fifth reads the graph or does not.
  EXPECT_EQ(scores(4, 4).values, scores(100, 4).values);
  EXPECT_NE(scores(4, 5).values, scores(100, 5).values);
}

}  // namespace
}  // namespace cupel
