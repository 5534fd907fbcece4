#include "cupel/learn/graph_kernels/weisfeiler_lehman.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "learn/graph_kernels/made_graphs.h"

namespace cupel {
namespace {

// Labels written out: nothing is compressed, and so nothing can be confused.
std::vector<std::map<std::string, double>> written_labels(const MadeLabelledGraphs& made,
                                                          bool labels, int levels) {
  std::vector<std::string> label;
  for (const Index l : made.node_labels) label.push_back(labels ? std::to_string(l) : "x");
  std::vector<std::map<std::string, double>> counts(static_cast<std::size_t>(made.size()));
  for (int level = 0;; ++level) {
    for (Index g = 0; g < made.size(); ++g)
      for (Index v = made.start[g]; v < made.start[g + 1]; ++v)
        ++counts[g][std::to_string(level) + ":" + label[v]];
    if (level == levels) return counts;
    std::vector<std::string> next;
    for (Index v = 0; v < made.adjacency.rows; ++v) {
      std::vector<std::string> around;
      for (const Index u : made.adjacency.row_columns(v)) around.push_back(label[u]);
      std::sort(around.begin(), around.end());
      std::string text = "(" + label[v];
      for (const std::string& one : around) text += "," + one;
      next.push_back(text + ")");
    }
    label = next;
  }
}

void expect_written_kernel(const MadeLabelledGraphs& made, bool labels, int levels) {
  const auto counts = written_labels(made, labels, levels);
  const Gram gram =
      inner_products(wl_histograms(labels ? made.labelled() : made.plain(), levels), {1});
  ASSERT_EQ(gram.graphs, made.size());
  for (Index i = 0; i < gram.graphs; ++i) {
    for (Index j = 0; j < gram.graphs; ++j) {
      double expected = 0;
      for (const auto& [label, count] : counts[i])
        if (const auto other = counts[j].find(label); other != counts[j].end())
          expected += count * other->second;
      EXPECT_EQ(gram(i, j), expected) << i << " " << j << ", levels " << levels;
    }
  }
}

TEST(WeisfeilerLehman, EqualsLabelsWrittenOut) {
  const MadeLabelledGraphs made = random_graphs(40, 9);
  for (const bool labels : {false, true})
    for (const int levels : {0, 1, 2, 5}) expect_written_kernel(made, labels, levels);
}

TEST(WeisfeilerLehman, LevelsThatRefineNothingStillCount) {
  // One label for all at every level, and two after one round.
  expect_written_kernel(union_of({cycle(5), cycle(6), cycle(3)}), false, 6);
  expect_written_kernel(union_of({star(3), star(3), path(2)}), false, 6);
}

TEST(WeisfeilerLehman, CannotTellTwoTrianglesFromAHexagon) {
  MadeGraph triangles = {6, {{0, 1}, {1, 2}, {2, 0}, {3, 4}, {4, 5}, {5, 3}}};
  const MadeLabelledGraphs made = union_of({triangles, cycle(6), path(6)});
  Gram gram = inner_products(wl_histograms(made.plain(), 5), {1});
  normalise(gram);
  EXPECT_DOUBLE_EQ(gram(0, 1), 1);
  EXPECT_LT(gram(0, 2), 0.9);
}

TEST(WeisfeilerLehman, AnyNumbersServeAsLabels) {
  MadeLabelledGraphs made = random_graphs(20, 8);
  const Gram small = inner_products(wl_histograms(made.labelled(), 3), {1});
  for (Index& label : made.node_labels) label = 1'000'000'000 - 7 * label;
  const Gram large = inner_products(wl_histograms(made.labelled(), 3), {1});
  EXPECT_EQ(small.values, large.values);
}

}  // namespace
}  // namespace cupel
