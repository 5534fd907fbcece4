// Adam as TensorFlow 1 computes it.
#pragma once

#include <cstddef>

#include "cupel/base/parallel.h"

namespace cupel::kernels {

struct AdamStep {
  float rate = 0;  // lr * sqrt(1 - beta2^t) / (1 - beta1^t)
  float beta1 = 0.9f, beta2 = 0.999f, epsilon = 1e-8f;
  float l2 = 0;  // adds l2 * w to the gradient
};

// m, v, w updated in place from gradient g; epsilon is added to the uncorrected sqrt(v)
// (Kingma and Ba 2015, the formulation before section 2.1). The quotient is within 2 units in the
// last place. The square of a |g| above 1.8e19 is infinite: then v is infinite and w is not
// finite. One step later both are NaN, as in TensorFlow. Returns the sum of squares of the
// *updated* w, summed in a fixed order: in float within blocks of 512, in double over the blocks of
// a chunk of 2^16, then over chunks. The same bits for every vector width and any number of
// threads.
double adam(Threads threads, const AdamStep& step, std::size_t size, const float* g, float* w,
            float* m, float* v);

// Sum of squares, in the same order as adam() sums it.
double sum_of_squares(Threads threads, std::size_t size, const float* w);

}  // namespace cupel::kernels
