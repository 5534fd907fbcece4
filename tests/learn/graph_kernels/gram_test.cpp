#include "cupel/learn/graph_kernels/gram.h"

#include <gtest/gtest.h>

#include "cupel/base/error.h"
#include "cupel/base/random.h"
#include "cupel/learn/graph_kernels/labelled_graphs.h"

namespace cupel {
namespace {

// Features that all graphs have, features that few have, and graphs without any.
Histograms made_histograms(Index graphs, Index features, bool weights) {
  Histograms out;
  out.features = features;
  Stream random(stream_key("histograms"), 0);
  for (Index g = 0; g < graphs; ++g) {
    for (Index f = features - 1; f >= 0 && g % 7 != 3; --f) {
      if (random.next_unit() > 2.0 / (1 + f)) continue;
      out.ids.push_back(f);
      out.counts.push_back(1 + random.next_below(50));
    }
    out.start.push_back(static_cast<Offset>(out.ids.size()));
  }
  for (Index f = 0; f < features && weights; ++f) out.weights.push_back(1 + f % 5);
  return out;
}

TEST(Gram, IsTheInnerProductOfEveryPair) {
  for (const bool weights : {false, true}) {
    const Histograms h = made_histograms(150, 120, weights);
    const Gram gram = inner_products(h, {1});
    std::vector<std::vector<double>> dense(150, std::vector<double>(120, 0));
    for (Index g = 0; g < 150; ++g)
      for (Offset at = h.start[g]; at < h.start[g + 1]; ++at) dense[g][h.ids[at]] = h.counts[at];
    for (Index i = 0; i < 150; ++i) {
      for (Index j = 0; j < 150; ++j) {
        double expected = 0;
        for (Index f = 0; f < 120; ++f)
          expected += dense[i][f] * dense[j][f] * (weights ? h.weights[f] : 1);
        EXPECT_EQ(gram(i, j), expected) << i << " " << j;
      }
    }
    EXPECT_EQ(gram.values, inner_products(h, {3}).values);
  }
}

TEST(Gram, NormalisesToOneAndLeavesZeros) {
  Gram gram = inner_products(made_histograms(20, 30, false), {1});
  normalise(gram);
  for (Index i = 0; i < 20; ++i) EXPECT_NEAR(gram(i, i), i % 7 == 3 ? 0 : 1, 1e-15);
  EXPECT_EQ(gram(3, 5), 0);
}

TEST(Gram, RefusesWhatWouldSwap) {
  EXPECT_NO_THROW(refuse_large_gram("wl-svm", 5000, std::uint64_t{2} << 30));
  try {
    refuse_large_gram("wl-svm", 41127, std::uint64_t{16} << 30);
    FAIL() << "not refused";
  } catch (const Error& e) {
    // 41127^2 pairs of 24 bytes.
    EXPECT_NE(std::string(e.what()).find("41127 graphs needs 40.6 GB"), std::string::npos)
        << e.what();
  }
}

TEST(DistinctRows, NumbersEqualRowsAlike) {
  Matrix dense(4, 2);
  dense(0, 1) = 1;
  dense(2, 0) = -0.0f;
  dense(3, 1) = 1;
  EXPECT_EQ(distinct_rows(dense), (std::vector<Index>{0, 1, 1, 0}));
  Csr sparse;
  sparse.rows = 5;
  sparse.cols = 3;
  sparse.row_ptr = {0, 1, 2, 2, 4, 5};
  sparse.columns = {2, 0, 0, 2, 2};
  EXPECT_EQ(distinct_rows(Features(sparse)), (std::vector<Index>{0, 1, 2, 3, 0}));
  sparse.values = {1, 1, 1, 1, 2};
  EXPECT_EQ(distinct_rows(Features(sparse)), (std::vector<Index>{0, 1, 2, 3, 4}));
}

}  // namespace
}  // namespace cupel
