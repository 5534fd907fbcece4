

#include <cmath>

#include "cupel/engine/kernels/optimiser.h"

namespace cupel::kernels {

double sum_of_squares(std::size_t size, const float* w) {
  double sum = 0;
  for (std::size_t i = 0; i < size; ++i) sum += double{w[i]} * w[i];
  return sum;
}

double adam(const AdamStep& step, std::size_t size, const float* g, float* w, float* m, float* v) {
  for (std::size_t i = 0; i < size; ++i) {
    const double gradient = double{g[i]} + double{step.l2} * w[i];
    const double first = m[i] + (gradient - m[i]) * (1.0 - step.beta1);
    const double second = v[i] + (gradient * gradient - v[i]) * (1.0 - step.beta2);
    m[i] = static_cast<float>(first);
    v[i] = static_cast<float>(second);
    w[i] = static_cast<float>(w[i] - step.rate * first / (std::sqrt(second) + step.epsilon));
  }
  return sum_of_squares(size, w);
}

}  // namespace cupel::kernels
