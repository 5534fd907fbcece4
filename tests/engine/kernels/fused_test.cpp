#include "cupel/engine/kernels/fused.h"

#include "cupel/engine/kernels/dense.h"
#include "engine/kernels/support.h"

namespace cupel::test {
namespace {

TEST(Rounding, IsThatOfTheProducts) {
  std::vector<kernels::Rounding> said;
  on_every_target([&] {
    // -1 + (1 + 2^-12)^2: the last bit of the square is lost where it is rounded before the sum.
    const float x = 1.0f + 0x1p-12f;
    const std::vector<float> a = {1.0f, x}, b = {-1.0f, x};
    std::vector<float> out = {0.0f};
    kernels::matmul({1}, {a.data(), 1, 2, 2}, {b.data(), 2, 1, 1}, {out.data(), 1, 1, 1});
    EXPECT_TRUE(out[0] == 0x1p-11f || out[0] == 0x1p-11f + 0x1p-24f) << out[0];
    said.push_back(kernels::rounding());
    EXPECT_EQ(said.back() == kernels::Rounding::kTwice, out[0] == 0x1p-11f);
    if ((hwy::SupportedTargets() & (HWY_AVX3 | HWY_AVX2)) != 0) {
      EXPECT_EQ(said.back(), kernels::Rounding::kFused);
    }
  });
  EXPECT_FALSE(said.empty());
}

}  // namespace
}  // namespace cupel::test
