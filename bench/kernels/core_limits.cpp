#include "kernels/core_limits.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/core_limits.cpp"
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

float SumOf(const float* HWY_RESTRICT numbers, std::size_t size) {
  constexpr std::size_t kChains = 4;
  const hn::ScalableTag<float> d;
  const std::size_t lanes = hn::Lanes(d);
  hn::Vec<decltype(d)> sum[kChains];
#pragma GCC unroll 4
  for (auto& s : sum) s = hn::Zero(d);
  for (std::size_t i = 0; i + kChains * lanes <= size; i += kChains * lanes) {
#pragma GCC unroll 4
    for (std::size_t k = 0; k < kChains; ++k)
      sum[k] = hn::Add(sum[k], hn::LoadU(d, numbers + i + k * lanes));
  }
  return hn::GetLane(hn::SumOfLanes(d, hn::Add(hn::Add(sum[0], sum[1]), hn::Add(sum[2], sum[3]))));
}

}  // namespace cupel::bench::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cupel::bench {

HWY_EXPORT(MultiplyAdds);
HWY_EXPORT(SumOf);

double multiply_adds(float by, float* out) { return HWY_DYNAMIC_DISPATCH(MultiplyAdds)(by, out); }

float sum_of(const float* numbers, std::size_t size) {
  return HWY_DYNAMIC_DISPATCH(SumOf)(numbers, size);
}

}  // namespace cupel::bench
#endif
