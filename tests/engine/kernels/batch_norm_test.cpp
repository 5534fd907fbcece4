#include "cupel/engine/kernels/batch_norm.h"

#include "engine/kernels/reference/batch_norm.h"
#include "engine/kernels/support.h"

namespace cupel::test {
namespace {

// What the op does: moments, scaling, gradient.
struct Norm {
  std::vector<double> mean, variance, sizes;
  std::vector<float> means, scale, inverse, partial, coefficients, grad_gain, grad_shift;
  kernels::ColumnScaling scaling;
  double rows = 0;

  kernels::RowCounts counts;

  Norm(Threads threads, ConstDenseView in, const float* gain, const float* shift, bool relu,
       kernels::RowCounts rows_behind = nullptr)
      : counts(rows_behind) {
    const auto cols = static_cast<std::size_t>(in.cols);
    mean.resize(cols);
    variance.resize(cols);
    sizes.resize(static_cast<std::size_t>(kernels::batch_norm_blocks(in.rows)));
    coefficients.resize(2 * cols);
    grad_gain.resize(cols);
    grad_shift.resize(cols);
    partial.resize(2 * cols * static_cast<std::size_t>(kernels::batch_norm_blocks(in.rows)));
    rows = kernels::column_moments(threads, in, counts, partial.data(), sizes.data(), mean.data(),
                                   variance.data());
    for (std::size_t j = 0; j < cols; ++j) {
      means.push_back(static_cast<float>(mean[j]));
      inverse.push_back(
          static_cast<float>(1 / std::sqrt(variance[j] + kernels::kBatchNormEpsilon)));
      scale.push_back(gain[j] * inverse[j]);
    }
    scaling = {means.data(), scale.data(), shift, relu};
  }
  void backward(Threads threads, ConstDenseView in, ConstDenseView g, DenseView grad_in) {
    kernels::batch_norm_backward(threads, scaling, inverse.data(), in, counts, rows, g, grad_in,
                                 partial.data(), coefficients.data(), grad_gain.data(),
                                 grad_shift.data());
  }
};

constexpr Index kWidths[] = {1, 3, 8, 17, 31, 64, 77, 300};

TEST(BatchNorm, EqualsOracle) {
  on_every_target([] {
    for (const Index cols : kWidths) {
      for (const Index rows : {2, 9, 300}) {
        for (const bool relu : {false, true}) {
          SCOPED_TRACE(testing::Message() << rows << " x " << cols << " relu " << relu);
          Strided in = Strided::random(rows, cols, 1), g = Strided::random(rows, cols, 2);
          Strided row = Strided::random(2, cols, 3, 0), out(rows, cols), expected(rows, cols);
          Strided grad(rows, cols), expected_grad(rows, cols);
          const float *gain = row.view().row(0), *shift = row.view().row(1);
          for (Index i = 0; i < rows; ++i) in(i, 0) += 8;        // a mean far from zero
          for (Index i = 0; i < rows; ++i) in(i, cols - 1) = 3;  // no variance
          std::vector<float> gains(static_cast<std::size_t>(cols)), shifts(gains);
          reference::batch_norm(in, gain, shift, relu, expected, g, expected_grad, gains.data(),
                                shifts.data());
          Norm norm({1}, in, gain, shift, relu);
          kernels::scale_columns({1}, norm.scaling, in, out);
          expect_near(out.values, expected.values, rows == 2 ? 1e-3 : 5e-5);
          norm.backward({1}, in, g, grad);
          // Of two rows, a small variance may be divided by.
          const double most = rows == 2 ? 5e-3 : 1e-4;
          expect_near(grad.values, expected_grad.values, most);
          expect_near(norm.grad_gain, gains, most);
          expect_near(norm.grad_shift, shifts, most);
          norm.backward({1}, in, g, g);  // in place
          EXPECT_TRUE(same_bits(g.values, grad.values));
          kernels::scale_columns({1}, norm.scaling, in, in);
          EXPECT_TRUE(same_bits(in.values, out.values));
        }
      }
    }
  });
}

// A row that stands for several, with the sum of their gradients, is those rows.
TEST(BatchNorm, CountedRowsAreRowsRepeated) {
  on_every_target([] {
    for (const Index cols : kWidths) {
      for (const bool relu : {false, true}) {
        SCOPED_TRACE(testing::Message() << cols << " relu " << relu);
        constexpr Index kRows = 300;
        Strided in = Strided::random(kRows, cols, 1), row = Strided::random(2, cols, 3, 0);
        std::vector<float> counts;
        std::vector<Index> of;
        for (Index i = 0; i < kRows; ++i) {
          counts.push_back(static_cast<float>(1 + i * i % 5));
          of.insert(of.end(), static_cast<std::size_t>(counts.back()), i);
        }
        const auto all = static_cast<Index>(of.size());
        Strided each(all, cols), g = Strided::random(all, cols, 2), sums(kRows, cols);
        Strided grad(kRows, cols), each_grad(all, cols), expected(kRows, cols);
        std::fill(sums.values.begin(), sums.values.end(), 0.0f);
        for (Index k = 0; k < all; ++k)
          for (Index j = 0; j < cols; ++j) {
            each(k, j) = in(of[k], j);
            sums(of[k], j) += g(k, j);
          }
        const float *gain = row.view().row(0), *shift = row.view().row(1);
        Norm counted({2}, in, gain, shift, relu, counts.data());
        Norm repeated({1}, each, gain, shift, relu);
        for (Index j = 0; j < cols; ++j) {
          EXPECT_NEAR(counted.mean[j], repeated.mean[j], 1e-6);
          EXPECT_NEAR(counted.variance[j], repeated.variance[j], 1e-6);
        }
        counted.backward({2}, in, sums, grad);
        repeated.backward({1}, each, g, each_grad);
        std::fill(expected.values.begin(), expected.values.end(), 0.0f);
        for (Index k = 0; k < all; ++k)
          for (Index j = 0; j < cols; ++j) expected(of[k], j) += each_grad(k, j);
        for (Index i = 0; i < kRows; ++i)
          for (Index j = 0; j < cols; ++j) EXPECT_NEAR(grad(i, j), expected(i, j), 5e-5);
        expect_near(counted.grad_gain, repeated.grad_gain, 1e-4);
        expect_near(counted.grad_shift, repeated.grad_shift, 1e-4);
      }
    }
  });
}

TEST(BatchNorm, MomentsAreExactFarFromZero) {
  constexpr Index kRows = 5000;
  Strided in = Strided::random(kRows, 2, 4);
  double mean = 0, variance = 0;
  for (Index i = 0; i < kRows; ++i) mean += (in(i, 1) += 1000) / double{kRows};
  for (Index i = 0; i < kRows; ++i) variance += std::pow(in(i, 1) - mean, 2) / kRows;
  const std::vector<float> ones(2, 1.0f);
  const Norm norm({1}, in, ones.data(), ones.data(), false);
  EXPECT_NEAR(norm.mean[1], mean, 1e-3);
  EXPECT_NEAR(norm.variance[1], variance, 1e-4);
}

TEST(BatchNorm, NeitherThreadsNorVectorWidthShow) {
  constexpr Index kRows = 3000, kCols = 100;
  Strided in = Strided::random(kRows, kCols, 7), g = Strided::random(kRows, kCols, 8);
  Strided row = Strided::random(2, kCols, 9, 0);
  expect_same_bits_of([&](Threads threads) {
    Strided out(kRows, kCols), grad(kRows, kCols);
    Norm norm(threads, in, row.view().row(0), row.view().row(1), true);
    kernels::scale_columns(threads, norm.scaling, in, out);
    norm.backward(threads, in, g, grad);
    std::vector<float> all = joined({&out, &grad});
    for (const auto* more : {&norm.grad_gain, &norm.grad_shift})
      all.insert(all.end(), more->begin(), more->end());
    return all;
  });
}

TEST(BatchNorm, NanPassesAndStaysInItsColumn) {
  Strided in = Strided::random(20, 3, 5), out(20, 3), row = Strided::random(2, 3, 6, 0);
  in(4, 1) = kNan;
  const Norm norm({1}, in, row.view().row(0), row.view().row(1), true);
  kernels::scale_columns({1}, norm.scaling, in, out);
  EXPECT_TRUE(std::isnan(out(7, 1)));
  EXPECT_FALSE(std::isnan(out(4, 0)) || std::isnan(out(4, 2)));
}

}  // namespace
}  // namespace cupel::test
