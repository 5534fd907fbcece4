#include "cupel/engine/kernels/all_pairs_loss.h"

#include "engine/kernels/reference/all_pairs_loss.h"
#include "engine/kernels/support.h"

namespace cupel::test {
namespace {

using kernels::AllPairsLoss;
using kernels::AllPairsWeights;

// About three arcs a node.
Csr symmetric_targets(Index nodes, std::uint32_t seed) {
  return symmetric_with_loops(random_csr(nodes, nodes, 3, false, seed));
}

double largest(const Strided& m) {
  double most = 0;
  for (const float v : m.values)
    if (v != Strided::kPadding) most = std::max(most, std::fabs(double{v}));
  return most;
}

// Sizes around the blocks of 96 nodes, the strips of rows, the widths of vectors.
TEST(AllPairsLoss, EqualsAllPairs) {
  on_every_target([] {
    for (const bool directed : {false, true}) {
      for (const auto& [nodes, width] : {std::pair<Index, Index>{1, 16},
                                         {2, 1},
                                         {95, 16},
                                         {96, 3},
                                         {97, 16},
                                         {200, 40},
                                         {389, 16},
                                         {300, 7}}) {
        for (const float size : {0.1f, 1.0f, 5.0f}) {
          SCOPED_TRACE(testing::Message() << nodes << " x " << width << ", " << size);
          const Csr targets =
              directed ? random_csr(nodes, nodes, 3, false, 31) : symmetric_targets(nodes, 31);
          const AllPairsWeights weights = {37.5, 0.51};
          Strided z = Strided::random(nodes, width, 32), grad(nodes, width), expected(nodes, width);
          for (float& v : z.values)
            if (v != Strided::kPadding) v *= size;
          const double want = reference::all_pairs_loss(targets, weights, z, expected);
          AllPairsLoss loss(targets, width, weights);
          // What is there is corrected after all was taken as absent, so this bounds the error too.
          Csr nothing;
          nothing.rows = nothing.cols = nodes;
          nothing.row_ptr.resize(static_cast<std::size_t>(nodes) + 1);
          const double absent = reference::all_pairs_loss(nothing, weights, z, DenseView{});
          const double most_off = 1e-6 * (want + absent);
          EXPECT_NEAR(loss.compute({1}, z, grad), want, most_off);
          const double most = largest(expected);
          for (Index i = 0; i < nodes; ++i)
            for (Index k = 0; k < width; ++k)
              ASSERT_NEAR(grad(i, k), expected(i, k), 3e-6 * most + 1e-30) << i << ", " << k;
          EXPECT_NEAR(loss.compute({1}, z, DenseView{}), want, most_off);
        }
      }
    }
  });
}

TEST(AllPairsLoss, GradientIsTheSlope) {
  const Csr targets = random_csr(100, 100, 3, false, 33);
  Strided z = Strided::random(100, 5, 34), grad(100, 5);
  AllPairsLoss loss(targets, 5, {20, 0.6});
  (void)loss.compute({1}, z, grad);
  for (Index i = 0; i < 100; i += 7)
    for (Index k = 0; k < 5; ++k) {
      const float x = z(i, k), step = 0.03125f;
      const auto at = [&](float value) {
        z(i, k) = value;
        return loss.compute({1}, z, DenseView{});
      };
      const double slope = (at(x + step) - at(x - step)) / (double{x + step} - double{x - step});
      z(i, k) = x;
      EXPECT_NEAR(grad(i, k), slope, 2e-5 + 1e-3 * std::abs(slope)) << i << ", " << k;
    }
}

TEST(AllPairsLoss, SameBitsOnAnyNumberOfThreadsAndAgain) {
  for (const Index nodes : {96, 500, 1000}) {
    const Csr targets = symmetric_targets(nodes, 35);
    Strided z = Strided::random(nodes, 16, 36), first(nodes, 16);
    const double want = AllPairsLoss(targets, 16, {9, 1}).compute({1}, z, first);
    AllPairsLoss loss(targets, 16, {9, 1});
    for (const int threads : {1, 2, 3, 8}) {
      Strided grad = Strided::random(nodes, 16, 37);
      EXPECT_EQ(loss.compute({threads}, z, grad), want);
      EXPECT_TRUE(same_bits(grad.values, first.values)) << threads << " threads";
    }
  }
}

// All embeddings zero: every pair costs log 2, and the weights of the released code make the
// positives and the negatives weigh alike: (m w + n^2 - m) / n^2 * scale = 1, but for the loops.
TEST(AllPairsLoss, StartsAtLogTwoWithTheReleasedWeights) {
  const Index n = 300;
  const Csr targets = symmetric_targets(n, 40);
  const Offset arcs = targets.entries() - n;
  Strided z(n, 16), grad = Strided::random(n, 16, 41);
  const AllPairsWeights weights = kernels::released_weights(n, arcs);
  EXPECT_DOUBLE_EQ(weights.positive, (90000.0 - static_cast<double>(arcs)) / arcs);
  EXPECT_DOUBLE_EQ(weights.scale, 90000.0 / (2 * (90000.0 - static_cast<double>(arcs))));
  const double loops = n * (weights.positive - 1) * weights.scale / 90000;
  const double got = AllPairsLoss(targets, 16, weights).compute({1}, z, grad);
  EXPECT_NEAR(got, std::log(2.0) * (1 + loops), 1e-7);
  for (Index i = 0; i < n; ++i)
    for (Index k = 0; k < 16; ++k) EXPECT_EQ(grad(i, k), 0);
}

TEST(AllPairsLoss, LargeScoresStayFinite) {
  on_every_target([] {
    const Csr targets = symmetric_targets(150, 42);
    Strided z = Strided::random(150, 16, 43), grad(150, 16), expected(150, 16);
    for (Index i = 0; i < 150; ++i)
      for (Index k = 0; k < 16; ++k) z(i, k) *= 100;
    const double want = reference::all_pairs_loss(targets, {10, 0.5}, z, expected);
    AllPairsLoss loss(targets, 16, {10, 0.5});
    EXPECT_NEAR(loss.compute({1}, z, grad), want, 1e-6 * want);
    for (Index i = 0; i < 150; ++i)
      for (Index k = 0; k < 16; ++k)
        ASSERT_NEAR(grad(i, k), expected(i, k), 1e-5 * largest(expected));
  });
}

TEST(AllPairsLoss, IsNotFiniteWhereAnEmbeddingIsNot) {
  on_every_target([] {
    const Csr targets = symmetric_targets(130, 44);
    AllPairsLoss loss(targets, 16, {10, 0.5});
    for (const float bad : {kNan, std::numeric_limits<float>::infinity(), 1e30f})
      for (const Index row : {0, 95, 96, 129}) {
        Strided z = Strided::random(130, 16, 45);
        z(row, 11) = bad;
        EXPECT_FALSE(std::isfinite(loss.compute({1}, z, DenseView{}))) << bad << " in row " << row;
        z(row, 11) = 0;
        EXPECT_TRUE(std::isfinite(loss.compute({1}, z, DenseView{})));
      }
  });
}

TEST(AllPairsLoss, OfNoNodesIsZeroAndOddShapesAreBugs) {
  Csr none;
  EXPECT_EQ(AllPairsLoss(none, 16, {}).compute({1}, Strided(0, 16), DenseView{}), 0);
  EXPECT_THROW(AllPairsLoss(random_csr(3, 4, 1, false, 1), 16, {}), std::logic_error);
  EXPECT_THROW(AllPairsLoss(none, 0, {}), std::logic_error);
}

// PubMed's size: what is held grows with the nodes, and not with their pairs.
TEST(AllPairsLoss, HoldsFewBytesForANode) {
  const Csr targets = symmetric_targets(19717, 46);
  EXPECT_LT(AllPairsLoss(targets, 16, {}).memory_bytes(), 5u << 20);
}

}  // namespace
}  // namespace cupel::test
