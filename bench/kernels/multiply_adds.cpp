#include "kernels/multiply_adds.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/multiply_adds.cpp"
#include "cupel/base/vector_targets.h"
// clang-format off
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace cupel::bench::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Twelve chains: enough to hide the latency of a fused multiply-add, few enough for AVX2's
// registers.
double MultiplyAdds(float by, float* out) {
  constexpr int kChains = 12, kSteps = 100'000;
  const hn::ScalableTag<float> d;
  using V = hn::Vec<decltype(d)>;
  const V x = hn::Set(d, by), y = hn::Set(d, 1e-4f);
  V sum[kChains];
  // Each from another value: chains that are alike would be computed once.
#pragma GCC unroll 16
  for (int i = 0; i < kChains; ++i) sum[i] = hn::Set(d, by * static_cast<float>(i));
  for (int i = 0; i < kSteps; ++i) {
#pragma GCC unroll 16
    for (V& s : sum) s = hn::MulAdd(s, x, y);
  }
  V total = hn::Zero(d);
#pragma GCC unroll 16
  for (const V& s : sum) total = hn::Add(total, s);
  *out = hn::GetLane(total);
  return static_cast<double>(kChains) * kSteps * static_cast<double>(hn::Lanes(d));
}

}  // namespace cupel::bench::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cupel::bench {

HWY_EXPORT(MultiplyAdds);

double multiply_adds(float by, float* out) { return HWY_DYNAMIC_DISPATCH(MultiplyAdds)(by, out); }

}  // namespace cupel::bench
#endif
