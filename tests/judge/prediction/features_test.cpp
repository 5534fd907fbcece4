#include "cupel/judge/prediction/features.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>

#include "cupel/base/error.h"
#include "data/made_graph_sets.h"

namespace cupel {
namespace {

using test::MadeGraph;

// A ring with a tail of `tail` nodes, whose only cycle is the ring.
MadeGraph ring(Index length, Index tail, Index label) {
  MadeGraph out{length + tail, {}, label};
  for (Index i = 0; i < length; ++i) out.edges.push_back({i, (i + 1) % length});
  for (Index i = 0; i < tail; ++i) out.edges.push_back({i == 0 ? 0 : length + i - 1, length + i});
  return out;
}

const std::vector<Index> kRings = {3, 4, 5, 6, 7, 4, 4, 6, 3};

std::vector<MadeGraph> graphs() {
  std::vector<MadeGraph> out;
  for (std::size_t g = 0; g < kRings.size(); ++g)
    out.push_back(ring(kRings[g], static_cast<Index>(g * g % 5), static_cast<Index>(g % 3)));
  return out;
}

// By definition: share of joined pairs of neighbours, averaged over nodes.
double clustering(const MadeGraph& graph) {
  std::set<std::pair<Index, Index>> joined;
  for (const auto& [a, b] : graph.edges) joined.insert({{a, b}, {b, a}});
  double sum = 0;
  for (Index v = 0; v < graph.nodes; ++v) {
    int pairs = 0, closed = 0;
    for (Index a = 0; a < graph.nodes; ++a)
      for (Index b = 0; b < a; ++b)
        if (joined.contains({v, a}) && joined.contains({v, b})) {
          ++pairs;
          closed += joined.contains({a, b});
        }
    if (pairs > 0) sum += static_cast<double>(closed) / pairs;
  }
  return sum / graph.nodes;
}

void push(std::vector<double>& out, const std::vector<double>& x, const std::vector<double>* y) {
  const auto n = static_cast<double>(x.size());
  double mean = 0, squares = 0, products = 0, y_mean = 0, y_squares = 0;
  for (const double value : x) mean += value / n;
  for (const double value : x) squares += (value - mean) * (value - mean) / n;
  out.push_back(mean);
  out.push_back(std::sqrt(squares));
  if (y == nullptr) return;
  for (const double value : *y) y_mean += value / n;
  for (std::size_t i = 0; i < x.size(); ++i) {
    products += (x[i] - mean) * ((*y)[i] - y_mean) / n;
    y_squares += ((*y)[i] - y_mean) * ((*y)[i] - y_mean) / n;
  }
  const double correlation = products / std::sqrt(squares * y_squares);
  out.push_back(std::isnan(correlation) ? 0 : correlation);
}

std::vector<double> by_loops(const std::vector<Index>& part, const std::vector<double>& labels) {
  const std::vector<MadeGraph> all = graphs();
  std::vector<double> degree, closed, relative, nodes, out;
  for (const Index g : part) {
    const MadeGraph& graph = all[static_cast<std::size_t>(g)];
    nodes.push_back(graph.nodes);
    degree.push_back(2.0 * static_cast<double>(graph.edges.size()) / graph.nodes);
    relative.push_back(degree.back() / graph.nodes);
    closed.push_back(clustering(graph));
  }
  for (const auto* values : {&degree, &closed, &relative, &nodes}) push(out, *values, &labels);
  push(out, labels, nullptr);
  for (Index length = 4; length <= 7; ++length) {
    std::vector<double> cycles;
    for (const Index g : part)
      cycles.push_back(kRings[static_cast<std::size_t>(g)] == length ? 1 : 0);
    push(out, cycles, &labels);
  }
  return out;
}

void expect_same(const PredictionFeatures& found, const std::vector<double>& expected) {
  ASSERT_EQ(expected.size(), found.size());
  for (std::size_t f = 0; f < found.size(); ++f)
    EXPECT_NEAR(found[f], expected[f], 1e-12) << prediction_feature_names()[f];
}

TEST(PredictionFeaturesTest, AreThoseOfPlainLoops) {
  const Dataset dataset = test::made_set(graphs());
  const GraphProperties properties = graph_properties(dataset, {2});
  // The part without a ring of 7 has a constant number of them, whose correlation is none.
  for (const std::vector<Index>& part :
       {std::vector<Index>{0, 1, 2, 3, 4, 5, 6, 7, 8}, std::vector<Index>{7, 0, 2, 5, 6, 1}}) {
    std::vector<double> labels;
    for (const Index g : part) labels.push_back(g % 3);
    const PredictionFeatures found = prediction_features(dataset, properties, part);
    expect_same(found, by_loops(part, labels));
  }
}

TEST(PredictionFeaturesTest, NamesAreTwentySixDifferentOnes) {
  const auto names = prediction_feature_names();
  EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), kPredictionFeatures);
  EXPECT_EQ(names[0], "degree mean");
  EXPECT_EQ(names[12], "label mean");
  EXPECT_EQ(names[25], "cycles_7 correlation");
}

TEST(PredictionFeaturesTest, TasksAreAveragedOverTheirLabelledGraphs) {
  const float kNone = std::numeric_limits<float>::quiet_NaN();
  Dataset dataset = test::made_set(graphs());
  dataset.target = BinaryTasks{Matrix(9, 3)};
  for (Index g = 0; g < 9; ++g) {
    dataset.task_answers()(g, 0) = g % 2 == 0 ? 1 : 0;
    dataset.task_answers()(g, 1) = g < 4 ? kNone : static_cast<float>(g > 6);
    dataset.task_answers()(g, 2) = kNone;
  }
  const GraphProperties properties = graph_properties(dataset, {1});
  const std::vector<Index> part = {1, 2, 3, 4, 5, 6, 8};
  const std::vector<double> first = by_loops(part, {0, 1, 0, 1, 0, 1, 1});
  const std::vector<double> second = by_loops({4, 5, 6, 8}, {0, 0, 0, 1});
  std::vector<double> expected;
  for (std::size_t f = 0; f < first.size(); ++f) expected.push_back((first[f] + second[f]) / 2);
  expect_same(prediction_features(dataset, properties, part), expected);

  dataset.task_answers().values.assign(27, kNone);
  EXPECT_THROW((void)prediction_features(dataset, properties, part), Error);
}

}  // namespace
}  // namespace cupel
