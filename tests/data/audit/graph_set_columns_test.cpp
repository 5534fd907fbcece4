// One number per graph, and how well it tells the classes.
#include <gtest/gtest.h>

#include <algorithm>

#include "cupel/data/audit/graph_set_columns.h"
#include "data/made_graph_sets.h"

namespace cupel {
namespace {

using test::cycle_graph;
using test::made_set;
using test::MadeGraph;

TEST(GraphColumns, AreCountedPerGraph) {
  // A triangle beside a node, a square, nothing.
  Dataset data = made_set({{4, {{0, 1}, {1, 2}, {0, 2}}, 0}, cycle_graph(4, 1), {0, {}, 1}});
  Csr labels;
  labels.rows = 8;
  labels.cols = 2;
  labels.row_ptr = {0, 1, 2, 3, 4, 5, 6, 7, 8};
  labels.columns = {0, 1, 1, 0, 0, 0, 0, 0};
  data.features = std::move(labels);
  data.graphs->node_attributes = Matrix(8, 1);
  for (Index i = 0; i < 8; ++i) data.graphs->node_attributes(i, 0) = static_cast<float>(i);
  const std::vector<GraphColumn> columns = graph_columns(data);
  ASSERT_EQ(columns.size(), 7u);
  const std::vector<std::vector<double>> expected = {{4, 4, 0}, {3, 4, 0}, {1.5, 2, 0},  {2, 1, 0},
                                                     {2, 4, 0}, {2, 0, 0}, {1.5, 5.5, 0}};
  for (std::size_t c = 0; c < columns.size(); ++c)
    EXPECT_EQ(columns[c].values, expected[c]) << columns[c].name;
}

TEST(OneNumber, AThresholdIsFoundAndTestedOnOtherGraphs) {
  std::vector<double> values;
  std::vector<Index> labels;
  for (int k = 0; k < 40; ++k) {
    values.push_back(k * 7 % 40);
    labels.push_back(values.back() > 24.5);
  }
  const OneNumber found = judge_one_number(values, labels, 2);
  // The graphs next to the threshold may be the fold's: of 40, two at most are wrong.
  EXPECT_GE(found.accuracy, 0.95);
  EXPECT_EQ(found.area, 1);
  EXPECT_EQ(found.thresholds, std::vector<double>{24.5});
  // A number of its own for each graph says nothing of the next graph.
  for (int k = 0; k < 40; ++k) labels[static_cast<std::size_t>(k)] = k % 2;
  for (int k = 0; k < 40; ++k) values[static_cast<std::size_t>(k)] = k;
  EXPECT_LT(judge_one_number(values, labels, 2).accuracy, 0.6);
}

TEST(OneNumber, AsManyIntervalsAsThereAreClasses) {
  std::vector<double> values;
  std::vector<Index> labels;
  for (int k = 0; k < 300; ++k) {
    values.push_back(k / 10);
    labels.push_back(k / 10 < 10 ? 2 : k / 10 < 20 ? 0 : 1);
  }
  const OneNumber found = judge_one_number(values, labels, 3);
  EXPECT_EQ(found.accuracy, 1) << "every number is in every fold";
  EXPECT_EQ(found.thresholds, (std::vector<double>{9.5, 19.5}));
}

TEST(OneNumber, TheAreaIsThatOfAllPairs) {
  Stream stream(stream_key("tests/one-number"), 1, 0, 0);
  for (const Index classes : {2, 4}) {
    std::vector<double> values;
    std::vector<Index> labels;
    for (int k = 0; k < 200; ++k) {
      labels.push_back(static_cast<Index>(stream.next_unit() * classes));
      values.push_back(static_cast<int>(stream.next_unit() * 12 + labels.back()));  // ties
    }
    double best = 0;
    for (Index c = 0; c < classes; ++c) {
      double sum = 0, pairs = 0;
      for (std::size_t a = 0; a < values.size(); ++a) {
        for (std::size_t b = 0; b < values.size(); ++b) {
          if (labels[a] != c || labels[b] == c) continue;
          pairs += 1;
          sum += values[a] > values[b] ? 1 : values[a] == values[b] ? 0.5 : 0;
        }
      }
      best = std::max({best, sum / pairs, 1 - sum / pairs});
    }
    EXPECT_NEAR(judge_one_number(values, labels, classes).area, best, 1e-12);
  }
}

// The first cut of the tree against all cuts, by Gini's impurity written out.
TEST(OneNumber, TheThresholdIsTheBestOfAll) {
  Stream stream(stream_key("tests/one-number"), 1, 0, 1);
  for (int trial = 0; trial < 20; ++trial) {
    std::vector<double> values;
    std::vector<Index> labels;
    for (int k = 0; k < 60; ++k) {
      values.push_back(static_cast<int>(stream.next_unit() * 15));
      labels.push_back(stream.next_unit() < 0.2 + 0.04 * values.back());
    }
    const auto impurity = [&](double cut) {
      double total = 0;
      for (const bool above : {false, true}) {
        double n = 0, ones = 0;
        for (std::size_t k = 0; k < values.size(); ++k) {
          if ((values[k] > cut) != above) continue;
          n += 1, ones += labels[k];
        }
        if (n > 0) total += n * (1 - ones / n * ones / n - (1 - ones / n) * (1 - ones / n));
      }
      return total;
    };
    const OneNumber found = judge_one_number(values, labels, 2);
    ASSERT_EQ(found.thresholds.size(), 1u);
    for (double cut = 0.5; cut < 15; ++cut)
      EXPECT_LE(impurity(found.thresholds[0]), impurity(cut) + 1e-9) << trial;
  }
}

}  // namespace
}  // namespace cupel
