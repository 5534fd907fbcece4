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

// Phi(x) of the standard normal, and exp(-x^2 / 2). Phi(-t) = exp(-t^2 / 2) R(t) for t >= 0, with R
// a polynomial of degree 9 in 1 / (1 + t / 4) fitted to a relative error of 1.2e-8 over [0, 13.3]
// (behind it the exponential is zero in float).
template <class D, class V>
HWY_INLINE V NormalDistribution(D d, V x, V* exponential) {
  const V t = hn::Abs(x), one = hn::Set(d, 1.0f);
  const V e =
      ExpOfNonPositive(d, hn::Mul(hn::Mul(t, hn::Set(d, -0.5f)), t), static_cast<V*>(nullptr));
  const V z = hn::Div(one, hn::MulAdd(t, hn::Set(d, 0.25f), one));
  // Two chains of half the length, for even and odd powers.
  const V s = hn::Mul(z, z);
  V even = hn::Set(d, -0.20021275235694458f);
  even = hn::MulAdd(even, s, hn::Set(d, -0.3460681115484613f));
  even = hn::MulAdd(even, s, hn::Set(d, -0.026037881724437127f));
  even = hn::MulAdd(even, s, hn::Set(d, 0.09439258016656939f));
  even = hn::MulAdd(even, s, hn::Set(d, -2.436555728838e-05f));
  V odd = hn::Set(d, 0.03469305050091523f);
  odd = hn::MulAdd(odd, s, hn::Set(d, 0.4044612977355372f));
  odd = hn::MulAdd(odd, s, hn::Set(d, 0.3149765001455936f));
  odd = hn::MulAdd(odd, s, hn::Set(d, 0.12353824718635531f));
  odd = hn::MulAdd(odd, s, hn::Set(d, 0.10028142960836092f));
  const V tail = hn::Mul(e, hn::MulAdd(odd, z, even));
  *exponential = e;
  return hn::IfThenElse(hn::Lt(x, hn::Zero(d)), tail, hn::Sub(one, tail));
}

template <class D, class V>
HWY_INLINE V Gelu(D d, V x) {
  V e;
  return hn::Mul(x, NormalDistribution(d, x, &e));
}

// d/dx x Phi(x) = Phi(x) + x phi(x).
template <class D, class V>
HWY_INLINE V GeluDerivative(D d, V x) {
  V e;
  const V phi = NormalDistribution(d, x, &e);
  return hn::MulAdd(hn::Mul(x, hn::Set(d, 0.3989422804014327f)), e, phi);
}

template <class D, class V>
HWY_INLINE V Sigmoid(D d, V x) {
  const V one = hn::Set(d, 1.0f);
  const V e = ExpOfNonPositive(d, hn::Neg(hn::Abs(x)), static_cast<V*>(nullptr));
  return hn::Div(hn::IfThenElse(hn::Lt(x, hn::Zero(d)), e, one), hn::Add(one, e));
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

}  // namespace cupel::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
