

#include <cmath>

#include "cupel/engine/kernels/loss.h"

namespace cupel::kernels {

LossValue softmax_cross_entropy(ConstDenseView logits, const Index* labels, DenseView grad) {
  LossValue value;
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
  return value;
}

}  // namespace cupel::kernels
