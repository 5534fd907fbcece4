// Slow oracle of all_pairs_loss.h: every pair, as the paper's equation 2 has it, in double.
#pragma once

#include <cmath>
#include <vector>

#include "cupel/engine/kernels/all_pairs_loss.h"

namespace cupel::reference {

// -log of the probability of what is there, where a pair of `targets` counts `positive` times, the
// mean over all ordered pairs times `scale`. grad (nullable data): by the chain rule, term by term.
inline double all_pairs_loss(const Csr& targets, kernels::AllPairsWeights weights, ConstDenseView z,
                             DenseView grad) {
  const Index n = targets.rows;
  const double share = weights.scale / (double(n) * n);
  std::vector<double> sums(static_cast<std::size_t>(n) * static_cast<std::size_t>(z.cols));
  double loss = 0;
  std::vector<char> there(static_cast<std::size_t>(n));
  for (Index i = 0; i < n; ++i) {
    there.assign(there.size(), 0);
    for (const Index j : targets.row_columns(i)) there[static_cast<std::size_t>(j)] = 1;
    for (Index j = 0; j < n; ++j) {
      double x = 0;
      for (Index k = 0; k < z.cols; ++k) x += double{z.row(i)[k]} * z.row(j)[k];
      const bool one = there[static_cast<std::size_t>(j)] != 0;
      // log(1 + exp(t)), t = x where nothing is there and -x where something is.
      const double t = one ? -x : x, weight = one ? weights.positive : 1;
      loss += share * weight * (t > 30 ? t : std::log1p(std::exp(t)));
      const double slope = share * weight / (1 + std::exp(-t)) * (one ? -1 : 1);
      for (Index k = 0; k < z.cols; ++k) {
        sums[static_cast<std::size_t>(i * z.cols + k)] += slope * z.row(j)[k];
        sums[static_cast<std::size_t>(j * z.cols + k)] += slope * z.row(i)[k];
      }
    }
  }
  for (Index i = 0; i < n && grad.data != nullptr; ++i)
    for (Index k = 0; k < z.cols; ++k)
      grad.row(i)[k] = static_cast<float>(sums[static_cast<std::size_t>(i * z.cols + k)]);
  return loss;
}

}  // namespace cupel::reference
