#include "cupel/learn/embedding/tsne.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <limits>
#include <numeric>

#include "error_of.h"
#include "learn/embedding/made_points.h"

namespace cupel {
namespace {

TEST(Tsne, HasTheSameBitsOnAnyNumberOfThreads) {
  const Matrix points = test::normal_points(300, 7, "threads", 3);
  TsneSettings settings;
  settings.iterations = 320;
  const Matrix expected = tsne(points, settings, stream_key("a"), {1});
  for (const int threads : {2, 3})
    EXPECT_EQ(tsne(points, settings, stream_key("a"), {threads}).values, expected.values);
  EXPECT_NE(tsne(points, settings, stream_key("b"), {1}).values, expected.values);
}

TEST(Tsne, SeparatesTwoClusters) {
  for (const char* key : {"1", "2", "3"}) {
    const Matrix y = tsne(test::normal_points(200, 10, "clusters", 6), {}, stream_key(key), {2});
    const NearestPoints nearest = nearest_points(y, 50, {1});
    for (Index i = 0; i < 200; ++i)
      for (const Index j : nearest.ids_of(i)) EXPECT_EQ(i < 100, j < 100) << i << " " << j;
  }
}

// Two sheets in three columns. All numbers are exact.
Matrix two_sheets(Index n) {
  Matrix out(n, 3);
  for (Index i = 0; i < n; ++i) {
    const Index t = i / 2;
    out(i, 0) = static_cast<float>((t * t) % 211 + 300 * (i % 2)) / 16;
    out(i, 1) = static_cast<float>((t * 37) % 101) / 8;
    out(i, 2) = static_cast<float>((t * t * 3 + t) % 89) / 8;
  }
  return out;
}

// Five descents against five of scikit-learn 1.9.1 on the same points: kl_divergence_ of
// TSNE(init="random", learning_rate=200.0, max_iter=1000, random_state=s), s from 0 to 4.
TEST(Tsne, ComesAsLowAsScikitLearn) {
  const Matrix points = two_sheets(300);
  const Affinities p = test::affinities_of(points, 91, 30);
  double sum = 0;
  for (const char* key : {"1", "2", "3", "4", "5"}) {
    const Matrix y = tsne(points, {}, stream_key(key), {2});
    PlaneRows at, gradient;
    for (Index i = 0; i < y.rows; ++i) {
      at.x.push_back(y(i, 0));
      at.y.push_back(y(i, 1));
    }
    TsneObjective objective(p, {2});
    objective.gradient(at, 1, {}, gradient);
    const double divergence = objective.divergence(at);
    EXPECT_GT(divergence, 0.385);
    EXPECT_LT(divergence, 0.445);
    sum += divergence;
  }
  EXPECT_NEAR(sum / 5, (0.430590 + 0.403568 + 0.424338 + 0.396534 + 0.419215) / 5, 0.02);
}

TEST(Tsne, TakesPointsInOnePlaceAndFewPoints) {
  Matrix same(60, 3);  // all at 0
  for (const Matrix& y : {tsne(same, {}, stream_key("same"), {1})})
    for (const float v : y.values) EXPECT_TRUE(std::isfinite(v));
  Matrix half = test::normal_points(90, 4, "half");
  for (Index i = 0; i < 45; ++i) std::fill_n(half.row(i), 4, 1.0f);
  for (const float v : tsne(half, {}, stream_key("half"), {1}).values)
    EXPECT_TRUE(std::isfinite(v));
  TsneSettings settings;
  for (const Index n : {2, 3, 5}) {
    settings.perplexity = n - 1;
    const Matrix y = tsne(test::normal_points(n, 4, "few"), settings, stream_key("few"), {1});
    EXPECT_EQ(y.rows, n);
    EXPECT_EQ(y.cols, 2);
    for (const float v : y.values) EXPECT_TRUE(std::isfinite(v));
  }
}

TEST(Tsne, ReportsProgressAndStops) {
  const Matrix points = test::normal_points(40, 3, "progress");
  TsneSettings settings;
  settings.perplexity = 5;
  settings.iterations = 60;
  std::vector<int> seen;
  (void)tsne(points, settings, stream_key("p"), {2}, {}, [&](int done, int all) {
    EXPECT_EQ(all, 60);
    seen.push_back(done);
  });
  std::vector<int> expected(60);
  std::iota(expected.begin(), expected.end(), 1);
  EXPECT_EQ(seen, expected);

  std::atomic<bool> stop = false;
  int last = 0;
  const auto stop_at_7 = [&](int done, int) {
    last = done;
    stop = done == 7;
  };
  EXPECT_THROW((void)tsne(points, settings, stream_key("p"), {1}, {{}, &stop}, stop_at_7),
               Interrupted);
  EXPECT_EQ(last, 7);
  EXPECT_THROW((void)tsne(points, settings, stream_key("p"), {1},
                          {std::chrono::steady_clock::now(), nullptr}),
               TimedOut);
}

TEST(Tsne, RefusesBadInputInOneSentence) {
  const auto error = [](const Matrix& points, TsneSettings settings) {
    return error_of([&] { (void)tsne(points, settings, stream_key("bad"), {1}); });
  };
  Matrix points = test::normal_points(20, 3, "bad");
  EXPECT_EQ(error(points, {}),
            "t-SNE: perplexity 30 does not go with 20 points; give one from 1 to 19");
  TsneSettings good;
  good.perplexity = 5;
  good.iterations = 1;
  EXPECT_EQ(error(points, good), "no error");
  TsneSettings s = good;
  s.perplexity = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(error(points, s),
            "t-SNE: perplexity nan does not go with 20 points; give one from 1 to 19");
  s = good;
  s.early_exaggeration = 0.5;
  EXPECT_EQ(error(points, s), "t-SNE: early exaggeration 0.5 is not a number from 1 on");
  s = good;
  s.learning_rate = -1;
  EXPECT_EQ(error(points, s), "t-SNE: learning rate -1 is not a number above 0");
  s = good;
  s.iterations = 0;
  EXPECT_EQ(error(points, s), "t-SNE: 0 iterations are none; give 1 or more");
  s = good;
  s.learning_rate = 1e30;
  s.iterations = 100;
  EXPECT_EQ(error(points, s),
            "t-SNE: positions left the range of numbers; learning rate 1e+30 is too high for these "
            "points");
  points(3, 1) = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(error(points, good),
            "t-SNE: number 1 of point 3 is nan; points must be finite numbers");
  points(3, 1) = std::numeric_limits<float>::infinity();
  EXPECT_EQ(error(points, good),
            "t-SNE: number 1 of point 3 is inf; points must be finite numbers");
  EXPECT_EQ(error(Matrix(1, 3), good),
            "t-SNE: 1 points of 3 columns are too few; it wants 2 points or more, of 1 column or "
            "more");
}

}  // namespace
}  // namespace cupel
