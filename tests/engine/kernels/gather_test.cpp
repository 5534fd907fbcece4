#include "cupel/engine/kernels/gather.h"

#include "engine/kernels/support.h"

namespace cupel::test {
namespace {

std::vector<Index> drawn_rows(Index count, Index bound) {
  Stream stream({51, 79}, 0);
  std::vector<Index> rows;
  for (Index i = 0; i < count; ++i)
    rows.push_back(static_cast<Index>(stream.next_below(static_cast<std::uint32_t>(bound))));
  return rows;
}

TEST(GatherRows, CopiesRowsAndLeavesWhatLiesBetween) {
  on_every_target([] {
    for (const Index cols : {1, 7, 8, 16, 33, 128}) {
      for (const int threads : {1, 3}) {
        Strided table = Strided::random(40, cols, 52), out(9000, cols), expected(9000, cols);
        const std::vector<Index> index = drawn_rows(9000, 40);
        for (Index i = 0; i < 9000; ++i)
          for (Index j = 0; j < cols; ++j)
            expected(i, j) = table(index[static_cast<std::size_t>(i)], j);
        kernels::gather_rows({threads}, index.data(), table, out);
        EXPECT_TRUE(same_bits(out.values, expected.values)) << cols << " columns";
      }
    }
  });
}

// Sums in float, in the order that the contract names: the same to the bit.
TEST(ScatterRows, SumsInOrderOnAnyNumberOfThreads) {
  on_every_target([] {
    for (const Index cols : {1, 7, 16, 33}) {
      for (const Index rows : {1, 40, 3001}) {
        for (const bool add : {false, true}) {
          Strided g = Strided::random(9000, cols, 53);
          Strided start = Strided::random(rows, cols, 54), expected = start;
          const std::vector<Index> index = drawn_rows(9000, rows);
          for (Index k = 0; k < rows && !add; ++k) std::fill_n(expected.view().row(k), cols, 0.0f);
          for (Index i = 0; i < 9000; ++i)
            for (Index j = 0; j < cols; ++j)
              expected(index[static_cast<std::size_t>(i)], j) += g(i, j);
          for (const int threads : {1, 2, 3, 8}) {
            Strided out = start;
            kernels::scatter_rows({threads}, index.data(), g, out, add);
            EXPECT_TRUE(same_bits(out.values, expected.values))
                << rows << " x " << cols << ", " << threads << " threads, add " << add;
          }
        }
      }
    }
  });
}

TEST(ScatterRows, RowsThatNothingNamesBecomeZero) {
  Strided g = Strided::random(3, 5, 55), out = Strided::random(4, 5, 56);
  const std::vector<Index> index = {2, 0, 2};
  kernels::scatter_rows({1}, index.data(), g, out);
  for (Index j = 0; j < 5; ++j) {
    EXPECT_EQ(out(0, j), g(1, j));
    EXPECT_EQ(out(1, j), 0);
    EXPECT_EQ(out(2, j), g(0, j) + g(2, j));
    EXPECT_EQ(out(3, j), 0);
  }
}

TEST(PairDots, AreThoseOfTheRowsThatPairsName) {
  on_every_target([] {
    for (const Index cols : {1, 7, 16, 33}) {
      Strided table = Strided::random(40, cols, 57), out(9000, 1);
      const std::vector<Index> a = drawn_rows(9000, 40), b(a.rbegin(), a.rend());
      for (const int threads : {1, 3}) {
        kernels::pair_dots({threads}, a.data(), b.data(), table, out);
        for (Index i = 0; i < 9000; ++i) {
          double dot = 0, size = 0;
          for (Index j = 0; j < cols; ++j) {
            const double term = double{table(a[i], j)} * table(b[i], j);
            dot += term;
            size += std::abs(term);
          }
          ASSERT_NEAR(out(i, 0), dot, 1e-6 * size) << cols << " columns, pair " << i;
        }
      }
    }
  });
}

// Some pairs are a row with itself, and most rows are in several.
TEST(PairDots, TheGradientIsThatOfSumsInDoubleOnAnyNumberOfThreads) {
  on_every_target([] {
    constexpr Index kRows = 301, kPairs = 9000;
    const std::vector<Index> a = drawn_rows(kPairs, kRows), b(a.rbegin(), a.rend());
    for (const Index cols : {1, 7, 16, 33}) {
      for (const bool add : {false, true}) {
        Strided table = Strided::random(kRows, cols, 58), g = Strided::random(kPairs, 1, 59);
        Strided start = Strided::random(kRows, cols, 60), one = start;
        const auto cells = static_cast<std::size_t>(kRows) * cols;
        std::vector<double> sums(cells), sizes(cells);
        const auto expect = [&](Index at, Index j, double term) {
          sums[static_cast<std::size_t>(at) * cols + j] += term;
          sizes[static_cast<std::size_t>(at) * cols + j] += std::abs(term);
        };
        for (Index j = 0; j < cols; ++j) {
          for (Index k = 0; k < kRows && add; ++k) expect(k, j, start(k, j));
          for (Index i = 0; i < kPairs; ++i) {
            expect(a[i], j, double{g(i, 0)} * table(b[i], j));
            expect(b[i], j, double{g(i, 0)} * table(a[i], j));
          }
        }
        kernels::pair_dots_gradient({1}, a.data(), b.data(), table, g, one, add);
        for (Index k = 0; k < kRows; ++k)
          for (Index j = 0; j < cols; ++j) {
            const std::size_t at = static_cast<std::size_t>(k) * cols + j;
            ASSERT_NEAR(one(k, j), sums[at], 3e-6 * sizes[at]) << k << ", " << j << ", add " << add;
          }
        for (const int threads : {2, 3, 8}) {
          Strided out = start;
          kernels::pair_dots_gradient({threads}, a.data(), b.data(), table, g, out, add);
          EXPECT_TRUE(same_bits(out.values, one.values)) << cols << " columns, " << threads;
        }
      }
    }
  });
}

}  // namespace
}  // namespace cupel::test
