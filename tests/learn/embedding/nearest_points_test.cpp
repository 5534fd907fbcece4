#include "cupel/learn/embedding/nearest_points.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <limits>
#include <set>
#include <stdexcept>

#include "cupel/base/random.h"
#include "engine/kernels/support.h"
#include "error_of.h"

namespace cupel {
namespace {

// Numbers of a coarse grid: many distances are equal, many points in one place.
Matrix on_a_grid(Index rows, Index columns, std::uint32_t steps) {
  Stream random(stream_key("grid"), 0, static_cast<std::uint32_t>(rows),
                static_cast<std::uint32_t>(columns));
  Matrix out(rows, columns);
  for (float& x : out.values) x = static_cast<float>(random.next_below(steps)) - 1;
  return out;
}

// By sorting all others. Differences on a grid are exact.
void expect_nearest(const Matrix& points, const NearestPoints& got) {
  ASSERT_EQ(got.points, points.rows);
  ASSERT_EQ(got.ids.size(), static_cast<std::size_t>(points.rows) * got.count);
  for (Index i = 0; i < points.rows; ++i) {
    std::set<std::pair<double, Index>> others;
    for (Index j = 0; j < points.rows; ++j) {
      double squared = 0;
      for (Index c = 0; c < points.cols; ++c)
        squared += (double(points(i, c)) - points(j, c)) * (double(points(i, c)) - points(j, c));
      if (i != j) others.emplace(squared, j);
    }
    auto expected = others.begin();
    for (Index k = 0; k < got.count; ++k, ++expected) {
      EXPECT_EQ(got.squared_of(i)[k], expected->first) << i << " " << k;
      EXPECT_EQ(got.ids_of(i)[k], expected->second) << i << " " << k;
    }
  }
}

TEST(NearestPoints, AreThoseOfASortOfAll) {
  for (const auto& [rows, columns, count] :
       {std::tuple{2, 1, 1}, {5, 3, 4}, {16, 2, 7}, {17, 33, 5}, {33, 1, 32}, {150, 4, 20}})
    for (const std::uint32_t steps : {1u, 3u, 1000u}) {
      const Matrix points = on_a_grid(rows, columns, steps);
      expect_nearest(points, nearest_points(points, count, {1}));
    }
}

TEST(NearestPoints, DoNotDependOnThreadsOrVectors) {
  Stream random(stream_key("threads"), 0);
  Matrix points(131, 37);
  for (float& x : points.values) x = static_cast<float>(random.next_normal());
  const NearestPoints expected = nearest_points(points, 40, {1});
  for (const int threads : {2, 3}) {
    const NearestPoints got = nearest_points(points, 40, {threads});
    EXPECT_EQ(got.ids, expected.ids);
    EXPECT_EQ(got.squared, expected.squared);
  }
  test::on_every_target([&] {
    const bool fused = (hwy::SupportedTargets() & (HWY_AVX3 | HWY_AVX2)) != 0;
    const NearestPoints got = nearest_points(points, 40, {1});
    EXPECT_EQ(got.ids, expected.ids);
    for (std::size_t i = 0; i < got.squared.size(); ++i)
      EXPECT_NEAR(got.squared[i], expected.squared[i], fused ? 0 : 1e-12 * expected.squared[i]);
  });
}

TEST(NearestPoints, FarFromTheOriginKeepTheirDistances) {
  // |x|^2 + |y|^2 - 2 x y would lose these distances to the squares of 10000.
  Matrix points(40, 6);
  for (Index i = 0; i < 40; ++i)
    for (Index c = 0; c < 6; ++c)
      points(i, c) = 10000.0f + static_cast<float>((i * 7 + c * c * i) % 40) / 1024;
  expect_nearest(points, nearest_points(points, 9, {1}));
}

TEST(NearestPoints, RefusesWhatIsNoNumber) {
  Matrix points(4, 2);
  points(2, 1) = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(error_of([&] { (void)nearest_points(points, 1, {1}); }),
            "nearest points: number 1 of point 2 is nan; distances want finite numbers");
  points(2, 1) = 0;
  EXPECT_THROW((void)nearest_points(points, 0, {1}), std::logic_error);
  EXPECT_THROW((void)nearest_points(points, 4, {1}), std::logic_error);
  const std::atomic<bool> stop = true;
  EXPECT_THROW((void)nearest_points(points, 1, {1}, {{}, &stop}), Interrupted);
}

}  // namespace
}  // namespace cupel
