#include "cupel/engine/kernels/sparse.h"

#include "engine/kernels/reference.h"
#include "engine/kernels/support.h"

namespace cupel::test {
namespace {

const std::vector<Index> kWidths = {1,  2,  7,  8,  9,  15, 16,  17, 24,
                                    31, 32, 40, 48, 64, 65, 100, 131};

// The plain baseline has no fused multiply-add, so bits are compared on the others only.
bool fused() { return (hwy::SupportedTargets() & (HWY_AVX3 | HWY_AVX2)) != 0; }

void expect_same(const Strided& a, const Strided& b) {
  if (fused()) {
    EXPECT_TRUE(same_bits(a.values, b.values));
  }
  expect_near(a.values, b.values, 1e-5);
}

TEST(Spmm, EqualsOracleToTheBit) {
  on_every_target([] {
    for (const bool valued : {false, true}) {
      for (const Index n : kWidths) {
        const Csr a = random_csr(23, 37, 6, valued, 1);
        SparseView view_a = view(a);
        view_a.uniform = 1.25f;
        Strided b = Strided::random(37, n, 2), out = Strided::random(23, n, 3), expected = out;
        kernels::spmm({1}, view_a, nullptr, b, out);
        reference::spmm({1}, view_a, nullptr, b, expected);
        expect_same(out, expected);
      }
    }
  });
}

TEST(Spmm, ComputesChosenRows) {
  const Csr a = random_csr(23, 37, 6, true, 1);
  const std::vector<Index> rows = {20, 3, 3, 0, 22};
  Strided b = Strided::random(37, 64, 2), out(5, 64), expected(5, 64);
  kernels::spmm({1}, view(a), rows.data(), b, out);
  reference::spmm({1}, view(a), rows.data(), b, expected);
  expect_same(out, expected);
}

// A factor too tall for the second-level cache is gone through the other way.
TEST(Spmm, TallFactor) {
  for (const bool valued : {false, true}) {
    const Csr a = random_csr(50, 5000, 12, valued, 18);
    Strided b = Strided::random(5000, 83, 19), out(50, 83), expected(50, 83);
    kernels::spmm({1}, view(a), nullptr, b, out);
    reference::spmm({1}, view(a), nullptr, b, expected);
    expect_same(out, expected);
    const Csr tall = random_csr(5000, 900, 4, valued, 20);
    Strided g = Strided::random(5000, 83, 21), sums(900, 83), expected_sums(900, 83);
    kernels::spmm_transposed({1}, view(tall), nullptr, g, sums);
    reference::spmm_transposed({1}, view(tall), nullptr, g, expected_sums);
    expect_same(sums, expected_sums);
  }
}

// Dense rows too many and too wide for the cache are copied some columns at a time.
TEST(Spmm, WideFactorOfManyRows) {
  for (const bool valued : {false, true}) {
    const Csr a = random_csr(4200, 4100, 40, valued, 22);
    SparseView view_a = view(a);
    view_a.uniform = 0.7f;
    std::vector<Index> rows;
    for (Index r = 4199; r >= 0; --r) rows.push_back(r);
    Strided b = Strided::random(4100, 147, 23), expected(4200, 147);
    reference::spmm({1}, view_a, rows.data(), b, expected);
    for (const int threads : {1, 2, 8}) {
      Strided out(4200, 147);
      kernels::spmm({threads}, view_a, rows.data(), b, out);
      expect_same(out, expected);
    }
  }
}

TEST(Spmm, KeepsNanAndItsPlace) {
  const Csr a = random_csr(50, 20, 4, false, 4);
  Strided b = Strided::random(20, 33, 2), out(50, 33), expected(50, 33);
  b(7, 32) = kNan;
  b(3, 0) = -std::numeric_limits<float>::infinity();
  on_every_target([&] {
    kernels::spmm({1}, view(a), nullptr, b, out);
    reference::spmm({1}, view(a), nullptr, b, expected);
    expect_near(out.values, expected.values, 1e-6);
  });
}

TEST(Spmm, ThreadsDoNotShow) {
  const Csr a = random_csr(9000, 500, 20, true, 5);
  Strided b = Strided::random(500, 40, 6), one(9000, 40), many(9000, 40);
  kernels::spmm({1}, view(a), nullptr, b, one);
  for (const int threads : {2, 8}) {
    kernels::spmm({threads}, view(a), nullptr, b, many);
    EXPECT_TRUE(same_bits(one.values, many.values));
  }
}

TEST(Spmm, NoRowsAndNoEntries) {
  const Csr none = random_csr(0, 5, 2, false, 1);
  Strided b = Strided::random(5, 16, 2), out(0, 16);
  kernels::spmm({1}, view(none), nullptr, b, out);
  kernels::spmm({8}, view(none), nullptr, b, out);
  Csr empty;
  empty.rows = 3;
  empty.cols = 5;
  empty.row_ptr = {0, 0, 0, 0};
  Strided zeros = Strided::random(3, 16, 3);
  kernels::spmm({1}, view(empty), nullptr, b, zeros);
  EXPECT_TRUE(same_bits(zeros.values, Strided(3, 16).values));
}

TEST(SpmmTransposed, EqualsOracleToTheBit) {
  on_every_target([] {
    for (const bool valued : {false, true}) {
      for (const Index n : kWidths) {
        const Csr a = random_csr(41, 29, 5, valued, 7);
        SparseView view_a = view(a);
        view_a.uniform = 0.3f;
        Strided g = Strided::random(41, n, 8), out = Strided::random(29, n, 9), expected = out;
        kernels::spmm_transposed({1}, view_a, nullptr, g, out);
        reference::spmm_transposed({1}, view_a, nullptr, g, expected);
        expect_same(out, expected);
      }
    }
  });
}

TEST(SpmmTransposed, IsTheProductWithTheTranspose) {
  const Csr a = random_csr(41, 29, 5, true, 7);
  const Csr at = transpose(a);
  Strided g = Strided::random(41, 24, 8), out(29, 24), expected(29, 24);
  kernels::spmm_transposed({1}, view(a), nullptr, g, out);
  kernels::spmm({1}, view(at), nullptr, g, expected);
  EXPECT_TRUE(same_bits(out.values, expected.values));
}

TEST(SpmmTransposed, ChosenRowsAndThreads) {
  const Csr a = random_csr(3000, 700, 9, false, 10);
  std::vector<Index> rows;
  for (Index r = 0; r < 3000; r += 3) rows.push_back(r);
  const auto count = static_cast<Index>(rows.size());
  for (const Index n : {7, 64, 200}) {
    Strided g = Strided::random(count, n, 11), one(700, n), other(700, n);
    reference::spmm_transposed({1}, view(a), rows.data(), g, one);
    for (const int threads : {1, 2, 8}) {
      kernels::spmm_transposed({threads}, view(a), rows.data(), g, other);
      EXPECT_TRUE(same_bits(one.values, other.values)) << n << " " << threads;
    }
  }
}

TEST(RowMax, EqualsOracle) {
  on_every_target([] {
    for (const Index n : {1, 7, 8, 16, 21, 64}) {
      for (const Index extra : {-1, 4}) {
        const Csr a = random_csr(60, 30, 4, false, 12);
        Strided b = Strided::random(30, n, 13), out(60, n), expected(60, n);
        // Ties and a NaN: the first that attains the maximum is named.
        for (Index j = 0; j < n; ++j) b(5, j) = b(17, j) = 0.75f;
        b(11, 0) = kNan;
        std::vector<Index> arg(60 * static_cast<std::size_t>(n), 99), expected_arg = arg;
        kernels::row_max({1}, view(a), extra, 5, b, out, arg.data());
        reference::row_max({1}, view(a), extra, 5, b, expected, expected_arg.data());
        expect_near(out.values, expected.values, 0);
        EXPECT_EQ(arg, expected_arg);

        Strided g = Strided::random(60, n, 14), grad = Strided::random(30, n, 15), grad2 = grad;
        kernels::row_max_backward(arg.data(), g, grad);
        reference::row_max_backward(arg.data(), g, grad2);
        EXPECT_TRUE(same_bits(grad.values, grad2.values));
      }
    }
  });
}

TEST(RowMax, ThreadsDoNotShow) {
  const Csr a = random_csr(9000, 300, 10, false, 16);
  Strided b = Strided::random(300, 33, 17), one(9000, 33), many(9000, 33);
  std::vector<Index> arg(9000 * 33), other = arg;
  kernels::row_max({1}, view(a), -1, 0, b, one, arg.data());
  kernels::row_max({8}, view(a), -1, 0, b, many, other.data());
  EXPECT_TRUE(same_bits(one.values, many.values));
  EXPECT_EQ(arg, other);
}

}  // namespace
}  // namespace cupel::test
