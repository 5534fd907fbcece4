#include "cupel/data/graph/pairs.h"

#include <gtest/gtest.h>

#include <set>

#include "cupel/base/random.h"
#include "cupel/data/graph/graph.h"

namespace cupel {
namespace {

Csr drawn_arcs(Index nodes, int arcs, std::uint32_t seed) {
  Stream stream(stream_key("pairs"), 0, 0, seed);
  std::vector<Edge> edges;
  for (int e = 0; e < arcs; ++e)
    edges.push_back({static_cast<Index>(stream.next_below(nodes)),
                     static_cast<Index>(stream.next_below(nodes))});
  return from_edges(nodes, edges);
}

// Every pair of nodes is looked up by itself.
TEST(Pairs, AreThoseThatASlowReaderFinds) {
  for (std::uint32_t seed = 0; seed < 20; ++seed) {
    const Csr arcs = drawn_arcs(17, 60, seed);
    std::set<std::pair<Index, Index>> entries;
    for (Index i = 0; i < arcs.rows; ++i)
      for (Offset e = arcs.row_ptr[i]; e < arcs.row_ptr[i + 1]; ++e)
        entries.emplace(i, arcs.columns[e]);
    std::vector<Pair> undirected, directed;
    Offset loops = 0;
    for (Index i = 0; i < arcs.rows; ++i) {
      loops += entries.contains({i, i});
      for (Index j = 0; j < arcs.rows; ++j) {
        if (i != j && entries.contains({i, j})) directed.push_back({i, j});
        if (i < j && (entries.contains({i, j}) || entries.contains({j, i})))
          undirected.push_back({i, j});
      }
    }
    EXPECT_EQ(pairs_of(arcs, false).pairs, undirected);
    EXPECT_EQ(pairs_of(arcs, true).pairs, directed);
    EXPECT_EQ(pairs_of(arcs, false).loops, loops);
    EXPECT_EQ(pairs_of(arcs, true).loops, loops);
    EXPECT_EQ(pairs_of(arcs, true).repeats, 0);
  }
}

TEST(Pairs, RepeatsOfAMultigraphAreCounted) {
  Csr arcs;
  arcs.rows = arcs.cols = 3;
  arcs.row_ptr = {0, 4, 5, 5};
  arcs.columns = {0, 1, 1, 2, 0};
  for (const bool directed : {false, true}) {
    const PairList list = pairs_of(arcs, directed);
    EXPECT_EQ(list.repeats, 1);
    EXPECT_EQ(list.loops, 1);
    EXPECT_EQ(list.size(), directed ? 3 : 2);
    EXPECT_EQ(list.nodes, 3);
  }
}

TEST(Pairs, ArcsOfAllPairsAreTheGraphWithoutLoops) {
  for (std::uint32_t seed = 0; seed < 20; ++seed) {
    const Csr drawn = drawn_arcs(13, 50, seed);
    const Csr directed = arcs_of(pairs_of(drawn, true).pairs, drawn.rows, true);
    const Csr wanted = drop_self_loops(drawn);
    EXPECT_EQ(directed.row_ptr, wanted.row_ptr);
    EXPECT_EQ(directed.columns, wanted.columns);
    const Csr undirected = arcs_of(pairs_of(drawn, false).pairs, drawn.rows, false);
    const Csr both = drop_self_loops(symmetrise(drawn));
    EXPECT_EQ(undirected.row_ptr, both.row_ptr);
    EXPECT_EQ(undirected.columns, both.columns);
    for (Index i = 0; i < drawn.rows; ++i)
      for (Index j = 0; j < drawn.rows; ++j)
        EXPECT_EQ(has_arc(directed, {i, j}), i != j && has_arc(drawn, {i, j}));
  }
}

}  // namespace
}  // namespace cupel
