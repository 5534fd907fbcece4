#include "cupel/engine/kernels/rows.h"

#include "cupel/engine/kernels/arithmetic.h"
#include "engine/kernels/reference/rows.h"
#include "engine/kernels/support.h"

namespace cupel::test {
namespace {

constexpr Index kWidths[] = {1, 3, 8, 16, 31, 40, 77, 512};

TEST(LayerNorm, EqualsOracle) {
  on_every_target([] {
    for (const Index cols : kWidths) {
      SCOPED_TRACE(cols);
      Strided in = Strided::random(9, cols, 1), out(9, cols), expected(9, cols);
      Strided row = Strided::random(2, cols, 2, 0);
      const float *gain = row.view().row(0), *shift = row.view().row(1);
      for (Index j = 0; j < cols; ++j) in(4, j) += 100;   // a mean far from zero
      for (Index j = 0; j < cols; ++j) in(5, j) = 0.25f;  // no variance
      std::vector<kernels::RowMoments> moments(9);
      reference::layer_norm(in, gain, shift, expected);
      kernels::layer_norm({1}, in, gain, shift, out, moments.data());
      expect_near(out.values, expected.values, 2e-5);
      kernels::layer_norm({1}, in, gain, shift, in, moments.data());  // in place
      EXPECT_TRUE(same_bits(in.values, out.values));
    }
  });
}

TEST(LayerNorm, BackwardEqualsOracle) {
  on_every_target([] {
    for (const Index cols : kWidths) {
      SCOPED_TRACE(cols);
      Strided in = Strided::random(9, cols, 3), g = Strided::random(9, cols, 4);
      Strided row = Strided::random(1, cols, 5, 0), out(9, cols), expected(9, cols);
      Strided sums(2, cols, 0), expected_sums(2, cols, 0);
      const float* gain = row.view().row(0);
      std::vector<kernels::RowMoments> moments(9);
      kernels::layer_norm({1}, in, gain, gain, out, moments.data());
      reference::layer_norm_backward(in, gain, g, expected, expected_sums.view().row(0),
                                     expected_sums.view().row(1));
      // Rows with ids far apart: three blocks.
      const std::vector<Index> ids = {0, 1, 255, 256, 300, 4000, 4001, 4002, 4003};
      const kernels::RowBlocks blocks(ids.data(), 9);
      ASSERT_EQ(blocks.starts, (std::vector<Index>{0, 3, 5, 9}));
      std::vector<float> partial(static_cast<std::size_t>(3 * 2 * cols));
      const auto backward = [&](DenseView to, bool accumulate) {
        kernels::layer_norm_backward({1}, blocks, in, gain, moments.data(), g, to, accumulate,
                                     partial.data(), sums.view().row(0), sums.view().row(1));
      };
      backward(out, false);
      const double most = cols < 4 ? 5e-3 : 3e-5;  // of few columns, a small variance is divided by
      expect_near(out.values, expected.values, most);
      expect_near(sums.values, expected_sums.values, most);
      Strided added = Strided::random(9, cols, 6), start = added;
      backward(added, true);
      for (Index i = 0; i < 9; ++i)
        for (Index j = 0; j < cols; ++j) ASSERT_EQ(added(i, j), start(i, j) + out(i, j));
    }
  });
}

TEST(LayerNorm, NeitherThreadsNorRowsWithoutGradientShow) {
  constexpr Index kRows = 3000, kCols = 100;
  Strided in = Strided::random(kRows, kCols, 7), g = Strided::random(kRows, kCols, 8);
  Strided row = Strided::random(1, kCols, 9, 0);
  for (Index i = 0; i < kRows; ++i)
    if (i % 3 != 0) std::fill_n(g.view().row(i), kCols, 0.0f);
  std::vector<std::vector<float>> results;
  for (const int threads : {1, 2, 8, 0}) {  // 0: every third row alone
    Strided x = in, y = g;
    std::vector<Index> ids;
    for (Index i = 0; i < kRows; i += threads == 0 ? 3 : 1) {
      std::copy_n(in.view().row(i), kCols, x.view().row(static_cast<Index>(ids.size())));
      std::copy_n(g.view().row(i), kCols, y.view().row(static_cast<Index>(ids.size())));
      ids.push_back(i);
    }
    const auto rows = static_cast<Index>(ids.size());
    const kernels::RowBlocks blocks(ids.data(), rows);
    DenseView xs = x.view(), ys = y.view();
    xs.rows = ys.rows = rows;
    std::vector<kernels::RowMoments> moments(static_cast<std::size_t>(rows));
    std::vector<float> partial(static_cast<std::size_t>(blocks.count() * 2 * kCols));
    Strided out(rows, kCols), sums(2, kCols, 0);
    const Threads with = {std::max(1, threads)};
    kernels::layer_norm(with, xs, row.view().row(0), row.view().row(0), out, moments.data());
    kernels::layer_norm_backward(with, blocks, xs, row.view().row(0), moments.data(), ys, out,
                                 false, partial.data(), sums.view().row(0), sums.view().row(1));
    results.push_back(sums.values);
  }
  for (const auto& result : results) EXPECT_TRUE(same_bits(result, results[0]));
}

TEST(SoftmaxRows, EqualsOracle) {
  on_every_target([] {
    for (const Index cols : kWidths) {
      Strided in = Strided::random(6, cols, 10), out(6, cols), expected(6, cols);
      for (Index j = 0; j < cols; ++j) in(2, j) *= 40;
      reference::softmax_rows(in, expected);
      kernels::softmax_rows({1}, in, out);
      expect_near(out.values, expected.values, 2e-6);
      in(3, cols - 1) = kNan;
      kernels::softmax_rows({1}, in, in);
      EXPECT_TRUE(std::isnan(in(3, 0)));
      EXPECT_FALSE(std::isnan(in(2, 0)));
    }
  });
}

TEST(NormaliseRows, DividesByTheLargerOfNormAndEpsilon) {
  on_every_target([] {
    Strided in(4, 3), out(4, 3);
    in(0, 0) = 3, in(0, 1) = 4;
    in(1, 2) = -0.25f;
    in(2, 1) = kNan;
    std::vector<float> norms(4);
    kernels::normalise_rows({1}, 0.5f, in, out, norms.data());
    EXPECT_EQ(norms[0], 5);
    EXPECT_FLOAT_EQ(out(0, 0), 0.6f);
    EXPECT_FLOAT_EQ(out(0, 1), 0.8f);
    EXPECT_FLOAT_EQ(out(1, 2), -0.5f);
    EXPECT_TRUE(std::isnan(out(2, 0)));
    EXPECT_EQ(out(3, 0), 0);
  });
}

// 1 is what GraphSAGE has.
TEST(NormaliseRows, EqualsOracle) {
  on_every_target([] {
    for (const Index cols : {1, 7, 8, 16, 19, 33, 64}) {
      for (const float epsilon : {1.0f, 0.01f}) {
        Strided in = Strided::random(12, cols, 51), out(12, cols), expected(12, cols);
        for (Index j = 0; j < cols; ++j) {
          in(0, j) = 0;
          in(1, j) *= 1e-3f;
          in(2, j) *= 100;
        }
        std::vector<float> norms(12), expected_norms(12);
        kernels::normalise_rows({1}, epsilon, in, out, norms.data());
        reference::normalise_rows(epsilon, in, expected, expected_norms.data());
        expect_near(out.values, expected.values, 1e-6);
        expect_near(norms, expected_norms, 1e-6);
        for (const bool nan_at_zero : {false, true}) {
          Strided g = Strided::random(12, cols, 52), grad(12, cols), expected_grad(12, cols);
          kernels::normalise_rows_backward({1}, epsilon, out, norms.data(), g, grad, nan_at_zero);
          reference::normalise_rows_backward(epsilon, in, g, expected_grad, nan_at_zero);
          expect_near(grad.values, expected_grad.values, 2e-6 / epsilon);
          EXPECT_EQ(std::isnan(grad(0, 0)), nan_at_zero);
          kernels::normalise_rows_backward({1}, epsilon, out, norms.data(), g, g, nan_at_zero);
          EXPECT_TRUE(same_bits(g.values, grad.values)) << "in the place of what came in";
        }
        kernels::normalise_rows({1}, epsilon, in, in, norms.data());
        EXPECT_TRUE(same_bits(in.values, out.values));
      }
    }
  });
}

TEST(SoftmaxRows, GradientEqualsOracle) {
  on_every_target([] {
    for (const Index cols : {1, 7, 16, 33}) {
      Strided x = Strided::random(9, cols, 61), out(9, cols), g = Strided::random(9, cols, 62);
      Strided grad(9, cols), expected(9, cols);
      kernels::softmax_rows({1}, x, out);
      kernels::softmax_rows_backward({1}, out, g, grad);
      reference::softmax_rows_backward(out, g, expected);
      expect_near(grad.values, expected.values, 2e-6);
      kernels::softmax_rows_backward({1}, out, g, g);
      EXPECT_TRUE(same_bits(g.values, grad.values)) << "in the place of what came in";
    }
  });
}

TEST(RowFunctions, TakeNoRows) {
  on_every_target([] {
    Strided in(0, 7), out(0, 7);
    kernels::softmax_rows({1}, in, out);
    kernels::softmax_rows_backward({1}, out, in, out);
    kernels::normalise_rows({1}, 0.5f, in, out, nullptr);
    kernels::normalise_rows_backward({1}, 0.5f, out, nullptr, in, out);
  });
}

TEST(Functions, EqualOracle) {
  on_every_target([] {
    for (const auto f : {kernels::Function::kSigmoid, kernels::Function::kSoftplus,
                         kernels::Function::kAbsolute}) {
      Strided in(1, 4003), out(1, 4003), slope(1, 4003), ones(1, 4003);
      for (Index j = 0; j < 4001; ++j) in(0, j) = static_cast<float>(j - 2000) * 0.05f;
      in(0, 4001) = 1e30f;
      in(0, 4002) = kNan;
      std::fill_n(ones.view().row(0), 4003, 1.0f);
      kernels::function_forward({1}, f, in, out);
      kernels::function_backward({1}, f, in, ones, slope);
      for (Index j = 0; j < 4002; ++j) {
        double derivative = 0;
        const double y = reference::apply(f, in(0, j), &derivative);
        // Below 1e-37 the exponential gives zero.
        ASSERT_NEAR(out(0, j), y, 4e-7 * std::fabs(y) + 1e-37) << in(0, j);
        ASSERT_NEAR(slope(0, j), derivative, 2e-7) << in(0, j);
      }
      EXPECT_TRUE(std::isnan(out(0, 4002)) && std::isnan(slope(0, 4002)));
    }
  });
}

TEST(Functions, CosinesOfManyTurnsEqualTheOracle) {
  on_every_target([] {
    constexpr Index kCount = 6001;
    Strided in(1, kCount + 2), out(1, kCount + 2), slope(1, kCount + 2), ones(1, kCount + 2);
    // From a thousandth of a turn to 10^8 of them, either way.
    for (Index j = 0; j < kCount; ++j)
      in(0, j) = static_cast<float>((j % 2 == 0 ? 1 : -1) * std::pow(10.0, -2 + j * 11.0 / kCount));
    in(0, kCount) = kNan;
    in(0, kCount + 1) = std::numeric_limits<float>::infinity();
    std::fill_n(ones.view().row(0), kCount + 2, 1.0f);
    kernels::function_forward({1}, kernels::Function::kCosine, in, out);
    kernels::function_backward({1}, kernels::Function::kCosine, in, ones, slope);
    for (Index j = 0; j < kCount; ++j) {
      double derivative = 0;
      const double y = reference::apply(kernels::Function::kCosine, in(0, j), &derivative);
      ASSERT_NEAR(out(0, j), y, 3e-7) << in(0, j);
      ASSERT_NEAR(slope(0, j), derivative, 3e-7) << in(0, j);
    }
    for (const Index j : {kCount, kCount + 1})
      EXPECT_TRUE(std::isnan(out(0, j)) && std::isnan(slope(0, j)));
  });
}

TEST(Arithmetic, EqualsPlainLoops) {
  on_every_target([] {
    for (const int threads : {1, 2}) {
      for (const Index cols : {1, 5, 16, 70}) {
        constexpr Index kRows = 2100;
        Strided a = Strided::random(kRows, cols, 11), b = Strided::random(kRows, cols, 12);
        Strided f = Strided::random(kRows, 1, 13), c = Strided::random(3, cols, 14, 0);
        Strided out[6] = {Strided(kRows, cols), Strided(kRows, cols), Strided(kRows, cols),
                          Strided(kRows, cols), Strided(kRows, cols), Strided(kRows, cols)};
        Strided dots(kRows, 1), column(1, cols, 0);
        const Threads t = {threads};
        kernels::subtract(t, a, b, out[0]);
        kernels::multiply(t, a, b, out[1]);
        kernels::scale_rows(t, a, f, out[2]);
        kernels::scale_columns(t, a, c.view().row(0), out[3]);
        kernels::affine(t, a, 2.0f, -0.5f, out[4]);
        const std::vector<ConstDenseView> parts = {a, b, a};
        kernels::weighted_sum(t, parts, c, out[5]);
        // One coefficient for a whole part; rows that are spread, copied and cleared.
        Strided shares = Strided::random(3, 1, 15), shared(kRows, cols), spread(kRows, cols);
        Strided copied(kRows, cols), cleared = Strided::random(kRows, cols, 16);
        kernels::weighted_sum(t, parts, shares, shared);
        kernels::spread_row(t, c.view().row(1), spread);
        kernels::copy_rows(t, a, copied);
        kernels::zero(t, cleared);
        EXPECT_TRUE(same_bits(copied.values, a.values));
        EXPECT_TRUE(same_bits(cleared.values, Strided(kRows, cols).values));
        kernels::row_dots(t, a, b, dots);
        kernels::column_dots(t, a, b, column.view().row(0));
        double total = 0;
        std::vector<double> sums(static_cast<std::size_t>(cols));
        for (Index i = 0; i < kRows; ++i) {
          double dot = 0;
          for (Index j = 0; j < cols; ++j) {
            const double x = a(i, j), y = b(i, j);
            ASSERT_EQ(out[0](i, j), a(i, j) - b(i, j));
            ASSERT_EQ(out[1](i, j), a(i, j) * b(i, j));
            ASSERT_EQ(out[2](i, j), a(i, j) * f(i, 0));
            ASSERT_EQ(out[3](i, j), a(i, j) * c(0, j));
            ASSERT_EQ(out[4](i, j), 2 * a(i, j) - 0.5f);
            ASSERT_NEAR(out[5](i, j), x * c(0, j) + y * c(1, j) + x * c(2, j), 1e-6);
            ASSERT_NEAR(shared(i, j), x * shares(0, 0) + y * shares(1, 0) + x * shares(2, 0), 1e-6);
            ASSERT_EQ(spread(i, j), c(1, j));
            dot += x * y;
            sums[static_cast<std::size_t>(j)] += x * y;
          }
          ASSERT_NEAR(dots(i, 0), dot, 1e-5);
          total += dot;
        }
        for (Index j = 0; j < cols; ++j)
          ASSERT_NEAR(column(0, j), sums[static_cast<std::size_t>(j)], 1e-3);
        EXPECT_NEAR(kernels::total_dot(a, b), total, 1e-3);
      }
    }
  });
}

}  // namespace
}  // namespace cupel::test
