// Batches of small graphs: what they hold, and what training on them gives.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "cupel/learn/train/graph_batch.h"
#include "cupel/learn/train/trainer.h"
#include "learn/train/rings_and_stars.h"

namespace cupel {
namespace {

// softmax(mean over nodes of relu((A x) W)) V: tells rings from stars by their degrees.
class Pooled final : public TrainableModel {
 public:
  Value logits(Builder& b, GraphInputs& in) const override {
    Value h = propagate(in.adjacency(false), in.feature_matrix());
    h = relu(matmul(h, b.uniform("w", 2, 8, 2)) + b.uniform("c", 1, 8, 2));
    return matmul(propagate(in.members(true), h), b.uniform("v", 8, 2, 8)) +
           b.uniform("d", 1, 2, 8);
  }
};

ModelEntry pooled_entry() {
  ModelEntry entry;
  entry.name = "pooled";
  entry.unit = Unit::kGraph;
  entry.options = {{.name = "lr", .fallback = 0.05, .doc = "learning rate"}};
  entry.trainable = [](const Options&) -> std::unique_ptr<TrainableModel> {
    return std::make_unique<Pooled>();
  };
  return entry;
}

TrialOutcome train(const TrainRule& rule, int threads = 1) {
  const ClassTask task = rings_and_stars_task(60);
  const ModelEntry entry = pooled_entry();
  Trainer trainer(task.view, entry, Options("pooled", entry.options, {}), rule, "accuracy",
                  {threads});
  return trainer.run(stream_key("graph feed"));
}

TEST(DrawnBatches, HaveEveryGraphOnceInRandomCompanyAndAscendingOrder) {
  const std::vector<Index> graphs = {40, 7, 12, 3, 25, 31, 8, 19, 2, 50};
  std::set<std::vector<std::vector<Index>>> drawn;
  for (std::uint32_t epoch = 0; epoch < 5; ++epoch) {
    const auto batches = drawn_batches(graphs, 4, {stream_key("batches"), 1, epoch});
    std::vector<std::size_t> sizes;
    std::vector<Index> rows;
    for (const std::vector<Index>& batch : batches) {
      sizes.push_back(batch.size());
      EXPECT_TRUE(std::ranges::is_sorted(batch, {}, [&](Index row) { return graphs[row]; }));
      rows.insert(rows.end(), batch.begin(), batch.end());
    }
    EXPECT_EQ(sizes, (std::vector<std::size_t>{4, 4, 2}));
    std::ranges::sort(rows);
    EXPECT_EQ(rows, (std::vector<Index>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
    drawn.insert(batches);
  }
  EXPECT_EQ(drawn.size(), 5u);
}

TEST(DrawnBatches, LeaveOutAGraphThatWouldBeAlone) {
  const std::vector<Index> graphs = {4, 5, 6, 7, 8};
  const auto sizes = [](const std::vector<std::vector<Index>>& batches) {
    std::vector<std::size_t> out;
    for (const auto& batch : batches) out.push_back(batch.size());
    return out;
  };
  const StreamKey key = stream_key("batches");
  EXPECT_EQ(sizes(drawn_batches(graphs, 2, {key, 1})), (std::vector<std::size_t>{2, 2}));
  EXPECT_EQ(sizes(drawn_batches(graphs, 9, {key, 1})), (std::vector<std::size_t>{5}));
  EXPECT_EQ(sizes(drawn_batches(std::span(graphs).first(1), 2, {key, 1})),
            (std::vector<std::size_t>{1}));
}

TEST(GraphBatch, HoldsTheGraphsItTookNumberedAnew) {
  const ClassTask task = rings_and_stars_task(20);
  const GraphSet& set = *task.view.graphs();
  Builder builder;
  GraphInputs in(builder, task.view);
  const Value a = in.adjacency(false);  // arguments are evaluated in any order
  const Value h = propagate(a, in.feature_matrix());
  const Value weights = in.entry_constant("arcs", in.adjacency(false),
                                          [&](const Csr&) { return set.arc_attributes; });
  const Value gathered =
      edge_gather(in.adjacency(false), weights, matmul(h, builder.glorot("w", 2, 1)), false);
  const Program program = builder.finish(propagate(in.members(true), gathered));
  const EqualRows equal;
  GraphBatch batch(program, in, equal, set.start);
  const std::vector<Index> graphs = {13, 3, 8};
  batch.take(graphs);
  batch.take(graphs);  // nothing of the batch before is left
  ASSERT_EQ(batch.constants().size(), 4u);
  const Csr& adjacency = *batch.constants()[0].sparse;
  const Csr& features = *batch.constants()[1].sparse;
  const Matrix& arcs = *batch.constants()[2].dense;
  const Csr& members = *batch.constants()[3].sparse;
  Index node = 0, arc = 0;
  for (std::size_t k = 0; k < graphs.size(); ++k) {
    const Index first = set.start[graphs[k]], size = set.start[graphs[k] + 1] - first;
    const Index shift = node - first;
    EXPECT_EQ(members.row_size(static_cast<Index>(k)), size);
    for (Index v = first; v < first + size; ++v, ++node) {
      const auto wanted = task.view.adjacency().row_columns(v);
      const auto found = adjacency.row_columns(node);
      ASSERT_EQ(found.size(), wanted.size());
      for (std::size_t e = 0; e < wanted.size(); ++e, ++arc) {
        EXPECT_EQ(found[e], wanted[e] + shift);
        EXPECT_EQ(
            arcs(arc, 0),
            set.arc_attributes(
                static_cast<Index>(task.view.adjacency().row_ptr[v]) + static_cast<Index>(e), 0));
      }
      EXPECT_EQ(features.row_columns(node)[0], v == first ? 0 : 1);
      EXPECT_EQ(members.columns[static_cast<std::size_t>(node)], node);
      EXPECT_EQ(members.values[static_cast<std::size_t>(node)], 1.0f / static_cast<float>(size));
    }
  }
  EXPECT_EQ(adjacency.rows, node);
  EXPECT_EQ(adjacency.cols, node);
  EXPECT_EQ(features.rows, node);
  EXPECT_EQ(arcs.rows, arc);
}

TEST(GraphFeed, LearnsToTellRingsFromStars) {
  for (const int batch_size : {0, 7, 16}) {
    const TrialOutcome outcome = train({.max_epochs = 60, .patience = 0, .batch_size = batch_size});
    EXPECT_EQ(outcome.status, TrialStatus::kOk) << outcome.message;
    EXPECT_EQ(outcome.valid_score, 1.0) << "batches of " << batch_size;
    EXPECT_EQ(rings_and_stars_task(60).test_labels.score("accuracy", *outcome.test_scores), 1.0);
  }
}

TEST(GraphFeed, TheBitsDoNotDependOnThreads) {
  const TrainRule rule = {.max_epochs = 5, .patience = 0, .batch_size = 8};
  EXPECT_EQ(train(rule, 1).test_scores->values, train(rule, 3).test_scores->values);
}

TEST(GraphFeed, OneBatchOfEverythingIsFullBatchTraining) {
  const TrialOutcome whole = train({.max_epochs = 5, .patience = 0, .batch_size = 0});
  const TrialOutcome large = train({.max_epochs = 5, .patience = 0, .batch_size = 1000});
  const TrialOutcome small = train({.max_epochs = 5, .patience = 0, .batch_size = 9});
  EXPECT_EQ(whole.test_scores->values, large.test_scores->values);
  EXPECT_NE(whole.test_scores->values, small.test_scores->values);
}

TEST(GraphFeed, ALastBatchOfOneGraphIsLeftOut) {
  const TrainRule rule = {.max_epochs = 1, .patience = 0, .batch_size = 35};
  const ClassTask task = rings_and_stars_task(60);
  ASSERT_EQ(task.view.train.size(), 36u);
  const Matrix found = *train(rule).test_scores;
  // One step on 35 graphs: what training without one of them gives.
  int same = 0;
  for (std::size_t out = 0; out < 36; ++out) {
    TaskView view = task.view;
    view.train.erase(view.train.begin() + static_cast<std::ptrdiff_t>(out));
    view.train_labels.erase(view.train_labels.begin() + static_cast<std::ptrdiff_t>(out));
    const ModelEntry entry = pooled_entry();
    Trainer trainer(view, entry, Options("pooled", entry.options, {}), rule);
    same += trainer.run(stream_key("graph feed")).test_scores->values == found.values;
  }
  EXPECT_GE(same, 1);  // rings of one size are alike
  EXPECT_LT(same, 36);
}

TEST(GraphFeed, TheLearningRateDecays) {
  const TrainRule still = {.max_epochs = 4, .patience = 0, .batch_size = 8};
  TrainRule decays = still;
  decays.decay_every = 2;
  decays.decay = 1e-6;
  // Two epochs at the full rate, then two that hardly move.
  TrainRule two = still;
  two.max_epochs = 2;
  const auto kept_last = [](TrainRule rule) {
    rule.keep = "last";
    return train(rule).test_scores->values;
  };
  const auto a = kept_last(decays), b = kept_last(two), c = kept_last(still);
  double moved = 0, far = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    moved = std::max(moved, std::abs(double{a[i]} - b[i]));
    far = std::max(far, std::abs(double{c[i]} - b[i]));
  }
  EXPECT_LT(moved, 1e-4);
  EXPECT_GT(far, 1e-2);
}

}  // namespace
}  // namespace cupel
