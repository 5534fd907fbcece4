#include "cupel/learn/graph_kernels/shortest_path.h"

#include <gtest/gtest.h>

#include <array>
#include <map>

#include "cupel/base/error.h"
#include "learn/graph_kernels/made_graphs.h"

namespace cupel {
namespace {

using Paths = std::map<std::array<Index, 3>, double>;  // labels of the ends, length

// Floyd and Warshall, and every ordered pair by itself.
Paths counted_paths(const MadeLabelledGraphs& made, Index g, bool labels) {
  constexpr Index kFar = 1'000'000;
  const Index n = made.nodes(g), base = made.start[g];
  std::vector<std::vector<Index>> d(n, std::vector<Index>(n, kFar));
  for (Index u = 0; u < n; ++u)
    for (Index v = 0; v < n; ++v)
      if (u == v || made.joined(base + u, base + v)) d[u][v] = u != v;
  for (Index k = 0; k < n; ++k)
    for (Index u = 0; u < n; ++u)
      for (Index v = 0; v < n; ++v) d[u][v] = std::min(d[u][v], d[u][k] + d[k][v]);
  Paths out;
  for (Index u = 0; u < n; ++u)
    for (Index v = 0; v < n; ++v)
      if (u != v && d[u][v] < kFar)
        ++out[{labels ? made.node_labels[base + u] : 0, labels ? made.node_labels[base + v] : 0,
               d[u][v]}];
  return out;
}

void expect_counted_kernel(const MadeLabelledGraphs& made, bool labels) {
  std::vector<Paths> paths;
  for (Index g = 0; g < made.size(); ++g) paths.push_back(counted_paths(made, g, labels));
  const auto kernel = [&](Index i, Index j) {
    double sum = 0;
    for (const auto& [path, count] : paths[i])
      if (const auto other = paths[j].find(path); other != paths[j].end())
        sum += count * other->second;
    return sum;
  };
  const Gram gram =
      inner_products(sp_histograms(labels ? made.labelled() : made.plain(), {2}), {2});
  Gram scaled = gram;
  normalise(scaled);
  for (Index i = 0; i < gram.graphs; ++i) {
    for (Index j = 0; j < gram.graphs; ++j) {
      EXPECT_EQ(gram(i, j), kernel(i, j)) << i << " " << j;
      const double scale = std::sqrt(kernel(i, i) * kernel(j, j));
      EXPECT_NEAR(scaled(i, j), scale > 0 ? kernel(i, j) / scale : 0, 1e-14) << i << " " << j;
    }
  }
}

TEST(ShortestPath, EqualsPairsCountedOneByOne) {
  const MadeLabelledGraphs made = random_graphs(40, 9);
  for (const bool labels : {false, true}) expect_counted_kernel(made, labels);
}

TEST(ShortestPath, GraphsOfMoreNodesThanASearchHasBits) {
  Stream random(stream_key("larger graphs"), 0);
  const MadeLabelledGraphs made =
      union_of({path(130), cycle(65), star(64), random_graph(random, 150, 0.02),
                random_graph(random, 129, 0.2), random_graph(random, 64, 0.05)});
  for (const bool labels : {false, true}) expect_counted_kernel(made, labels);
}

TEST(ShortestPath, RefusesWhatWouldTakeHours) {
  const MadeLabelledGraphs made = union_of({path(100), path(50)});
  EXPECT_DOUBLE_EQ(sp_operations(made.plain()), 100 * (100 + 198) + 50 * (50 + 98));
  EXPECT_NO_THROW(refuse_large_sp("sp-svm", made.plain()));
  try {
    refuse_large_sp("sp-svm", made.plain(), 1e4);
    FAIL() << "not refused";
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("3.7e+04"), std::string::npos) << e.what();
  }
}

}  // namespace
}  // namespace cupel
