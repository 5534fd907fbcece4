#include "cupel/learn/embedding/tsne.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>

#include "cupel/learn/embedding/tsne_objective.h"
#include "engine/kernels/support.h"
#include "error_of.h"

namespace cupel {
namespace {

Matrix normal_points(Index rows, Index columns, const char* name, double apart = 0) {
  Stream random(stream_key(name), 0);
  Matrix out(rows, columns);
  for (Index i = 0; i < rows; ++i)
    for (Index c = 0; c < columns; ++c)
      out(i, c) = static_cast<float>(random.next_normal() + (i < rows / 2 ? apart : 0));
  return out;
}

PlaneRows normal_rows(Index rows, double scale) {
  Stream random(stream_key("plane"), 0);
  PlaneRows out;
  for (Index i = 0; i < rows; ++i) {
    out.x.push_back(scale * random.next_normal());
    out.y.push_back(scale * random.next_normal());
  }
  return out;
}

Affinities affinities_of(const Matrix& points, Index count, double perplexity) {
  return joint_affinities(nearest_points(points, count, {1}), perplexity, {1});
}

double entropy(const std::vector<double>& p) {
  double sum = 0;
  for (const double v : p)
    if (v > 0) sum -= v * std::log(v);
  return sum;
}

// By definition, of a matrix of all pairs. p is 0 where it is not stored.
struct Dense {
  Index n;
  std::vector<double> p;

  explicit Dense(const Affinities& from) : n(from.points), p(std::size_t(n) * n) {
    for (Index i = 0; i < n; ++i)
      for (Offset e = from.row_ptr[i]; e < from.row_ptr[i + 1]; ++e)
        p[std::size_t(i) * n + from.columns[e]] = from.values[e];
  }
  double divergence(const PlaneRows& at, double exaggeration = 1) const {
    std::vector<double> w(p.size());
    for (Index i = 0; i < n; ++i)
      for (Index j = 0; j < n; ++j)
        if (i != j)
          w[std::size_t(i) * n + j] =
              1 / (1 + std::pow(at.x[i] - at.x[j], 2) + std::pow(at.y[i] - at.y[j], 2));
    const double z = std::accumulate(w.begin(), w.end(), 0.0);
    double sum = 0, rest = 0;
    for (std::size_t e = 0; e < p.size(); ++e)
      if (p[e] > 0) sum += exaggeration * p[e] * std::log(p[e] / w[e]);
    for (const double v : p) rest += v;
    return sum + rest * std::log(z);  // the pull counts more; the push is that of q
  }
};

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
  const Matrix points = normal_points(70, 5, "joint");
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
  const Dense dense(got);
  double sum = 0;
  for (Index i = 0; i < 70; ++i) {
    EXPECT_TRUE(std::is_sorted(got.columns.begin() + got.row_ptr[i],
                               got.columns.begin() + got.row_ptr[i + 1]));
    for (Index j = 0; j < 70; ++j) {
      EXPECT_NEAR(dense.p[i * 70 + j], expected[i * 70 + j], 1e-16);
      EXPECT_EQ(dense.p[i * 70 + j], dense.p[j * 70 + i]);
      sum += dense.p[i * 70 + j];
    }
  }
  EXPECT_NEAR(sum, 1, 1e-12);
}

TEST(Repulsion, IsTheSumOverAllPairs) {
  for (const Index n : {2, 3, 31, 32, 33, 64, 100, 1024, 1025, 1100, 2081}) {
    const PlaneRows at = normal_rows(n, 4);
    for (const int threads : {1, 3}) {
      AllPairsRepulsion all(n);
      Repulsion got;
      all.compute(at.x, at.y, {threads}, {}, got);
      for (Index i = 0; i<n; i += n> 100 ? 37 : 1) {
        double x = 0, y = 0, near = 0, size = 0;
        for (Index j = 0; j < n; ++j) {
          const double dx = at.x[i] - at.x[j], dy = at.y[i] - at.y[j];
          const double q = 1 / (1 + dx * dx + dy * dy);
          if (i != j) near += q;
          x += q * q * dx;
          y += q * q * dy;
          size += q * q * (std::abs(dx) + std::abs(dy));
        }
        EXPECT_NEAR(got.near[i], near, 2e-6 * near) << n << " " << i;
        EXPECT_NEAR(got.x[i], x, 2e-6 * size) << n << " " << i;
        EXPECT_NEAR(got.y[i], y, 2e-6 * size) << n << " " << i;
      }
    }
  }
}

TEST(Repulsion, HasTheSameBitsForVectorsOfAnyWidth) {
  const PlaneRows at = normal_rows(1200, 9);
  Repulsion expected;
  AllPairsRepulsion all(1200);
  all.compute(at.x, at.y, {1}, {}, expected);
  test::on_every_target([&] {
    const bool fused = (hwy::SupportedTargets() & (HWY_AVX3 | HWY_AVX2)) != 0;
    Repulsion got;
    all.compute(at.x, at.y, {2}, {}, got);
    for (std::size_t i = 0; i < 1200; ++i) {
      EXPECT_NEAR(got.near[i], expected.near[i], fused ? 0 : 1e-5 * expected.near[i]);
      EXPECT_NEAR(got.x[i], expected.x[i], fused ? 0 : 1e-5 * expected.near[i]);
      EXPECT_NEAR(got.y[i], expected.y[i], fused ? 0 : 1e-5 * expected.near[i]);
    }
  });
}

TEST(TsneObjective, GradientIsThatOfFiniteDifferences) {
  for (const Index n : {2, 9, 40}) {
    const Affinities p = affinities_of(normal_points(n, 4, "differences"), std::min(n - 1, 13),
                                       std::min<double>(n - 1, 4));
    const Dense dense(p);
    PlaneRows at = normal_rows(n, 2);
    for (const double exaggeration : {1.0, 12.0}) {
      TsneObjective objective(p, {1});
      PlaneRows got;
      objective.gradient(at, exaggeration, {}, got);
      EXPECT_NEAR(objective.divergence(at), dense.divergence(at), 1e-6);
      for (Index i = 0; i < n; ++i)
        for (const bool along_x : {true, false}) {
          double& v = (along_x ? at.x : at.y)[i];
          const double here = v, h = 1e-5;
          v = here + h;
          const double above = dense.divergence(at, exaggeration);
          v = here - h;
          const double below = dense.divergence(at, exaggeration);
          v = here;
          EXPECT_NEAR((along_x ? got.x : got.y)[i], (above - below) / (2 * h), 2e-7)
              << n << " " << i;
        }
    }
  }
}

TEST(Tsne, HasTheSameBitsOnAnyNumberOfThreads) {
  const Matrix points = normal_points(300, 7, "threads", 3);
  TsneSettings settings;
  settings.iterations = 320;
  const Matrix expected = tsne(points, settings, stream_key("a"), {1});
  for (const int threads : {2, 3})
    EXPECT_EQ(tsne(points, settings, stream_key("a"), {threads}).values, expected.values);
  EXPECT_NE(tsne(points, settings, stream_key("b"), {1}).values, expected.values);
}

TEST(Tsne, SeparatesTwoClusters) {
  for (const char* key : {"1", "2", "3"}) {
    const Matrix y = tsne(normal_points(200, 10, "clusters", 6), {}, stream_key(key), {2});
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
  const Affinities p = affinities_of(points, 91, 30);
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
  Matrix half = normal_points(90, 4, "half");
  for (Index i = 0; i < 45; ++i) std::fill_n(half.row(i), 4, 1.0f);
  for (const float v : tsne(half, {}, stream_key("half"), {1}).values)
    EXPECT_TRUE(std::isfinite(v));
  TsneSettings settings;
  for (const Index n : {2, 3, 5}) {
    settings.perplexity = n - 1;
    const Matrix y = tsne(normal_points(n, 4, "few"), settings, stream_key("few"), {1});
    EXPECT_EQ(y.rows, n);
    EXPECT_EQ(y.cols, 2);
    for (const float v : y.values) EXPECT_TRUE(std::isfinite(v));
  }
}

TEST(Tsne, ReportsProgressAndStops) {
  const Matrix points = normal_points(40, 3, "progress");
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
  Matrix points = normal_points(20, 3, "bad");
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
