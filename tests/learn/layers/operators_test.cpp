#include "cupel/learn/layers/operators.h"

#include <gtest/gtest.h>

#include <cmath>

#include "cupel/data/graph/graph.h"

namespace cupel {
namespace {

using Values = AlignedVector<float>;

TEST(Operators, OneMoreSelfLoopCountsThoseThatAreThere) {
  const std::vector<Edge> edges = {{0, 0}, {0, 2}, {1, 0}};
  const Csr out = one_more_self_loop(from_edges(3, edges));
  EXPECT_EQ(out.columns, (std::vector<Index>{0, 2, 0, 1, 2}));
  EXPECT_EQ(out.values, (Values{2, 1, 1, 1, 1}));
}

// Two arcs 0 -> 1 and two loops at 0, as a multigraph has them: both count wherever one would.
Csr parallel_arcs() {
  Csr out;
  out.rows = out.cols = 2;
  out.row_ptr = {0, 4, 6};
  out.columns = {0, 0, 1, 1, 0, 0};
  return out;
}

TEST(Operators, ParallelArcsCountOneByOne) {
  const Csr more = one_more_self_loop(parallel_arcs());
  EXPECT_EQ(more.columns, (std::vector<Index>{0, 1, 1, 0, 0, 1}));
  EXPECT_EQ(more.values, (Values{3, 1, 1, 1, 1, 1})) << "one more, not one more for each";
  EXPECT_EQ(mean_operator(parallel_arcs()).values,
            (Values{0.25f, 0.25f, 0.25f, 0.25f, 0.5f, 0.5f}));
  const auto across = static_cast<float>(1 / std::sqrt(8.0));
  EXPECT_EQ(symmetric_operator(parallel_arcs()).values,
            (Values{0.25f, 0.25f, across, across, across, across}));
}

TEST(Operators, MeansDivideByRowSums) {
  const std::vector<Edge> edges = {{0, 0}, {0, 2}, {1, 0}};
  const Csr out = mean_operator(one_more_self_loop(from_edges(3, edges)));
  EXPECT_EQ(out.values, (Values{2.0f / 3, 1.0f / 3, 0.5f, 0.5f, 1}));
}

TEST(Operators, SymmetricScalingIsZeroAtEndsWithoutEntries) {
  const std::vector<Edge> edges = {{0, 1}, {0, 2}, {1, 0}};
  const Csr out = symmetric_operator(from_edges(3, edges));
  EXPECT_FLOAT_EQ(out.values[0], static_cast<float>(1 / std::sqrt(2.0)));
  EXPECT_EQ(out.values[1], 0);  // node 2 has none of its own
  EXPECT_FLOAT_EQ(out.values[2], static_cast<float>(1 / std::sqrt(2.0)));
}

TEST(Operators, FirstAppearanceFollowsTheSortedListOfEdges) {
  // Undirected, so the list is 0-3, 1-3, 2-4: nodes appear in the order 0, 3, 1, 2, 4; 5 never.
  const std::vector<Edge> edges = {{0, 3}, {3, 0}, {1, 3}, {3, 1}, {2, 4}, {4, 2}};
  const Csr out = first_appearance_order(from_edges(6, edges));
  EXPECT_EQ(out.row_ptr, (std::vector<Offset>{0, 1, 3, 4, 5, 6, 6}));
  EXPECT_EQ(out.columns, (std::vector<Index>{1, 0, 2, 1, 4, 3}));
}

TEST(Operators, ArcsAreAllInTheList) {
  // 1 -> 0, 2 -> 1: nodes appear in the order 1, 0, 2.
  const std::vector<Edge> edges = {{1, 0}, {2, 1}};
  const Csr out = first_appearance_order(from_edges(3, edges));
  EXPECT_EQ(out.row_ptr, (std::vector<Offset>{0, 1, 1, 2}));
  EXPECT_EQ(out.columns, (std::vector<Index>{1, 0}));
}

}  // namespace
}  // namespace cupel
