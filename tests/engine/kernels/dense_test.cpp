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

using Multiply = void (*)(Threads, ConstDenseView, ConstDenseView, DenseView);

void check(Multiply kernel, Multiply oracle, Strided a, Strided b, Index m, Index n) {
  Strided out = Strided::random(m, n, 3), expected = out;
  kernel({1}, a, b, out);
  oracle({1}, a, b, expected);
  if (fused()) {
    EXPECT_TRUE(same_bits(out.values, expected.values));
  }
  expect_near(out.values, expected.values, 2e-5);
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

// Long enough for every loop of a blocked product to go round: rows, columns and sums, whole and
// not. 288 columns are whole tiles on every target, so that rows of A are read where they lie.
TEST(Matmul, LargeEqualsOracleToTheBit) {
  for (const auto [m, k, n] : {Shape{570, 530, 270}, Shape{101, 70, 1100}, Shape{50, 64, 256},
                               Shape{60, 1030, 300}, Shape{70, 300, 563}, Shape{101, 530, 288}}) {
    SCOPED_TRACE(testing::Message() << m << " x " << k << " x " << n);
    Strided a = Strided::random(m, k, 1), b = Strided::random(k, n, 2), expected(m, n);
    Strided at(k, m), bt(n, k);
    for (Index p = 0; p < k; ++p) {
      for (Index i = 0; i < m; ++i) at(p, i) = a(i, p);
      for (Index j = 0; j < n; ++j) bt(j, p) = b(p, j);
    }
    reference::matmul({1}, a, b, expected);
    on_every_target([&] {
      Strided out = Strided::random(m, n, 3), out_nt = out, out_tn = out;
      kernels::matmul({1}, a, b, out);
      kernels::matmul_nt({1}, a, bt, out_nt);
      kernels::matmul_tn({1}, at, b, out_tn);
      for (const Strided* result : {&out, &out_nt, &out_tn}) {
        if (fused()) {
          EXPECT_TRUE(same_bits(result->values, expected.values));
        }
        expect_near(result->values, expected.values, 2e-5);
      }
    });
  }
}

TEST(Matmul, AddsWholeProducts) {
  for (const auto [m, k, n] : {Shape{700, 16, 288}, Shape{900, 100, 70}, Shape{3, 5, 7}}) {
    Strided a = Strided::random(m, k, 1), b = Strided::random(n, k, 2);
    Strided before = Strided::random(m, n, 3);
    Strided product(m, n);
    reference::matmul_nt({1}, a, b, product);
    for (const int threads : {1, 4}) {
      Strided out = before;
      kernels::matmul_nt_add({threads}, a, b, out);
      for (Index i = 0; i < m; ++i) {
        for (Index j = 0; j < n; ++j) {
          const float expected = before(i, j) + product(i, j);
          if (fused()) {
            ASSERT_EQ(out(i, j), expected);
          }
          ASSERT_NEAR(out(i, j), expected, 1e-5);
        }
      }
    }
  }
}

TEST(Matmul, RowsDoNotDependOnOtherRows) {
  for (const auto [m, k, n] : {Shape{101, 300, 64}, Shape{101, 64, 7}, Shape{700, 600, 300}}) {
    Strided a = Strided::random(m, k, 1), b = Strided::random(k, n, 2), all(m, n);
    Strided bt = Strided::random(n, k, 2), all_nt(m, n);
    kernels::matmul({1}, a, b, all);
    kernels::matmul_nt({1}, a, bt, all_nt);
    for (const Index rows : {1, 2, 5, 51}) {
      for (const Index from : {0, 7, 50}) {
        Strided some(rows, n), some_nt(rows, n);
        const ConstDenseView part(a.view().row(from), rows, k, a.stride);
        kernels::matmul({1}, part, b, some);
        kernels::matmul_nt({1}, part, bt, some_nt);
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
  kernels::matmul_tn({1}, a, g, out);
  kernels::matmul_tn({1}, few_a, few_g, few_out);
  EXPECT_TRUE(same_bits(out.values, few_out.values));
}

TEST(Matmul, ThreadsDoNotShow) {
  Strided a = Strided::random(900, 120, 1), b = Strided::random(120, 90, 2);
  Strided bt = Strided::random(90, 120, 2), at = Strided::random(400, 500, 4);
  Strided g = Strided::random(400, 70, 5);
  for (const int threads : {2, 8}) {
    const auto run = [&](int count) {
      std::tuple result(Strided(900, 90), Strided(900, 90), Strided(500, 70));
      kernels::matmul({count}, a, b, std::get<0>(result));
      kernels::matmul_nt({count}, a, bt, std::get<1>(result));
      kernels::matmul_tn({count}, at, g, std::get<2>(result));
      return result;
    };
    const auto one = run(1), many = run(threads);
    EXPECT_TRUE(same_bits(std::get<0>(one).values, std::get<0>(many).values));
    EXPECT_TRUE(same_bits(std::get<1>(one).values, std::get<1>(many).values));
    EXPECT_TRUE(same_bits(std::get<2>(one).values, std::get<2>(many).values));
  }
}

TEST(Matmul, LargeThreadsDoNotShow) {
  Strided a = Strided::random(1500, 700, 1), b = Strided::random(700, 300, 2);
  Strided bt = Strided::random(300, 700, 2), g = Strided::random(1500, 300, 5);
  const auto run = [&](int count) {
    std::tuple result(Strided(1500, 300), Strided(1500, 300), Strided(700, 300), Strided(300, 700));
    kernels::matmul({count}, a, b, std::get<0>(result));
    kernels::matmul_nt({count}, a, bt, std::get<1>(result));
    kernels::matmul_tn({count}, a, g, std::get<2>(result));
    kernels::matmul_tn({count}, g, a, std::get<3>(result));
    return result;
  };
  const auto one = run(1);
  for (const int threads : {2, 3, 8}) {
    const auto many = run(threads);
    EXPECT_TRUE(same_bits(std::get<0>(one).values, std::get<0>(many).values));
    EXPECT_TRUE(same_bits(std::get<1>(one).values, std::get<1>(many).values));
    EXPECT_TRUE(same_bits(std::get<2>(one).values, std::get<2>(many).values));
    EXPECT_TRUE(same_bits(std::get<3>(one).values, std::get<3>(many).values));
  }
}

TEST(Matmul, NanStaysInItsRowOrColumn) {
  on_every_target([] {
    for (const auto [m, k, n] : {Shape{20, 30, 21}, Shape{111, 70, 301}}) {
      Strided a = Strided::random(m, k, 1), b = Strided::random(k, n, 2), out(m, n);
      a(m - 2, 7) = kNan;
      b(3, n - 1) = kNan;
      kernels::matmul({1}, a, b, out);
      for (Index i = 0; i < m; ++i) {
        for (Index j = 0; j < n; ++j) {
          ASSERT_EQ(std::isnan(out(i, j)), i == m - 2 || j == n - 1);
        }
      }
    }
  });
}

}  // namespace
}  // namespace cupel::test
