#include "cupel/engine/kernels/dense.h"

#include <tuple>

#include "engine/kernels/reference.h"
#include "engine/kernels/support.h"

namespace cupel::test {
namespace {

bool fused() { return (hwy::SupportedTargets() & (HWY_AVX3 | HWY_AVX2)) != 0; }

struct Shape {
  Index m, k, n;
};
constexpr Shape kShapes[] = {{1, 1, 1},    {5, 3, 7},     {9, 64, 7},     {33, 7, 64},
                             {64, 60, 7},  {64, 61, 64},  {13, 300, 5},   {70, 520, 33},
                             {3, 17, 130}, {250, 20, 48}, {120, 257, 65}, {31, 2, 16},
                             {0, 4, 5},    {4, 0, 5},     {4, 5, 0},      {100, 30, 200}};

using Multiply = void (*)(Threads, ConstDenseView, ConstDenseView, DenseView, bool);

// A row's chain starts from the element itself where it accumulates; the oracle adds at the end.
void check(Multiply kernel, Multiply oracle, Strided a, Strided b, Index m, Index n) {
  for (const bool accumulate : {false, true}) {
    Strided out = Strided::random(m, n, 3), expected = out;
    kernel({1}, a, b, out, accumulate);
    oracle({1}, a, b, expected, accumulate);
    if (fused() && !accumulate) {
      EXPECT_TRUE(same_bits(out.values, expected.values));
    }
    expect_near(out.values, expected.values, 2e-5);
  }
}

TEST(Matmul, EqualsOracleToTheBit) {
  on_every_target([] {
    for (const auto [m, k, n] : kShapes) {
      SCOPED_TRACE(testing::Message() << m << " x " << k << " x " << n);
      check(kernels::matmul, reference::matmul, Strided::random(m, k, 1), Strided::random(k, n, 2),
            m, n);
      check(kernels::matmul_nt, reference::matmul_nt, Strided::random(m, k, 1),
            Strided::random(n, k, 2), m, n);
      check(kernels::matmul_tn, reference::matmul_tn, Strided::random(k, m, 1),
            Strided::random(k, n, 2), m, n);
    }
  });
}

TEST(Matmul, RowsDoNotDependOnOtherRows) {
  for (const auto [m, k, n] : {Shape{101, 300, 64}, Shape{101, 64, 7}, Shape{101, 300, 150}}) {
    Strided a = Strided::random(m, k, 1), b = Strided::random(k, n, 2), all(m, n);
    Strided bt = Strided::random(n, k, 2), all_nt(m, n);
    kernels::matmul({1}, a, b, all, false);
    kernels::matmul_nt({1}, a, bt, all_nt, false);
    for (const Index rows : {1, 2, 5, 40}) {
      for (const Index from : {0, 7, 50}) {
        Strided some(rows, n), some_nt(rows, n);
        const ConstDenseView part(a.view().row(from), rows, k, a.stride);
        kernels::matmul({1}, part, b, some, false);
        kernels::matmul_nt({1}, part, bt, some_nt, false);
        for (Index i = 0; i < rows; ++i) {
          for (Index j = 0; j < n; ++j) {
            ASSERT_EQ(some(i, j), all(from + i, j));
            ASSERT_EQ(some_nt(i, j), all_nt(from + i, j));
          }
        }
      }
    }
  }
}

TEST(Matmul, SumOverRowsSkipsZeroRows) {
  // Rows that are zero may be left out: pruned and unpruned gradients agree to the bit.
  const Index rows = 700, k = 20, n = 9;
  Strided a = Strided::random(rows, k, 1), g = Strided::random(rows, n, 2), out(k, n);
  Strided few_a(100, k), few_g(100, n), few_out(k, n);
  for (Index i = 0; i < rows; ++i) {
    for (Index j = 0; j < n; ++j) {
      if (i % 7 != 0) g(i, j) = 0;
      if (i % 7 == 0) few_g(i / 7, j) = g(i, j);
    }
    for (Index j = 0; j < k; ++j) {
      if (i % 7 == 0) few_a(i / 7, j) = a(i, j);
    }
  }
  kernels::matmul_tn({1}, a, g, out, false);
  kernels::matmul_tn({1}, few_a, few_g, few_out, false);
  EXPECT_TRUE(same_bits(out.values, few_out.values));
}

TEST(Matmul, ThreadsDoNotShow) {
  Strided a = Strided::random(900, 120, 1), b = Strided::random(120, 90, 2);
  Strided bt = Strided::random(90, 120, 2), at = Strided::random(400, 500, 4);
  Strided g = Strided::random(400, 70, 5);
  for (const int threads : {2, 8}) {
    const auto run = [&](int count) {
      std::tuple result(Strided(900, 90), Strided(900, 90), Strided(500, 70));
      kernels::matmul({count}, a, b, std::get<0>(result), false);
      kernels::matmul_nt({count}, a, bt, std::get<1>(result), false);
      kernels::matmul_tn({count}, at, g, std::get<2>(result), false);
      return result;
    };
    const auto one = run(1), many = run(threads);
    EXPECT_TRUE(same_bits(std::get<0>(one).values, std::get<0>(many).values));
    EXPECT_TRUE(same_bits(std::get<1>(one).values, std::get<1>(many).values));
    EXPECT_TRUE(same_bits(std::get<2>(one).values, std::get<2>(many).values));
  }
}

TEST(Matmul, NanStaysInItsRowOrColumn) {
  on_every_target([] {
    Strided a = Strided::random(20, 30, 1), b = Strided::random(30, 21, 2), out(20, 21);
    a(4, 7) = kNan;
    b(3, 20) = kNan;
    kernels::matmul({1}, a, b, out, false);
    for (Index i = 0; i < 20; ++i) {
      for (Index j = 0; j < 21; ++j) ASSERT_EQ(std::isnan(out(i, j)), i == 4 || j == 20);
    }
  });
}

TEST(ClipRowNorms, EqualsOracle) {
  on_every_target([] {
    for (const Index cols : {1, 7, 8, 19, 64}) {
      Strided in = Strided::random(12, cols, 51), out(12, cols), expected(12, cols);
      for (Index j = 0; j < cols; ++j) {
        in(0, j) = 0;
        in(1, j) *= 1e-3f;
        in(2, j) *= 100;
      }
      std::vector<float> norms(12), expected_norms(12);
      kernels::clip_row_norms({1}, in, out, norms.data());
      reference::clip_row_norms({1}, in, expected, expected_norms.data());
      expect_near(out.values, expected.values, 1e-6);
      expect_near(norms, expected_norms, 1e-6);
      for (const bool nan_at_zero : {false, true}) {
        for (const bool accumulate : {false, true}) {
          Strided g = Strided::random(12, cols, 52), grad = Strided::random(12, cols, 53);
          Strided grad2 = grad;
          kernels::clip_row_norms_backward({1}, in, out, norms.data(), g, grad, nan_at_zero,
                                           accumulate);
          reference::clip_row_norms_backward({1}, in, out, norms.data(), g, grad2, nan_at_zero,
                                             accumulate);
          expect_near(grad.values, grad2.values, 2e-6);
          EXPECT_EQ(std::isnan(grad(0, 0)), nan_at_zero);
        }
      }
      kernels::clip_row_norms({1}, in, in, norms.data());
      EXPECT_TRUE(same_bits(in.values, out.values));
    }
  });
}

}  // namespace
}  // namespace cupel::test
