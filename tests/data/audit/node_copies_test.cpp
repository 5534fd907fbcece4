// Copies beyond chance: none in graphs that grow like citations, all that are planted.
#include "cupel/data/audit/node_copies.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <numeric>
#include <random>

#include "cupel/data/catalog/catalog.h"
#include "data/audit/made.h"
#include "data/audit/made_citations.h"

namespace cupel {
namespace {

using made::citations;
using made::Citing;

constexpr Citing kAll[] = {Citing::kUniform, Citing::kPopular, Citing::kTriads,
                           Citing::kReferences};

NodeCopies copies_of(const Dataset& data, CopyRule rule = CopyRule::kBeyondChance) {
  return node_copies(data.adjacency, data.labels(), data.features, rule);
}

TEST(NodeCopies, AlmostEqualRowsAreThoseOfASearchOverPairs) {
  std::mt19937 random(11);
  double found = 0;
  for (int trial = 0; trial < 100; ++trial) {
    std::vector<Edge> edges;
    for (Index i = 0; i < 14; ++i) {
      for (Index j = 0; j < 6; ++j) {
        if (random() % 2 == 0) edges.push_back({i, j});
      }
    }
    const Csr graph = from_edges(14, edges);
    std::vector<Index> labels(14);
    for (Index& label : labels) label = static_cast<Index>(random() % 2);
    for (Offset size = 1; size <= 4; ++size) {
      std::set<std::pair<Index, std::set<Index>>> rows;
      std::vector<Index> among;
      for (Index i = 0; i < 14; ++i) {
        if (graph.row_size(i) != size) continue;
        among.push_back(i);
        const auto row = graph.row_columns(i);
        rows.insert({labels[static_cast<std::size_t>(i)], {row.begin(), row.end()}});
      }
      double slow = 0;
      for (const auto& [a, x] : rows) {
        for (const auto& [b, y] : rows) {
          std::vector<Index> both;
          std::ranges::set_intersection(x, y, std::back_inserter(both));
          slow += a == b && static_cast<Offset>(both.size()) == size - 1;
        }
      }
      slow /= 2;  // every pair was met twice
      EXPECT_EQ(almost_equal_rows(graph, labels, among), slow);
      found += slow;
    }
  }
  EXPECT_GT(found, 100);
}

// 40 graphs in which the paper's rule alone sees hundreds of copies.
TEST(NodeCopies, GraphsOfCitationsAreNoLeak) {
  int alarms = 0;
  std::size_t by_rule = 0;
  for (const Citing kind : kAll) {
    for (const Index nodes : {120, 400, 1500}) {
      for (std::uint32_t seed = 0; seed < 8; ++seed) {
        const NodeCopies copies = copies_of(citations(kind, nodes, seed));
        alarms += copies.is_leak;
        by_rule += copies.all.size();
        EXPECT_EQ(copies.found.empty(), !copies.is_leak);
      }
    }
  }
  EXPECT_EQ(alarms, 0) << "of 96";
  EXPECT_GT(by_rule, 5000u) << "else nothing was there to be taken for a copy";
}

// Nodes that draw one target each, some more often than others, and are entered by chance: as many
// look like copies as is expected of them.
TEST(NodeCopies, SingleTargetsAreExpectedAsDrawn) {
  double expected = 0, seen = 0;
  for (std::uint32_t seed = 0; seed < 30; ++seed) {
    Stream random(stream_key("tests/single-targets"), 1, 0, seed);
    const Index targets = 3000, sources = 600, others = 100;
    std::vector<Edge> edges;
    std::vector<Index> labels(static_cast<std::size_t>(targets + sources + others), 0);
    for (Index i = targets; i < targets + sources; ++i) {
      labels[static_cast<std::size_t>(i)] = i % 2;
      edges.push_back({i, static_cast<Index>(targets * std::pow(random.next_unit(), 1.5))});
    }
    for (Index i = targets + sources; i < targets + sources + others; ++i) {  // these enter some
      labels[static_cast<std::size_t>(i)] = 2;
      for (int k = 0; k < 3; ++k)
        edges.push_back({i, targets + static_cast<Index>(random.next_below(sources))});
    }
    const NodeCopies copies =
        node_copies(from_edges(targets + sources + others, edges), labels,
                    Matrix(targets + sources + others, 0), CopyRule::kBeyondChance);
    ASSERT_EQ(copies.ranges.front().most, 1);
    expected += copies.ranges.front().by_chance;
    seen += static_cast<double>(copies.ranges.front().copies);
  }
  EXPECT_GT(seen, 300);
  EXPECT_NEAR(seen / expected, 1, 0.15);
}

TEST(NodeCopies, PlantedCopiesAreFoundAndChanceIsLeft) {
  for (const Citing kind : kAll) {
    for (std::uint32_t seed = 0; seed < 5; ++seed) {
      const Dataset data = made::with_copies(citations(kind, 2000, seed), 60, 4, seed);
      const NodeCopies copies = copies_of(data);
      ASSERT_TRUE(copies.is_leak) << static_cast<int>(kind) << " " << seed;
      std::vector<Index> planted(60);
      std::iota(planted.begin(), planted.end(), 2000);
      EXPECT_TRUE(std::ranges::includes(copies.found, planted));
      EXPECT_LT(copies.found.size(), 80u);
      EXPECT_NEAR(copies.excess, 60, 12);
      EXPECT_GT(copies.all.size(), copies.found.size()) << "single targets are left";
    }
  }
}

TEST(NodeCopies, EqualFeaturesTellWhereNeighboursDoNot) {
  Dataset data = made::with_copies(citations(Citing::kPopular, 2000, 3), 40, 1, 3);
  const NodeCopies without = copies_of(data);
  EXPECT_FALSE(without.is_leak) << "most copies have one or two out-neighbours";
  // Copies get the features of what they copy: of the first entered node of their group.
  auto& x = std::get<Matrix>(data.features);
  const Csr reversed = transpose(data.adjacency);
  for (const auto& group : wikipedia_groups(data.adjacency, data.labels())) {
    const Index original =
        *std::ranges::find_if(group, [&](Index i) { return reversed.row_size(i) > 0; });
    for (const Index i : group) {
      if (i >= 2000) std::copy_n(x.row(original), 6, x.row(i));
    }
  }
  const NodeCopies with = copies_of(data);
  EXPECT_TRUE(with.is_leak);
  std::vector<Index> planted(40);
  std::iota(planted.begin(), planted.end(), 2000);
  EXPECT_EQ(with.found, planted);
  // Features that everybody shares tell nothing.
  for (float& v : x.values) v = 1;
  EXPECT_FALSE(copies_of(data).is_leak);
}

TEST(NodeCopies, ThePapersRuleTakesAll) {
  const Dataset data = citations(Citing::kPopular, 400, 1);
  const NodeCopies copies = copies_of(data, CopyRule::kWikipedia);
  EXPECT_TRUE(copies.is_leak);
  EXPECT_EQ(copies.found, wikipedia_duplicates(data.adjacency, data.labels()));
  EXPECT_EQ(copy_rule_of("wikipedia"), CopyRule::kWikipedia);
  EXPECT_EQ(copy_rule_of(to_text(CopyRule::kBeyondChance)), CopyRule::kBeyondChance);
  EXPECT_FALSE(copy_rule_of("paper").has_value());
}

// All copies of the paper are beyond chance, and none of two graphs of citations.
TEST(NodeCopies, OfRealGraphsOnlyTheWikipediaNetworksLeak) {
  const char* data = std::getenv("CUPEL_DATA");
  if (data == nullptr) GTEST_SKIP() << "CUPEL_DATA is not set";
  for (const auto& [name, copies] : {std::pair{"squirrel-directed", 2978u},
                                     {"chameleon-directed", 1387u},
                                     {"squirrel-filtered-directed", 0u},
                                     {"citeseer", 0u},
                                     {"cora", 0u}}) {
    if (!std::filesystem::exists(std::filesystem::path(data) / name))
      GTEST_SKIP() << "CUPEL_DATA has no " << name;
    EXPECT_EQ(copies_of(load_dataset(name, data)).found.size(), copies) << name;
  }
}

// In an undirected graph, equal neighbours with equal features look like copies; not where half of
// all nodes have equal features.
TEST(NodesAlikeInTheUndirectedGraph, EqualFeaturesCountAsFarAsTheyAreRare) {
  const std::string id = "duplicate-nodes-by-neighbours";
  Dataset data = made::citations(made::Citing::kPopular, 2000, 5);
  Matrix two(2000, 1);
  for (Index i = 0; i < 2000; ++i) two.row(i)[0] = static_cast<float>(1 + i % 2);
  data.features = two;
  const Finding coarse = made::find(made::audit_of(data), id);
  EXPECT_GT(coarse.details["with_equal_features"].get<int>(), 100);
  EXPECT_EQ(coarse.severity, Severity::kInfo) << coarse.evidence;
  EXPECT_NE(coarse.evidence.find("chance accounts for"), std::string::npos) << coarse.evidence;
  // The same nodes, equal in a feature that tells all others apart.
  const Groups alike = equal_neighbours(symmetrise(data.adjacency), data.labels(), 1);
  Matrix own(2000, 1);
  for (Index i = 0; i < 2000; ++i) own.row(i)[0] = static_cast<float>(1 + i);
  for (const auto& group : alike)
    for (const Index node : group) own.row(node)[0] = own.row(group.front())[0];
  data.features = own;
  EXPECT_EQ(made::find(made::audit_of(data), id).severity, Severity::kWarning);
}

}  // namespace
}  // namespace cupel
