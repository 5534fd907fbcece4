#include "cupel/engine/kernels/distances.h"

#include <cmath>

#include "engine/kernels/support.h"

namespace cupel::test {
namespace {

using kernels::Norm;

constexpr Norm kNorms[] = {Norm::kL1, Norm::kL2};

struct Shape {
  Index a, b, cols;
};
constexpr Shape kShapes[] = {{1, 1, 1},    {3, 9, 7},     {5, 4, 8}, {2, 6, 33}, {17, 70, 3},
                             {40, 23, 16}, {9, 301, 130}, {0, 3, 4}, {3, 0, 4},  {2, 3, 0}};

double distance(Norm norm, const float* a, const float* b, Index cols) {
  double sum = 0;
  for (Index k = 0; k < cols; ++k) {
    const double x = double{a[k]} - double{b[k]};
    sum += norm == Norm::kL1 ? std::abs(x) : x * x;
  }
  return norm == Norm::kL1 ? sum : std::sqrt(sum);
}

// Rows of both, some of which are the same.
std::pair<Strided, Strided> rows_of(const Shape& shape) {
  Strided a = Strided::random(shape.a, shape.cols, 1), b = Strided::random(shape.b, shape.cols, 2);
  if (shape.a > 1 && shape.b > 2)
    for (Index k = 0; k < shape.cols; ++k) b(2, k) = a(1, k);
  return {a, b};
}

TEST(Distances, AreThoseOfTheDefinition) {
  on_every_target([] {
    for (const Norm norm : kNorms)
      for (const Shape& shape : kShapes) {
        auto [a, b] = rows_of(shape);
        Strided out(shape.a, shape.b), expected(shape.a, shape.b);
        for (Index i = 0; i < shape.a; ++i)
          for (Index j = 0; j < shape.b; ++j)
            expected(i, j) =
                static_cast<float>(-distance(norm, a.view().row(i), b.view().row(j), shape.cols));
        kernels::negative_distances({1}, norm, a, b, out);
        expect_near(out.values, expected.values, 1e-5);
      }
  });
}

TEST(Distances, HaveTheGradientsOfTheDefinition) {
  on_every_target([] {
    for (const Norm norm : kNorms)
      for (const Shape& shape : kShapes) {
        auto [a, b] = rows_of(shape);
        Strided out(shape.a, shape.b), grad = Strided::random(shape.a, shape.b, 3),
                                       grad_a(shape.a, shape.cols), grad_b(shape.b, shape.cols),
                                       expected_a = grad_a, expected_b = grad_b;
        if (shape.a > 0 && shape.b > 1) grad(0, 1) = 0;
        std::vector<double> of_a(expected_a.values.size()), of_b(expected_b.values.size());
        for (Index i = 0; i < shape.a; ++i)
          for (Index j = 0; j < shape.b; ++j) {
            const double d = distance(norm, a.view().row(i), b.view().row(j), shape.cols);
            for (Index k = 0; k < shape.cols; ++k) {
              const double x = double{a(i, k)} - double{b(j, k)};
              const double slope = x == 0 ? 0 : norm == Norm::kL1 ? x / std::abs(x) : x / d;
              of_a[static_cast<std::size_t>(i * a.stride + k)] -= grad(i, j) * slope;
              of_b[static_cast<std::size_t>(j * b.stride + k)] += grad(i, j) * slope;
            }
          }
        const auto take = [&](const std::vector<double>& from, Strided& to) {
          for (Index i = 0; i < to.rows; ++i)
            for (Index k = 0; k < to.cols; ++k)
              to(i, k) = static_cast<float>(from[static_cast<std::size_t>(i * to.stride + k)]);
        };
        take(of_a, expected_a), take(of_b, expected_b);
        kernels::negative_distances({1}, norm, a, b, out);
        kernels::scale_distance_gradients({1}, norm, out, grad);
        kernels::negative_distances_backward({1}, norm, a, b, grad, false, grad_a);
        kernels::negative_distances_backward({1}, norm, b, a, grad, true, grad_b);
        expect_near(grad_a.values, expected_a.values, 1e-4);
        expect_near(grad_b.values, expected_b.values, 1e-4);
      }
  });
}

TEST(Distances, DoNotMindThreadsOrOtherRows) {
  for (const Norm norm : kNorms) {
    Strided a = Strided::random(60, 40, 1), b = Strided::random(301, 40, 2);
    Strided out(60, 301), grad = Strided::random(60, 301, 3), ga(60, 40), gb(301, 40);
    kernels::negative_distances({1}, norm, a, b, out);
    for (const int threads : {2, 5}) {
      Strided other(60, 301);
      kernels::negative_distances({threads}, norm, a, b, other);
      EXPECT_TRUE(same_bits(out.values, other.values));
    }
    kernels::scale_distance_gradients({1}, norm, out, grad);
    kernels::negative_distances_backward({1}, norm, a, b, grad, false, ga);
    kernels::negative_distances_backward({1}, norm, b, a, grad, true, gb);
    Strided ga5(60, 40), gb5(301, 40);
    kernels::negative_distances_backward({5}, norm, a, b, grad, false, ga5);
    kernels::negative_distances_backward({5}, norm, b, a, grad, true, gb5);
    EXPECT_TRUE(same_bits(ga.values, ga5.values));
    EXPECT_TRUE(same_bits(gb.values, gb5.values));
    for (const Index j : {0, 3, 299, 300})
      for (const Index i : {0, 59}) {
        float one = 0;
        kernels::negative_distances({1}, norm, {a.view().row(i), 1, 40, 40},
                                    {b.view().row(j), 1, 40, 40}, {&one, 1, 1, 1});
        EXPECT_EQ(one, out(i, j));
      }
  }
}

// Widths of vectors do not show; whether there is fused multiply-add may.
TEST(Distances, AreTheSameBitsOnWideVectors) {
  std::vector<std::vector<float>> seen;
  on_every_target([&] {
    if ((hwy::SupportedTargets() & (HWY_AVX3 | HWY_AVX2)) == 0) return;
    Strided a = Strided::random(7, 45, 1), b = Strided::random(30, 45, 2), out(7, 30), ga(7, 45);
    kernels::negative_distances({1}, Norm::kL2, a, b, out);
    kernels::negative_distances_backward({1}, Norm::kL2, a, b, out, false, ga);
    seen.push_back(out.values);
    seen.back().insert(seen.back().end(), ga.values.begin(), ga.values.end());
  });
  for (const auto& one : seen) EXPECT_TRUE(same_bits(one, seen.front()));
}

}  // namespace
}  // namespace cupel::test
