// Vector helpers shared by the kernels, once per target. Include in a foreach_target file, after
// hwy/highway.h.
//
// Bits: element-wise code gives the same bits on AVX2 and AVX-512. Sums along a row use vectors of
// eight lanes on both, so they do too. NEON adds by four; the baseline (no FMA) rounds otherwise.
#if defined(CUPEL_ENGINE_KERNELS_LANES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef CUPEL_ENGINE_KERNELS_LANES_INL_H_
#undef CUPEL_ENGINE_KERNELS_LANES_INL_H_
#else
#define CUPEL_ENGINE_KERNELS_LANES_INL_H_
#endif

#include <cstddef>

#include "hwy/highway.h"

#undef CUPEL_MASKED_MEMORY

// A lambda that is inlined wherever it is called: what its caller knows as a constant has to stay
// one.
#ifndef CUPEL_INLINE_LAMBDA
#define CUPEL_INLINE_LAMBDA HWY_ATTR __attribute__((always_inline))
#define CUPEL_ASSUME(condition)                \
  do {                                         \
    if (!(condition)) __builtin_unreachable(); \
  } while (false)
#endif

HWY_BEFORE_NAMESPACE();
namespace cupel::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Wide = hn::ScalableTag<float>;    // the widest vectors there are
using Eight = hn::CappedTag<float, 8>;  // at most eight lanes, for sums along a row

// Highway will not promise that AVX2's masked loads leave memory alone where the mask is off,
// because one maker's manual does not; but compilers vectorise conditional loads with them on all
// processors, so it is so.
#if HWY_MEM_OPS_MIGHT_FAULT && (HWY_TARGET != HWY_AVX2 || HWY_IS_ASAN || HWY_IS_MSAN)
#define CUPEL_MASKED_MEMORY 0
#else
#define CUPEL_MASKED_MEMORY 1
#endif

// The first n < Lanes(d) values at p, zeros behind them; never reads behind p + n.
template <class D>
HWY_INLINE hn::Vec<D> LoadFirst(D d, const float* HWY_RESTRICT p, std::size_t n) {
#if !CUPEL_MASKED_MEMORY
  HWY_ALIGN float buffer[HWY_MAX_BYTES / sizeof(float)] = {};
  for (std::size_t i = 0; i < n; ++i) buffer[i] = p[i];
  return hn::Load(d, buffer);
#else
  return hn::MaskedLoad(hn::FirstN(d, n), d, p);
#endif
}

// Stores the first n < Lanes(d) lanes; never writes behind p + n.
template <class D>
HWY_INLINE void StoreFirst(hn::Vec<D> v, D d, float* HWY_RESTRICT p, std::size_t n) {
#if !CUPEL_MASKED_MEMORY
  HWY_ALIGN float buffer[HWY_MAX_BYTES / sizeof(float)];
  hn::Store(v, d, buffer);
  for (std::size_t i = 0; i < n; ++i) p[i] = buffer[i];
#else
  hn::BlendedStore(v, hn::FirstN(d, n), d, p);
#endif
}

// Calls f(j, n) for whole vectors at j = 0, N, ... (n = N, a constant there) and once for the rest.
template <class D, class F>
HWY_INLINE void OverColumns(D d, std::size_t cols, const F& f) {
  const std::size_t lanes = hn::Lanes(d);
  std::size_t j = 0;
  for (; j + lanes <= cols; j += lanes) f(j, lanes);
  if (j == cols) return;
  const std::size_t rest = cols - j;
  CUPEL_ASSUME(rest < lanes);  // so that f knows the vector to be partial
  f(j, rest);
}

// Load or store of n <= Lanes(d) values; the test is free where n is the constant of OverColumns.
template <class D>
HWY_INLINE hn::Vec<D> LoadUpTo(D d, const float* HWY_RESTRICT p, std::size_t n) {
  return n == hn::Lanes(d) ? hn::LoadU(d, p) : LoadFirst(d, p, n);
}
template <class D>
HWY_INLINE void StoreUpTo(hn::Vec<D> v, D d, float* HWY_RESTRICT p, std::size_t n) {
  if (n == hn::Lanes(d)) {
    hn::StoreU(v, d, p);
  } else {
    StoreFirst(v, d, p, n);
  }
}

// Sum of x * y over a row: eight partial sums, then their sum.
HWY_INLINE float Dot(const float* HWY_RESTRICT x, const float* HWY_RESTRICT y, std::size_t size) {
  const Eight d;
  auto sum = hn::Zero(d);
  OverColumns(d, size, [&](std::size_t j, std::size_t n) CUPEL_INLINE_LAMBDA {
    sum = hn::MulAdd(LoadUpTo(d, x + j, n), LoadUpTo(d, y + j, n), sum);
  });
  return hn::GetLane(hn::SumOfLanes(d, sum));
}

#if HWY_TARGET != HWY_SCALAR
// Sums of lanes 2 i and 2 i + 1: those of `low`, then those of `high`.
HWY_INLINE hn::Vec<Eight> AddNeighbours(hn::Vec<Eight> low, hn::Vec<Eight> high) {
  const Eight d;
  return hn::Add(hn::ConcatEven(d, high, low), hn::ConcatOdd(d, high, low));
}
#endif

// exp(x) - 1 = *minus_one for x <= 0, and exp(x); both within 1.5 units in the last place. NaN
// stays NaN, -infinity gives -1 and 0. (Range reduction and coefficients: Cephes, expf.)
template <class D, class V>
HWY_INLINE V ExpOfNonPositive(D d, V x, V* minus_one) {
  const hn::RebindToSigned<D> di;
  const V low = hn::Set(d, -87.33f);  // 2^-126, the last power of two that is normal
  const auto tiny = hn::Lt(x, low);
  const V clamped = hn::IfThenElse(tiny, low, x);
  const auto power = hn::NearestInt(hn::Mul(clamped, hn::Set(d, 1.44269504f)));
  const V n = hn::ConvertTo(d, power);
  V r = hn::NegMulAdd(n, hn::Set(d, 0.693359375f), clamped);
  r = hn::NegMulAdd(n, hn::Set(d, -2.12194440e-4f), r);
  V p = hn::MulAdd(hn::Set(d, 1.9875691500e-4f), r, hn::Set(d, 1.3981999507e-3f));
  p = hn::MulAdd(p, r, hn::Set(d, 8.3334519073e-3f));
  p = hn::MulAdd(p, r, hn::Set(d, 4.1665795894e-2f));
  p = hn::MulAdd(p, r, hn::Set(d, 1.6666665459e-1f));
  p = hn::MulAdd(p, r, hn::Set(d, 5.0000001201e-1f));
  p = hn::MulAdd(p, hn::Mul(r, r), r);  // exp(r) - 1
  const V scale = hn::BitCast(d, hn::ShiftLeft<23>(hn::Add(power, hn::Set(di, 127))));
  if (minus_one != nullptr) {
    *minus_one = hn::MulAdd(p, scale, hn::Sub(scale, hn::Set(d, 1.0f)));
  }
  return hn::IfThenZeroElse(tiny, hn::MulAdd(p, scale, scale));
}

}  // namespace cupel::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
