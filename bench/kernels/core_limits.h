// What one core can do at most: the yardsticks of products and of walks over memory.
#pragma once

#include <cstddef>

namespace cupel::bench {

// Makes some millions of fused multiply-adds of float32 without touching memory, and returns how
// many. With 0 < by < 1, `out` becomes 1e-4 / (1 - by).
double multiply_adds(float by, float* out);

// The sum of `size` numbers, a multiple of 64: as fast as they can be read.
float sum_of(const float* numbers, std::size_t size);

}  // namespace cupel::bench
