#include "cupel/learn/embedding/tsne_objective.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "engine/kernels/support.h"
#include "learn/embedding/made_points.h"

namespace cupel {
namespace {

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

TEST(Repulsion, IsTheSumOverAllPairs) {
  for (const Index n : {2, 3, 31, 32, 33, 64, 100, 1024, 1025, 1100, 2081}) {
    const PlaneRows at = test::normal_rows(n, 4);
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
  const PlaneRows at = test::normal_rows(1200, 9);
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
    const Affinities p = test::affinities_of(test::normal_points(n, 4, "differences"),
                                             std::min(n - 1, 13), std::min<double>(n - 1, 4));
    const Dense dense(p);
    PlaneRows at = test::normal_rows(n, 2);
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

}  // namespace
}  // namespace cupel
