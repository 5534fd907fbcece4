#include "cupel/learn/train/trainer.h"
#include "learn/models/dense_oracle.h"
#include "learn/models/nodes/directed_task.h"

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
      : TracedModel(entry, options, task, 1) {}
};

Dense dense(const Matrix& matrix) {
  Dense out;
  for (Index i = 0; i < matrix.rows; ++i)
    out.emplace_back(matrix.row(i), matrix.row(i) + matrix.cols);
  return out;
}

// What the second phase starts H from, where the first one's scores are `scores`.
Dense start_of(const ClassTask& task, const Matrix& scores, const Settings& settings = {}) {
  const ModelEntry& entry = *find_model("cpgnn");
  const auto model = entry.trainable(configure(entry, settings));
  const auto values = model->schedule().phases.at(1).start(
      task.view, {scores.values.data(), scores.rows, scores.cols, scores.cols});
  EXPECT_EQ(values.size(), 1u);
  return dense(values.at("compatibility"));
}

Dense beliefs(TracedModel& model, const TaskView& task) {
  return oracle::product(
      oracle::relu(oracle::product(oracle::mean_over_rows(oracle::words_of(task)),
                                   oracle::parameter(model, "w0"))),
      oracle::parameter(model, "w1"));
}

TEST(Cpgnn, TrainsAPerceptronFirst) {
  const ClassTask task = directed_task();
  const ModelEntry& entry = *find_model("cpgnn");
  TracedModel model(entry, configure(entry), task.view);
  model.shake(0.3);
  oracle::expect_near(model.evaluate(), beliefs(model, task.view));
}

TEST(Cpgnn, ThenPropagatesBeliefs) {
  const ClassTask task = directed_task();
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
    data.labels()[i] = i % 3;
    arcs.push_back({i, (i + 1) % 30});
  }
  data.adjacency = from_edges(30, arcs);
  const Split split = leading_split(data, 20, 5);
  const ClassTask task = task_of(std::move(data), split);
  const Dense h = start_of(task, Matrix(30, 3));  // of scores that are indifferent
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(oracle::row_sum(h, i), 0, 1e-3);
    for (std::size_t j = 0; j < 3; ++j) {
      EXPECT_NEAR(h[i][j], h[j][i], 1e-6);
      EXPECT_EQ(h[i][j] > 0, i != j) << i << " " << j;
    }
  }
}

// After so many rounds of columns, then rows divided by their sums, symmetric, less 1 / classes.
// Rows and columns keep their factors, u and v, instead of the matrix.
Dense balanced(const Dense& h, int rounds) {
  const std::size_t n = h.size();
  oracle::Row u(n, 1.0), v(n, 1.0);
  for (int round = 0; round < rounds; ++round) {
    for (std::size_t j = 0; j < n; ++j) {
      double sum = 0;
      for (std::size_t i = 0; i < n; ++i) sum += u[i] * h[i][j];
      v[j] = 1 / sum;
    }
    for (std::size_t i = 0; i < n; ++i) {
      double sum = 0;
      for (std::size_t j = 0; j < n; ++j) sum += h[i][j] * v[j];
      u[i] = 1 / sum;
    }
  }
  Dense out = h;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      out[i][j] = (u[i] * h[i][j] * v[j] + u[j] * h[j][i] * v[i]) / 2 - 1.0 / n;
  return out;
}

double largest_difference(const Dense& a, const Dense& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < a.size(); ++j)
      largest = std::max(largest, std::abs(a[i][j] - b[i][j]));
  return largest;
}

// H is taken from the graph that beliefs are propagated over. Node 0's only arc is a loop: numbered
// without it, it would come last, and every node would have another's neighbours.
TEST(Cpgnn, StartsFromTheGraphThatItPropagatesOver) {
  Dataset data = made_dataset({.nodes = 24, .words = 9});
  std::vector<Edge> arcs = {{0, 0}};
  for (Index i = 1; i < 24; ++i) {
    arcs.push_back({i, 1 + (i * 7) % 23});
    arcs.push_back({i, 1 + (i * 5 + 3) % 23});
    if (i % 4 == 0) arcs.push_back({i, i});
  }
  data.adjacency = from_edges(24, arcs);
  const Split split = leading_split(data, 12, 5);
  const ClassTask task = task_of(std::move(data), split);
  Matrix scores(24, 3);
  Stream random(stream_key("beliefs"), 1);
  for (float& v : scores.values) v = static_cast<float>(random.next_normal());
  for (const bool file : {true, false}) {
    const Dense all = oracle::adjacency_of(task.view, false);
    const Dense a = oracle::mean_over_rows(
        oracle::without_diagonal(file ? all : oracle::by_first_appearance(all, false)));
    Dense known = softmax(dense(scores));
    for (std::size_t i = 0; i < task.view.train.size(); ++i) {
      std::fill(known[task.view.train[i]].begin(), known[task.view.train[i]].end(), 0.0);
      known[task.view.train[i]][task.view.train_labels[i]] = 1;
    }
    const Dense around = oracle::product(a, known);
    Dense h = oracle::zeros(3, 3);
    std::vector<double> count(3);
    for (const Index label : task.view.train_labels) ++count[label];
    for (std::size_t i = 0; i < task.view.train.size(); ++i)
      for (std::size_t c = 0; c < 3; ++c) {
        const Index label = task.view.train_labels[i];
        h[label][c] += around[task.view.train[i]][c] / count[label];
      }
    const Dense got =
        start_of(task, scores, {{"node_order", std::string(file ? "file" : "first-appearance")}});
    EXPECT_LT(largest_difference(got, balanced(h, 500)), 1e-6) << (file ? "file" : "appearance");
  }
  EXPECT_EQ(find_model("cpgnn")->revision, 2);  // runs of the first are not these
}

// A ring in which every node's successor is of the next class; only the first two classes have
// training nodes, and nothing else of it is trained on. Believed everywhere: `belief`.
ClassTask ring_of_classes(Index classes) {
  Dataset data = made_dataset({.nodes = 6 * classes, .words = 9, .classes = classes});
  std::vector<Edge> arcs;
  for (Index i = 0; i < data.nodes(); ++i) {
    data.labels()[i] = i % classes;
    arcs.push_back({i, (i + 1) % data.nodes()});
  }
  data.adjacency = from_edges(data.nodes(), arcs);
  Split split;
  for (Index i = 0; i < data.nodes(); ++i)
    (i < 2 * classes && i % classes < 2 ? split.train
     : i < 3 * classes                  ? split.valid
                                        : split.test)
        .push_back(i);
  return task_of(std::move(data), split);
}

Matrix believed(const ClassTask& task, const std::vector<double>& belief) {
  Matrix scores(task.view.nodes(), static_cast<Index>(belief.size()));
  for (Index i = 0; i < scores.rows; ++i)
    for (Index c = 0; c < scores.cols; ++c) scores(i, c) = static_cast<float>(std::log(belief[c]));
  return scores;
}

// Class 2 has no training node: its row is column 2, and its last entry what is left to 1.
TEST(Cpgnn, AMissingRowIsFilledFromItsColumn) {
  const ClassTask task = ring_of_classes(3);
  const Dense h = {{0, 1, 0}, {0.2, 0.3, 0.5}, {0, 0.5, 0.5}};
  const Dense got = start_of(task, believed(task, {0.2, 0.3, 0.5}));
  // No permutation but 0-1, 1-0, 2-2 has all its entries, so that the rest dies away as 1 / rounds:
  // it is the 3000 rounds that end it.
  EXPECT_LT(largest_difference(got, balanced(h, 3000)), 1e-6);
  EXPECT_GT(largest_difference(got, balanced(h, 2500)), 1e-5);
}

// Of classes 2 and 3 neither knows the other: what is left to 1 is divided equally.
TEST(Cpgnn, WhatIsMissingStillGetsEqualShares) {
  const ClassTask task = ring_of_classes(4);
  const Dense h = {{0, 1, 0, 0}, {0.1, 0.3, 0.4, 0.2}, {0, 0.4, 0.3, 0.3}, {0, 0.2, 0.4, 0.4}};
  const Dense got = start_of(task, believed(task, {0.1, 0.3, 0.4, 0.2}));
  EXPECT_LT(largest_difference(got, balanced(h, 3000)), 1e-6);
}

// The second phase adds its whole regulariser twice. With gradients of zero at the logits what is
// left of them is l2 w of the second time, the first being the optimiser's, and twice the sign of
// each row's sum, 0 where that is 0.
TEST(Cpgnn, AddsItsRegulariserTwice) {
  const ClassTask task = ring_of_classes(3);
  const ModelEntry& entry = *find_model("cpgnn");
  SecondPhase model(entry, configure(entry, {{"l2", 0.3}}), task.view);
  model.shake(0.2);
  const std::vector<std::vector<float>> rows = {
      {0.5f, -0.25f, -0.25f}, {0.25f, 0.25f, -0.25f}, {-0.5f, -0.25f, 0.5f}};
  for (Index i = 0; i < 3; ++i)
    std::copy(rows[i].begin(), rows[i].end(), model.view("compatibility").row(i));
  BoundProgram bound = model.bind(task.view.train, true, true);
  TracedModel::backward_of_penalties(bound);
  const DenseView h = model.gradients.view(model.slot("compatibility"));
  for (Index c = 0; c < 3; ++c) {
    EXPECT_EQ(h.row(0)[c], 0);
    EXPECT_EQ(h.row(1)[c], 2);
    EXPECT_EQ(h.row(2)[c], -2);
  }
  for (const char* name : {"w0", "w1"}) {
    EXPECT_EQ(model.parameter(name).l2, 0.3);
    const int slot = model.slot(name);
    for (std::size_t i = 0; i < model.values.slice_size(slot); ++i)
      EXPECT_NEAR(model.gradients.view(slot).data[i], 0.3 * model.values.view(slot).data[i], 1e-6);
  }
  EXPECT_EQ(model.parameter("compatibility").l2, 0);
}

// As the paper has it: the regulariser once, and the cross-entropy of the beliefs over the training
// nodes, against differences of that loss.
TEST(Cpgnn, TrainsBeliefsAlongByTheirLoss) {
  const ClassTask task = directed_task();
  const ModelEntry& entry = *find_model("cpgnn");
  SecondPhase model(entry, configure(entry, {{"l2", 0.3}, {"co_training", std::string("loss")}}),
                    task.view);
  model.shake(0.3);
  BoundProgram bound = model.bind(task.view.train, true, true);
  TracedModel::backward_of_penalties(bound);
  const auto loss = [&] {
    const Dense p = softmax(beliefs(model, task.view));
    double sum = 0;
    for (std::size_t i = 0; i < task.view.train.size(); ++i)
      sum -= std::log(p[task.view.train[i]][task.view.train_labels[i]]) / task.view.train.size();
    const Dense h = oracle::parameter(model, "compatibility");
    for (std::size_t i = 0; i < h.size(); ++i) sum += std::abs(oracle::row_sum(h, i));
    return sum;
  };
  double seen = 0;
  for (const char* name : {"w0", "w1", "compatibility"}) {
    const int slot = model.slot(name);
    for (const std::size_t i : {std::size_t{0}, std::size_t{4}, std::size_t{7}}) {
      float& value = model.values.view(slot).data[i];
      const float before = value;
      constexpr float kStep = 1e-3f;
      value = before + kStep;
      const double above = loss();
      value = before - kStep;
      const double below = loss();
      value = before;
      const double found = model.gradients.view(slot).data[i];
      EXPECT_NEAR(found, (above - below) / (2 * kStep), 2e-3) << name << " " << i;
      if (std::string(name) != "compatibility") seen = std::max(seen, std::abs(found));
    }
    EXPECT_EQ(model.parameter(name).l2, std::string(name) == "compatibility" ? 0 : 0.3);
  }
  EXPECT_GT(seen, 1e-2) << "next to nothing was compared";
}

TEST(Cpgnn, SwitchesToPropagationWhenPretrainingEnds) {
  const ClassTask task = made_task({.nodes = 60, .words = 20}, 20, 20);
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
