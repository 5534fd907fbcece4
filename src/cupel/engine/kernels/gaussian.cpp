#include "cupel/engine/kernels/gaussian.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "cupel/engine/kernels/blocks.h"

namespace cupel::kernels {

void sample_gaussian(Threads threads, const DrawSource& source, const Index* ids, ConstDenseView mu,
                     ConstDenseView log_std, DenseView out, DenseView shift) {
  constexpr Offset kCostOfDraw = 32;  // in floats touched
  over_blocks(threads, out.rows, kCostOfDraw * out.cols, 1, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      const auto id = static_cast<std::uint32_t>(ids != nullptr ? ids[i] : i);
      Stream draws(source.key, source.purpose, source.step, id);
      for (Index j = 0; j < out.cols; ++j) {
        const auto by = static_cast<float>(draws.next_normal() * std::exp(log_std.row(i)[j]));
        if (shift.data != nullptr) shift.row(i)[j] = by;
        out.row(i)[j] = mu.row(i)[j] + by;
      }
    }
  });
}

double gaussian_divergence(Threads threads, ConstDenseView mu, ConstDenseView log_std) {
  constexpr Index kRows = 256;
  const Index blocks = (mu.rows + kRows - 1) / kRows;
  thread_local std::vector<double> kept;  // so that no step allocates
  std::vector<double>& sums = kept;       // this thread's, whichever fills it
  sums.assign(static_cast<std::size_t>(blocks), 0);
  over_blocks(threads, blocks, Offset{kRows} * mu.cols * 8, 1, [&](Index begin, Index end) {
    for (Index block = begin; block < end; ++block) {
      double sum = 0;
      for (Index i = block * kRows; i < std::min(mu.rows, (block + 1) * kRows); ++i)
        for (Index j = 0; j < mu.cols; ++j) {
          const double m = mu.row(i)[j], s = 2.0 * log_std.row(i)[j];
          sum += m * m + std::exp(s) - 1 - s;
        }
      sums[static_cast<std::size_t>(block)] = sum;
    }
  });
  double total = 0;
  for (const double sum : sums) total += sum;
  return mu.rows > 0 ? 0.5 * total / mu.rows : 0;
}

void gaussian_divergence_backward(Threads threads, ConstDenseView mu, ConstDenseView log_std,
                                  float by, DenseView grad_mu, DenseView grad_log_std) {
  const double share = mu.rows > 0 ? double{by} / mu.rows : 0;
  over_blocks(threads, mu.rows, Offset{8} * mu.cols, 1, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i)
      for (Index j = 0; j < mu.cols; ++j) {
        if (grad_mu.data != nullptr) grad_mu.row(i)[j] = static_cast<float>(share * mu.row(i)[j]);
        if (grad_log_std.data != nullptr)
          grad_log_std.row(i)[j] = static_cast<float>(share * std::expm1(2.0 * log_std.row(i)[j]));
      }
  });
}

}  // namespace cupel::kernels
