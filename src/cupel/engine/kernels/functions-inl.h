// Functions of one element shared by the kernels, once per target. Include in a foreach_target
// file, after hwy/highway.h.
#if defined(CUPEL_ENGINE_KERNELS_FUNCTIONS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef CUPEL_ENGINE_KERNELS_FUNCTIONS_INL_H_
#undef CUPEL_ENGINE_KERNELS_FUNCTIONS_INL_H_
#else
#define CUPEL_ENGINE_KERNELS_FUNCTIONS_INL_H_
#endif

#include "cupel/engine/kernels/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace cupel::kernels::HWY_NAMESPACE {

// 1 / x for 2e-38 < x < 2e19, within two units in the last place: from a guess good to an eighth,
// made of the bits, by two steps of third order. Divisions would take longer than all else in a row
// of GELUs, and in a step of Adam their unit is busy with square roots; the processors' own
// estimates differ between them.
template <class D, class V>
HWY_INLINE V Reciprocal(D d, V x) {
  const hn::RebindToSigned<D> di;
  V z = hn::BitCast(d, hn::Sub(hn::Set(di, 0x7EF311C7), hn::BitCast(di, x)));
#pragma GCC unroll 2
  for (int step = 0; step < 2; ++step) {
    const V error = hn::NegMulAdd(x, z, hn::Set(d, 1.0f));
    z = hn::MulAdd(z, hn::MulAdd(error, error, error), z);
  }
  return z;
}

// 2^x for x in [-125, 0]: the nearest whole power, found by adding a number so large that nothing
// behind the point fits beside it, times a polynomial fitted to a relative error of 2e-9.
template <class D, class V>
HWY_INLINE V PowerOfTwo(D d, V x) {
  const hn::RebindToSigned<D> di;
  const V shift = hn::Set(d, 12582912.0f);  // 1.5 * 2^23
  const V shifted = hn::Add(x, shift);
  const V f = hn::Sub(x, hn::Sub(shifted, shift));
  V p = hn::Set(d, 0.00015353372145909816f);
  p = hn::MulAdd(p, f, hn::Set(d, 0.0013398880837485194f));
  p = hn::MulAdd(p, f, hn::Set(d, 0.00961843691766262f));
  p = hn::MulAdd(p, f, hn::Set(d, 0.055503323674201965f));
  p = hn::MulAdd(p, f, hn::Set(d, 0.24022647738456726f));
  p = hn::MulAdd(p, f, hn::Set(d, 0.6931471824645996f));
  p = hn::MulAdd(p, f, hn::Set(d, 1.0f));
  const auto power = hn::ShiftLeft<23>(hn::BitCast(di, shifted));
  return hn::BitCast(d, hn::Add(hn::BitCast(di, p), power));
}

// Phi(x) of the standard normal, and exp(-x^2 / 2). Phi(-t) = exp(-t^2 / 2) R(t) for t >= 0, with R
// a polynomial of degree 9 in 1 / (1 + t / 4) fitted to a relative error of 1.2e-8 over [0, 13.3].
// Behind 13.16 both stay what they are there, about 1e-38.
template <class D, class V>
HWY_INLINE V NormalDistribution(D d, V x, V* exponential) {
  const V one = hn::Set(d, 1.0f);
  const V t = hn::Min(hn::Abs(x), hn::Set(d, 13.16f));
  const V e = PowerOfTwo(d, hn::Mul(hn::Mul(t, hn::Set(d, -0.72134752044f)), t));  // log2(e) / 2
  const V z = Reciprocal(d, hn::MulAdd(t, hn::Set(d, 0.25f), one));
  V p = hn::Set(d, 0.03469305050091523f);
  p = hn::MulAdd(p, z, hn::Set(d, -0.20021275235694458f));
  p = hn::MulAdd(p, z, hn::Set(d, 0.4044612977355372f));
  p = hn::MulAdd(p, z, hn::Set(d, -0.3460681115484613f));
  p = hn::MulAdd(p, z, hn::Set(d, 0.3149765001455936f));
  p = hn::MulAdd(p, z, hn::Set(d, -0.026037881724437127f));
  p = hn::MulAdd(p, z, hn::Set(d, 0.12353824718635531f));
  p = hn::MulAdd(p, z, hn::Set(d, 0.09439258016656939f));
  p = hn::MulAdd(p, z, hn::Set(d, 0.10028142960836092f));
  p = hn::MulAdd(p, z, hn::Set(d, -2.436555728838e-05f));
  const V tail = hn::Mul(e, p);
  *exponential = e;
  return hn::IfThenElse(hn::Lt(x, hn::Zero(d)), tail, hn::Sub(one, tail));
}

// x Phi(x), and its derivative Phi(x) + x phi(x). Phi is within 2e-7, and within 5e-7 of its size
// near zero; further out its relative error grows as x^2, which is rounded before the exponential.
template <class D, class V>
HWY_INLINE V Gelu(D d, V x, V* derivative) {
  V e;
  const V phi = NormalDistribution(d, x, &e);
  *derivative = hn::MulAdd(hn::Mul(x, hn::Set(d, 0.3989422804014327f)), e, phi);
  return hn::Mul(x, phi);
}

template <class D, class V>
HWY_INLINE V Sigmoid(D d, V x) {
  const V one = hn::Set(d, 1.0f);
  const V e = ExpOfNonPositive(d, hn::Neg(hn::Abs(x)), static_cast<V*>(nullptr));
  return hn::Div(hn::IfThenElse(hn::Lt(x, hn::Zero(d)), e, one), hn::Add(one, e));
}

// tanh(x) = -sign(x) expm1(-2|x|) / (2 + expm1(-2|x|)).
template <class D, class V>
HWY_INLINE V Tanh(D d, V x) {
  V minus_one;
  ExpOfNonPositive(d, hn::Mul(hn::Abs(x), hn::Set(d, -2.0f)), &minus_one);
  const V size = hn::Div(hn::Neg(minus_one), hn::Add(hn::Set(d, 2.0f), minus_one));
  return hn::CopySign(size, x);
}

// max(x, 0) + log1p(e), e = exp(-|x|); log1p(e) = 2 artanh(s), s = e / (2 + e) <= 1/3, by its
// series.
template <class D, class V>
HWY_INLINE V Softplus(D d, V x) {
  const V e = ExpOfNonPositive(d, hn::Neg(hn::Abs(x)), static_cast<V*>(nullptr));
  const V s = hn::Div(e, hn::Add(hn::Set(d, 2.0f), e));
  const V q = hn::Mul(s, s);
  V p = hn::Set(d, 2.0f / 15);
  for (const float term : {2.0f / 13, 2.0f / 11, 2.0f / 9, 2.0f / 7, 2.0f / 5, 2.0f / 3})
    p = hn::MulAdd(p, q, hn::Set(d, term));
  const V log = hn::MulAdd(hn::Mul(p, q), s, hn::Add(s, s));
  return hn::Add(hn::IfThenZeroElse(hn::Le(x, hn::Zero(d)), x), log);
}

// x / (2 pi) less its nearest whole number. In double, as angles may be of many turns: phases of
// times in seconds are.
template <class D, class V>
HWY_INLINE V Turn([[maybe_unused]] D d, V x) {
#if HWY_TARGET == HWY_SCALAR
  const D half;
#else
  const hn::Half<D> half;
#endif
  const hn::Rebind<double, decltype(half)> dd;
  const auto part = [&](auto few) CUPEL_INLINE_LAMBDA {
    const auto turns = hn::Mul(hn::PromoteTo(dd, few), hn::Set(dd, 0.15915494309189535));
    return hn::DemoteTo(half, hn::Sub(turns, hn::Round(turns)));
  };
#if HWY_TARGET == HWY_SCALAR
  return part(x);
#else
  return hn::Combine(d, part(hn::UpperHalf(half, x)), part(hn::LowerHalf(half, x)));
#endif
}

// sin(2 pi x) for |x| <= 1/4, by its series.
template <class D, class V>
HWY_INLINE V SineOfQuarter(D d, V x) {
  const V y = hn::Mul(x, hn::Set(d, 6.2831853f)), q = hn::Mul(y, y);
  V p = hn::Set(d, -1.0f / 39916800);
  for (const float term : {1.0f / 362880, -1.0f / 5040, 1.0f / 120, -1.0f / 6})
    p = hn::MulAdd(p, q, hn::Set(d, term));
  return hn::MulAdd(hn::Mul(p, q), y, y);
}

template <class D, class V>
HWY_INLINE V Cosine(D d, V x) {
  return SineOfQuarter(d, hn::Sub(hn::Set(d, 0.25f), hn::Abs(Turn(d, x))));
}

template <class D, class V>
HWY_INLINE V Sine(D d, V x) {
  const V turn = Turn(d, x), size = hn::Abs(turn);
  const V folded = hn::Min(size, hn::Sub(hn::Set(d, 0.5f), size));
  return SineOfQuarter(d, hn::CopySign(folded, turn));
}

}  // namespace cupel::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
