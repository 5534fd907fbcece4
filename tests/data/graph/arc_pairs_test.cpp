// Walks over arcs and their reverse against a look at every pair.
#include "cupel/data/graph/arc_pairs.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <utility>

#include "cupel/base/random.h"
#include "cupel/data/audit/audit.h"

namespace cupel {
namespace {

// A multigraph: rows ascend and columns may repeat.
Csr drawn(Index nodes, int arcs, std::uint32_t seed) {
  Stream random({seed, 1}, 1);
  std::map<std::pair<Index, Index>, int> there;
  const auto node = [&] {
    return static_cast<Index>(random.next_below(static_cast<std::uint32_t>(nodes)));
  };
  for (int k = 0; k < arcs; ++k) {
    const Index i = node();
    ++there[{i, node()}];
  }
  Csr out;
  out.rows = out.cols = nodes;
  for (Index i = 0; i < nodes; ++i) {
    for (Index j = 0; j < nodes; ++j) {
      for (int k = there[{i, j}]; k > 0; --k) out.columns.push_back(j);
    }
    out.row_ptr.push_back(static_cast<Offset>(out.columns.size()));
  }
  return out;
}

Offset entries(const Csr& graph, Index i, Index j) {
  return std::ranges::count(graph.row_columns(i), j);
}

TEST(ArcPairs, LowerArcsKnowTheirReverse) {
  for (std::uint32_t seed = 0; seed < 60; ++seed) {
    const Csr graph = drawn(1 + static_cast<Index>(seed % 9), static_cast<int>(seed), seed);
    std::set<std::pair<Index, Index>> seen;
    std::pair<Index, Index> last = {-1, -1};
    visit_lower_arcs(graph, [&](Index i, Index j, Offset there, Offset back) {
      ASSERT_LT(j, i);
      EXPECT_EQ(there, entries(graph, i, j));
      EXPECT_EQ(back, entries(graph, j, i));
      EXPECT_LT(last, std::pair(i, j)) << "row by row";
      last = {i, j};
      seen.insert(last);
    });
    for (Index i = 0; i < graph.rows; ++i) {
      for (Index j = 0; j < i; ++j) EXPECT_EQ(seen.contains({i, j}), entries(graph, i, j) > 0);
    }
  }
}

TEST(ArcPairs, EachJoinedPairIsVisitedOnce) {
  for (std::uint32_t seed = 0; seed < 60; ++seed) {
    const Csr graph = drawn(1 + static_cast<Index>(seed % 9), static_cast<int>(seed), seed);
    std::set<std::pair<Index, Index>> seen;
    visit_pairs(graph, [&](Index i, Index j) {
      EXPECT_GT(entries(graph, i, j), 0);
      EXPECT_TRUE(seen.insert({std::min(i, j), std::max(i, j)}).second);
    });
    for (Index i = 0; i < graph.rows; ++i) {
      for (Index j = i; j < graph.rows; ++j)
        EXPECT_EQ(seen.contains({i, j}), i != j && entries(graph, i, j) + entries(graph, j, i) > 0);
    }
  }
}

TEST(ArcPairs, DirectionsAreCountedAsStored) {
  for (std::uint32_t seed = 0; seed < 60; ++seed) {
    const Csr graph = drawn(1 + static_cast<Index>(seed % 9), static_cast<int>(seed), seed);
    Direction wanted;
    for (Index i = 0; i < graph.rows; ++i) {
      wanted.loops += entries(graph, i, i);
      for (Index j = i + 1; j < graph.rows; ++j) {
        const Offset up = entries(graph, i, j), down = entries(graph, j, i);
        wanted.both += down > 0 ? up : 0;
        wanted.up += down > 0 ? 0 : up;
        wanted.down += up > 0 ? 0 : down;
      }
    }
    const Direction found = direction_of(graph);
    EXPECT_EQ(found.both, wanted.both);
    EXPECT_EQ(found.up, wanted.up);
    EXPECT_EQ(found.down, wanted.down);
    EXPECT_EQ(found.loops, wanted.loops);
  }
}

}  // namespace
}  // namespace cupel
