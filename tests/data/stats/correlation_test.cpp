#include "cupel/data/stats/correlation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace cupel::test {
namespace {

using List = std::vector<double>;

// Numbers from scipy.stats 1.17.1: pearsonr, spearmanr, rankdata.
TEST(Correlation, IsThatOfSciPy) {
  const List x = {1, 2, 2, 5, -3, 8.5, 0}, y = {0, 1, 0, 1, 0, 1, 1};
  EXPECT_NEAR(*pearson(x, y), 0.5639782722899713, 1e-14);
  EXPECT_NEAR(*spearman(x, y), 0.5097533568780934, 1e-14);
  EXPECT_EQ(average_ranks(x), (List{3, 4.5, 4.5, 6, 1, 7, 2}));
}

TEST(Correlation, DoesNotDependOnScaleAndIsOneOfItself) {
  List x, y, squashed;
  for (int i = 0; i < 50; ++i) {
    x.push_back(std::sin(i * 1.7));
    y.push_back(-3e6 * x.back() + 1e7);
    squashed.push_back(std::exp(5 * x.back()));
  }
  EXPECT_NEAR(*pearson(x, y), -1, 1e-12);
  EXPECT_DOUBLE_EQ(*spearman(x, squashed), 1);
  EXPECT_LT(*pearson(x, squashed), 0.95);
}

TEST(Correlation, IsNotDefinedForConstants) {
  EXPECT_FALSE(pearson(List{1, 2, 3}, List{0.1, 0.1, 0.1}));
  EXPECT_FALSE(spearman(List{1, 1, 1}, List{1, 2, 3}));
  EXPECT_FALSE(pearson(List{1}, List{2}));
  EXPECT_FALSE(spearman(List{}, List{}));
}

}  // namespace
}  // namespace cupel::test
