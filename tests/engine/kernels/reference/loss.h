// Slow oracle of loss.h, in double.
#pragma once

#include <cmath>

#include "cupel/engine/kernels/loss.h"

namespace cupel::reference {

inline kernels::LossValue softmax_cross_entropy(ConstDenseView logits, const Index* labels,
                                                DenseView grad) {
  kernels::LossValue value;
  double sum = 0;
  for (Index i = 0; i < logits.rows; ++i) {
    const float* x = logits.row(i);
    Index best = 0;
    for (Index c = 0; c < logits.cols; ++c) {
      if (!std::isfinite(x[c])) value.finite = false;
      if (x[c] > x[best]) best = c;
    }
    if (best == labels[i]) ++value.correct;
    double total = 0;
    for (Index c = 0; c < logits.cols; ++c) total += std::exp(double{x[c]} - x[best]);
    sum += std::log(total) - (double{x[labels[i]]} - x[best]);
    if (grad.data == nullptr) continue;
    for (Index c = 0; c < logits.cols; ++c) {
      const double p = std::exp(double{x[c]} - x[best]) / total;
      grad.row(i)[c] = static_cast<float>((p - (c == labels[i] ? 1 : 0)) / logits.rows);
    }
  }
  value.mean_loss = logits.rows > 0 ? sum / logits.rows : 0;
  value.known = logits.rows;
  return value;
}

// -log of the chosen answer's probability, over the answers that are known, in long double.
inline kernels::LossValue masked_binary_cross_entropy(ConstDenseView logits, ConstDenseView targets,
                                                      DenseView grad) {
  kernels::LossValue value;
  long double sum = 0;
  for (Index i = 0; i < logits.rows; ++i)
    for (Index t = 0; t < logits.cols; ++t) {
      const float answer = targets.row(i)[t];
      if (answer != 0 && answer != 1) continue;
      ++value.known;
      const auto x = static_cast<long double>(logits.row(i)[t]);
      const long double chosen = 1 / (1 + std::exp(answer == 1 ? -x : x));
      sum -= std::log(chosen);
      value.correct += answer == 1 ? x > 0 : x <= 0;
    }
  for (Index i = 0; i < logits.rows; ++i)
    for (Index t = 0; t < logits.cols; ++t) {
      const float answer = targets.row(i)[t];
      const auto x = static_cast<long double>(logits.row(i)[t]);
      const bool known = answer == 0 || answer == 1;
      grad.row(i)[t] =
          known ? static_cast<float>((1 / (1 + std::exp(-x)) - answer) / value.known) : 0.0f;
    }
  value.mean_loss = value.known > 0 ? static_cast<double>(sum / value.known) : 0;
  return value;
}

}  // namespace cupel::reference
