#include "cupel/data/features/features.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

#include "cupel/base/error.h"
#include "data/made_graph_sets.h"
#include "error_of.h"

namespace cupel::test {
namespace {

// A triangle with a tail; a square with both diagonals but one; two nodes apart; no node at all.
Dataset small_set() {
  return made_set({{4, {{0, 1}, {1, 2}, {2, 0}, {2, 3}}, 0},
                   {4, {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {0, 2}}, 1},
                   {2, {}, 0},
                   {0, {}, 1}});
}

FeatureSource source_of(const Dataset& data) {
  return {data.adjacency, data.features, data.graphs ? &*data.graphs : nullptr};
}
Matrix dense(const Features& features) {
  if (const auto* matrix = std::get_if<Matrix>(&features)) return *matrix;
  const Csr& sparse = std::get<Csr>(features);
  Matrix out(sparse.rows, sparse.cols);
  for (Index i = 0; i < sparse.rows; ++i) {
    for (Offset at = sparse.row_ptr[i]; at < sparse.row_ptr[i + 1]; ++at)
      out(i, sparse.columns[static_cast<std::size_t>(at)]) = sparse.value(at);
  }
  return out;
}
Matrix nodes(const Dataset& data, const std::string& what) {
  return dense(node_features(source_of(data), what));
}
std::vector<float> node_list(const Dataset& data, const std::string& what) {
  const Matrix m = nodes(data, what);
  return {m.values.begin(), m.values.end()};
}
std::vector<float> graph_list(const Dataset& data, const std::string& what) {
  const Matrix m = graph_features(source_of(data), what);
  return {m.values.begin(), m.values.end()};
}
using List = std::vector<float>;

TEST(NodeFeatures, AreWhatTheirNamesSay) {
  const Dataset data = small_set();
  EXPECT_EQ(node_list(data, "degree"), (List{2, 2, 3, 1, 3, 2, 3, 2, 0, 0}));
  EXPECT_EQ(node_list(data, "constant"), List(10, 0.1f));
  EXPECT_EQ(node_list(data, "constant:value=3"), List(10, 3));
  EXPECT_EQ(node_list(data, "index"), (List{1, 2, 3, 4, 1, 2, 3, 4, 1, 2}));
  EXPECT_EQ(node_list(data, "triangles"), (List{2, 2, 2, 0, 4, 2, 4, 2, 0, 0}));
  EXPECT_EQ(node_list(data, "clustering"),
            (List{1, 1, 1.0f / 3, 0, 2.0f / 3, 1, 2.0f / 3, 1, 0, 0}));
  // Bases: the triangle; of the second graph from node 0 two triangles.
  EXPECT_EQ(node_list(data, "cycles:k=3"), (List{1, 1, 1, 0, 2, 1, 2, 1, 0, 0}));
  EXPECT_EQ(node_list(data, "cycles:k=4"), List(10, 0));
}

// Dense powers, computed the long way.
TEST(NodeFeatures, PowersOfTheAdjacency) {
  const Dataset data = made_set({random_graph(9, 0.3, 1), random_graph(5, 0.5, 2)});
  for (const int k : {1, 2, 3}) {
    const Matrix found = nodes(data, fmt::format("adjacency-power:k={};pad=4", k));
    ASSERT_EQ(found.cols, 13);
    for (Index g = 0; g < 2; ++g) {
      const Index first = data.graphs->start[g], n = data.graphs->start[g + 1] - first;
      Matrix power(n, n);
      for (Index i = 0; i < n; ++i) power(i, i) = 1;
      for (int step = 0; step < k; ++step) {
        Matrix next(n, n);
        for (Index i = 0; i < n; ++i) {
          for (Index v = 0; v < n; ++v) {
            for (const Index w : data.adjacency.row_columns(first + v))
              next(i, w - first) += power(i, v);
          }
        }
        power = next;
      }
      for (Index i = 0; i < n; ++i) {
        for (Index j = 0; j < 13; ++j) EXPECT_EQ(found(first + i, j), j < n ? power(i, j) : 0);
      }
    }
  }
  EXPECT_TRUE(std::holds_alternative<Csr>(node_features(source_of(data), "adjacency-power")));
  EXPECT_EQ(nodes(data, "adjacency-power").cols, 19);  // the widest graph and 10
}

// The equations of PageRank hold, and of a regular graph it is uniform.
TEST(NodeFeatures, PageRankIsStationary) {
  const Dataset data = made_set({random_graph(30, 0.1, 3), cycle_graph(5), {2, {}, 0}});
  const List rank = node_list(data, "pagerank:damping=0.7");
  const double n = data.nodes();
  double total = 0, lost = 0;
  for (Index i = 0; i < data.nodes(); ++i) {
    total += rank[static_cast<std::size_t>(i)];
    if (data.adjacency.row_size(i) == 0) lost += rank[static_cast<std::size_t>(i)];
  }
  EXPECT_NEAR(total, 1, 1e-6);
  for (Index i = 0; i < data.nodes(); ++i) {
    double wanted = 0.3 / n + 0.7 * lost / n;
    for (const Index j : data.adjacency.row_columns(i))
      wanted +=
          0.7 * rank[static_cast<std::size_t>(j)] / static_cast<double>(data.adjacency.row_size(j));
    EXPECT_NEAR(rank[static_cast<std::size_t>(i)], wanted, 1e-8);
  }
  EXPECT_EQ(nodes(data, "pagerank:repeat=3").cols, 3);
  const Dataset ring = made_set({cycle_graph(8)});
  for (const float value : node_list(ring, "pagerank")) EXPECT_NEAR(value, 0.125, 1e-7);
}

TEST(NodeFeatures, RandomOnesAreOfTheirDistribution) {
  const Dataset data = made_set({random_graph(300, 0.01, 4), cycle_graph(700)});
  const Matrix draws = nodes(data, "random:width=20;mean=0.1;sd=2;seed=3");
  double sum = 0, squares = 0;
  for (const float value : draws.values) {
    sum += value;
    squares += value * value;
  }
  const double count = 20'000;
  EXPECT_NEAR(sum / count, 0.1, 4 * 2 / std::sqrt(count));
  EXPECT_NEAR(squares / count, 4.01, 0.2);
  EXPECT_EQ(node_list(data, "random:seed=3"), node_list(data, "random:seed=3"));
  EXPECT_NE(node_list(data, "random:seed=3"), node_list(data, "random:seed=4"));
  for (const float value : node_list(data, "random:distribution=uniform;low=2;high=3")) {
    EXPECT_GE(value, 2);
    EXPECT_LE(value, 3);
  }
  const List ids = node_list(data, "random:distribution=ids");
  EXPECT_LE(*std::max_element(ids.begin(), ids.begin() + 300), 300);
  EXPECT_GT(*std::max_element(ids.begin() + 300, ids.end()), 600);
  EXPECT_EQ(*std::ranges::min_element(ids), std::floor(*std::ranges::min_element(ids)));
  EXPECT_GE(*std::ranges::min_element(ids), 1);
}

TEST(NodeFeatures, LabelsAttributesAndSumsOfThem) {
  Dataset data = small_set();
  Csr labels;
  labels.rows = 10;
  labels.cols = 2;
  for (Index i = 0; i < 10; ++i) {
    labels.columns.push_back(i % 2);
    labels.row_ptr.push_back(i + 1);
  }
  data.features = labels;
  data.graphs->node_attributes = Matrix(10, 1);
  for (Index i = 0; i < 10; ++i) data.graphs->node_attributes(i, 0) = static_cast<float>(i);
  data.graphs->arc_attributes = Matrix(static_cast<Index>(data.adjacency.entries()), 2);
  for (Index i = 0; i < data.nodes(); ++i) {
    for (Offset at = data.adjacency.row_ptr[i]; at < data.adjacency.row_ptr[i + 1]; ++at) {
      data.graphs->arc_attributes(static_cast<Index>(at), 0) = static_cast<float>(10 * i);
      data.graphs->arc_attributes(static_cast<Index>(at), 1) = 1;
    }
  }
  EXPECT_TRUE(std::holds_alternative<Csr>(node_features(source_of(data), "labels")));
  EXPECT_EQ(graph_list(data, "label-sum"), (List{2, 2, 2, 2, 1, 1, 0, 0}));
  EXPECT_EQ(graph_list(data, "attribute-sum"), (List{6, 22, 17, 0}));
  EXPECT_EQ(node_list(data, "attributes"), (List{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
  // Of incoming arcs: the sum of 10 times the neighbours' numbers, and the degree.
  const Matrix sums = nodes(data, "edge-attributes");
  EXPECT_EQ(sums(3, 0), 20);
  EXPECT_EQ(sums(0, 0), 30);
  EXPECT_EQ(sums(2, 0), 40);
  EXPECT_EQ(sums(4, 1), 3);
  EXPECT_EQ(sums(8, 1), 0);

  const Matrix both = nodes(data, "labels, degree,attributes");
  ASSERT_EQ(both.cols, 4);
  for (Index i = 0; i < 10; ++i) {
    EXPECT_EQ(both(i, i % 2), 1);
    EXPECT_EQ(both(i, 2), static_cast<float>(data.adjacency.row_size(i)));
    EXPECT_EQ(both(i, 3), static_cast<float>(i));
  }
  const Features sparse = node_features(source_of(data), "labels,adjacency-power:k=1");
  ASSERT_TRUE(std::holds_alternative<Csr>(sparse));
  EXPECT_EQ(dense(sparse)(3, 2 + 2), 1);
  EXPECT_EQ(std::get<Csr>(sparse).entries(), 10 + data.adjacency.entries());
}

TEST(GraphFeatures, AreWhatTheirNamesSay) {
  const Dataset data = small_set();
  EXPECT_EQ(graph_list(data, "average-degree"), (List{2, 2.5, 0, 0}));
  EXPECT_EQ(graph_list(data, "average-degree-over-nodes"), (List{0.5, 0.625, 0, 0}));
  EXPECT_EQ(graph_list(data, "size"), (List{8, 9, 2, 0}));
  EXPECT_EQ(graph_list(data, "nodes,edges"), (List{4, 4, 4, 5, 2, 0, 0, 0}));
  EXPECT_EQ(graph_list(data, "cycles:k=3-4"), (List{1, 0, 2, 0, 0, 0, 0, 0}));
  const List clustering = graph_list(data, "average-clustering");
  EXPECT_FLOAT_EQ(clustering[0], 7.0f / 12);
  EXPECT_FLOAT_EQ(clustering[1], 10.0f / 12);
  EXPECT_EQ(clustering[3], 0);
  const List statistics = graph_list(data, "degree-statistics");
  EXPECT_EQ(statistics[0], 2);
  EXPECT_FLOAT_EQ(statistics[1], std::sqrt(0.5f));
  EXPECT_EQ(statistics[2], 8);
}

// Worked by hand: 3 2 2 1 padded to five, mean 1.8; and every second of a star's degrees.
TEST(GraphFeatures, DegreeDistributionHasOneLength) {
  const Dataset data = made_set({{4, {{0, 1}, {1, 2}, {2, 0}, {2, 3}}, 0},
                                 {7, {{6, 0}, {6, 1}, {6, 2}, {6, 3}, {6, 4}, {6, 5}}, 0},
                                 complete_graph(3),
                                 {0, {}, 0}});
  const Matrix found = graph_features(source_of(data), "degree-distribution:width=5");
  const double deviation = std::sqrt((1.44 + 0.04 + 0.04 + 0.64 + 0.64) / 5);
  for (const auto& [at, degree] : {std::pair{0, 3}, {1, 2}, {2, 2}, {3, 1}, {4, 1}})
    EXPECT_NEAR(found(0, at), (degree - 1.8) / deviation, 1e-6);
  // linspace(0, 6, 5) = 0 1.5 3 4.5 6: degrees 6 1 1 1 1, mean 2, deviation 2.
  EXPECT_EQ(found(1, 0), 2);
  for (Index j = 1; j < 5; ++j) EXPECT_EQ(found(1, j), -0.5);
  for (Index j = 0; j < 5; ++j) EXPECT_EQ(found(2, j), 0);  // only centred
  for (Index j = 0; j < 5; ++j) EXPECT_EQ(found(3, j), 0);
  EXPECT_EQ(graph_features(source_of(data), "degree-distribution").cols, 128);
}

TEST(Features, AreStandardisedWithinGraphsOrOverAll) {
  const Dataset data = small_set();
  const List within = node_list(data, "degree:standardise=graph");
  EXPECT_FLOAT_EQ(within[0], 0);
  EXPECT_FLOAT_EQ(within[2], std::sqrt(2.0f));
  EXPECT_FLOAT_EQ(within[4], 1);
  EXPECT_FLOAT_EQ(within[8], 0.01f);  // constant
  const List over = graph_list(data, "average-degree:standardise=all");
  double sum = 0, squares = 0;
  for (const float value : over) {
    sum += value;
    squares += value * value;
  }
  EXPECT_NEAR(sum, 0, 1e-6);
  EXPECT_NEAR(squares, 4, 1e-5);
  EXPECT_EQ(node_list(data, "constant:standardise=all"), List(10, 0.01f));
}

TEST(Features, AreShuffledWithReplacement) {
  const Dataset data = made_set({random_graph(400, 0.05, 6)});
  const List before = node_list(data, "index"), after = node_list(data, "index:shuffle=1");
  const std::set<float> different(after.begin(), after.end());
  EXPECT_GT(different.size(), 400 * 0.55);  // 1 - 1/e of them on average
  EXPECT_LT(different.size(), 400 * 0.71);
  EXPECT_NE(after, before);
  EXPECT_EQ(after, node_list(data, "index:shuffle=1"));
  EXPECT_NE(after, node_list(data, "index:shuffle=2"));
  EXPECT_TRUE(
      std::holds_alternative<Csr>(node_features(source_of(data), "adjacency-power:k=1;shuffle=1")));
}

// Without a set, features of nodes are those of one graph.
TEST(Features, OfOneGraph) {
  Dataset data = made_set({random_graph(30, 0.2, 7)});
  const Dataset set = data;
  data.graphs.reset();
  for (const char* what : {"degree", "triangles", "cycles:k=3-4-5", "index", "adjacency-power:k=3",
                           "pagerank", "degree:standardise=graph"})
    EXPECT_EQ(node_list(data, what), node_list(set, what)) << what;
  data.adjacency = from_edges(3, std::vector<Edge>{{0, 1}, {1, 2}});
  EXPECT_NE(error_of([&] { nodes(data, "cycles"); }).find("symmetrise"), std::string::npos);
  // An edge that is there twice, among those of a triangle.
  data.adjacency = {};
  data.adjacency.rows = data.adjacency.cols = 3;
  data.adjacency.row_ptr = {0, 3, 6, 8};
  data.adjacency.columns = {1, 1, 2, 0, 0, 2, 0, 1};
  EXPECT_NE(error_of([&] { nodes(data, "cycles"); }).find("parallel arcs"), std::string::npos);
}

// Of a complete graph, A^k has ((n - 1)^k - (-1)^k) / n outside of its diagonal: 419^14 / 420 is
// 1.2e34, 419^16 / 420 is 2.2e39.
TEST(Features, AreFiniteOrNotMade) {
  const Dataset data = made_set({complete_graph(420)});
  EXPECT_FLOAT_EQ(nodes(data, "adjacency-power:k=14")(0, 1),
                  static_cast<float>((std::pow(419.0, 14) - 1) / 420));
  const std::string message =
      error_of([&] { nodes(data, "adjacency-power:k=16;standardise=all"); });
  EXPECT_NE(message.find("A^16 of this data set has entries larger than a float32"),
            std::string::npos)
      << message;
  Dataset high = small_set();
  high.graphs->node_attributes = Matrix(high.nodes(), 1);
  std::ranges::fill(high.graphs->node_attributes.values, 2e38f);
  EXPECT_NO_THROW(nodes(high, "attributes"));
  EXPECT_NE(error_of([&] {
              graph_list(high, "attribute-sum:standardise=all");
            }).find("feature 'attribute-sum:standardise=all': it has inf"),
            std::string::npos);
}

// No memory is taken for them first: 50,000 rows of 100,000 floats are 20 GB.
TEST(Features, AreNotTooManyEvenAlone) {
  const Dataset many = made_set({{50'000, {}, 0}});
  for (const char* term : {"random:width=100000", "pagerank:repeat=100000"})
    EXPECT_NE(error_of([&] {
                nodes(many, term);
              }).find("50000 rows of 100000 columns are too many for a dense matrix; lower its"),
              std::string::npos)
        << term;
  const Dataset graphs = made_set(std::vector<MadeGraph>(50'000, MadeGraph{1, {}, 0}));
  EXPECT_NE(error_of([&] {
              graph_list(graphs, "degree-distribution:width=100000");
            }).find("50000 rows of 100000 columns are too many"),
            std::string::npos);
}

TEST(Features, SayWhatIsWrong) {
  const Dataset data = small_set();
  const auto node_message = [&](const std::string& what) {
    return error_of([&] { nodes(data, what); });
  };
  const auto has = [](const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
  };
  EXPECT_TRUE(has(node_message("degre"), "did you mean 'degree'"));
  EXPECT_TRUE(has(node_message("average-degree"), "belongs to graphs"));
  EXPECT_TRUE(has(error_of([&] { graph_list(data, "degree"); }), "belongs to nodes"));
  EXPECT_TRUE(has(node_message("degree,"), "empty term"));
  EXPECT_TRUE(has(node_message(""), "empty term"));
  EXPECT_TRUE(has(node_message("random:widht=3"), "did you mean 'width'"));
  EXPECT_TRUE(has(node_message("random:width=0"), "outside"));
  EXPECT_TRUE(has(node_message("random:low=3;distribution=uniform"), "below high"));
  EXPECT_TRUE(has(node_message("cycles:k=2"), "from 3"));
  EXPECT_TRUE(has(node_message("cycles:k=3-"), "'3-'"));
  EXPECT_TRUE(has(node_message("labels"), "no labels"));
  EXPECT_TRUE(has(node_message("attributes"), "no attributes"));
  EXPECT_TRUE(has(node_message("edge-attributes"), "no attributes"));
  EXPECT_TRUE(has(error_of([&] { graph_list(data, "size:standardise=graph"); }), "one of"));
}

TEST(Features, EveryKindIsListedOnceAndMakesFiniteNumbers) {
  Dataset data = made_set({random_graph(12, 0.4, 8), {1, {}, 0}, {0, {}, 0}, cycle_graph(4)});
  Matrix some(data.nodes(), 2);
  std::ranges::fill(some.values, 0.5f);
  data.features = some;
  data.graphs->node_attributes = some;
  data.graphs->arc_attributes = Matrix(static_cast<Index>(data.adjacency.entries()), 1);
  std::set<std::pair<std::string, bool>> names;
  for (const FeatureKind* kind : feature_kinds()) {
    EXPECT_TRUE(names.emplace(kind->name, kind->of_graphs).second) << kind->name;
    EXPECT_FALSE(kind->doc.empty());
    const Matrix m =
        kind->of_graphs ? graph_features(source_of(data), kind->name) : nodes(data, kind->name);
    EXPECT_EQ(m.rows, kind->of_graphs ? 4 : data.nodes()) << kind->name;
    EXPECT_GT(m.cols, 0);
    for (const float value : m.values) EXPECT_TRUE(std::isfinite(value)) << kind->name;
  }
  EXPECT_GE(names.size(), 20u);
}

}  // namespace
}  // namespace cupel::test
