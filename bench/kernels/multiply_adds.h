// What the multipliers of one core can do at most: the yardstick of the dense products.
#pragma once

namespace cupel::bench {

// Makes some millions of fused multiply-adds of float32 without touching memory, and returns how
// many. With 0 < by < 1, `out` becomes 1e-4 / (1 - by).
double multiply_adds(float by, float* out);

}  // namespace cupel::bench
