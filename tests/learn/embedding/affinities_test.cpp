#include "cupel/learn/embedding/affinities.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "learn/embedding/made_points.h"

namespace cupel {
namespace {

double entropy(const std::vector<double>& p) {
  double sum = 0;
  for (const double v : p)
    if (v > 0) sum -= v * std::log(v);
  return sum;
}

TEST(Affinities, HaveThePerplexityThatIsAskedFor) {
  Stream random(stream_key("distances"), 0);
  for (const double scale : {1e-30, 1.0, 1e12})
    for (const double offset : {0.0, 1000.0})
      for (const double perplexity : {1.5, 5.0, 30.0, 90.9}) {
        std::vector<double> squared(91);
        for (double& d : squared) d = scale * (offset + 5 * std::pow(random.next_normal(), 2));
        std::sort(squared.begin(), squared.end());
        const std::vector<double> p = conditional_affinities(squared, perplexity);
        EXPECT_NEAR(std::accumulate(p.begin(), p.end(), 0.0), 1, 1e-12);
        EXPECT_NEAR(std::exp(entropy(p)), perplexity, 1e-6);
        // One beta for all: the logarithms are a line in the distances.
        std::size_t far = 90;
        while (p[far] < 1e-200) --far;
        ASSERT_GT(far, 0u);
        const double beta = std::log(p[0] / p[far]) / (squared[far] - squared[0]);
        for (std::size_t j = 1; j < far; ++j)
          EXPECT_NEAR(std::log(p[0] / p[j]), beta * (squared[j] - squared[0]), 1e-9 * 460);
      }
}

TEST(Affinities, OfEqualDistancesAreEqual) {
  for (const double d : {0.0, 4.0}) {
    const std::vector<double> squared(10, d);
    for (const double perplexity : {1.0, 3.0, 10.0})
      for (const double p : conditional_affinities(squared, perplexity)) EXPECT_DOUBLE_EQ(p, 0.1);
  }
  // More in one place than the perplexity.
  EXPECT_EQ(conditional_affinities(std::vector<double>{0, 0, 0, 0, 5, 9}, 3),
            (std::vector<double>{0.25, 0.25, 0.25, 0.25, 0, 0}));
  // Fewer: those in one place share the most.
  const auto p = conditional_affinities(std::vector<double>{0, 0, 5, 9}, 3);
  EXPECT_EQ(p[0], p[1]);
  EXPECT_GT(p[1], p[2]);
  EXPECT_NEAR(std::exp(entropy(p)), 3, 1e-6);
}

TEST(Affinities, AreSymmetricAndSumToOne) {
  const Matrix points = test::normal_points(70, 5, "joint");
  const NearestPoints nearest = nearest_points(points, 16, {1});
  const Affinities got = joint_affinities(nearest, 5, {2});
  std::vector<double> expected(70 * 70);
  for (Index i = 0; i < 70; ++i) {
    const auto p = conditional_affinities(nearest.squared_of(i), 5);
    for (Index k = 0; k < 16; ++k) {
      const Index j = nearest.ids_of(i)[k];
      expected[i * 70 + j] += p[k] / 140;
      expected[j * 70 + i] += p[k] / 140;
    }
  }
  std::vector<double> dense(70 * 70);
  for (Index i = 0; i < 70; ++i)
    for (Offset e = got.row_ptr[i]; e < got.row_ptr[i + 1]; ++e)
      dense[i * 70 + got.columns[e]] = got.values[e];
  double sum = 0;
  for (Index i = 0; i < 70; ++i) {
    EXPECT_TRUE(std::is_sorted(got.columns.begin() + got.row_ptr[i],
                               got.columns.begin() + got.row_ptr[i + 1]));
    for (Index j = 0; j < 70; ++j) {
      EXPECT_NEAR(dense[i * 70 + j], expected[i * 70 + j], 1e-16);
      EXPECT_EQ(dense[i * 70 + j], dense[j * 70 + i]);
      sum += dense[i * 70 + j];
    }
  }
  EXPECT_NEAR(sum, 1, 1e-12);
}

}  // namespace
}  // namespace cupel
