#include "cupel/engine/kernels/gru.h"

#include "cupel/engine/kernels/blocks.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cupel/engine/kernels/gru.cpp"
#include "cupel/base/vector_targets.h"
// clang-format off
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "cupel/engine/kernels/functions-inl.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace cupel::kernels::HWY_NAMESPACE {

template <class V>
struct Unit {
  V reset, keep, again, fresh, state;
};

template <class D>
HWY_INLINE Unit<hn::Vec<D>> UnitAt(D d, const GruInputs& x, Index i, std::size_t j, std::size_t n) {
  const auto width = static_cast<std::size_t>(x.state.cols);
  const float* in = x.in.row(i) + j;
  Unit<hn::Vec<D>> u;
  u.reset = Sigmoid(d, LoadUpTo(d, in, n));
  u.keep = Sigmoid(d, LoadUpTo(d, in + width, n));
  u.again = LoadUpTo(d, x.again.row(i) + j, n);
  u.fresh = Tanh(d, hn::MulAdd(u.reset, u.again, LoadUpTo(d, in + 2 * width, n)));
  u.state = LoadUpTo(d, x.state.row(i) + j, n);
  return u;
}

void GruRows(const GruInputs& x, DenseView out, Index begin, Index end) {
  const Wide d;
  for (Index i = begin; i < end; ++i)
    OverColumns(d, static_cast<std::size_t>(x.state.cols),
                [&](std::size_t j, std::size_t n) CUPEL_INLINE_LAMBDA {
                  const auto u = UnitAt(d, x, i, j, n);
                  StoreUpTo(hn::MulAdd(u.keep, hn::Sub(u.state, u.fresh), u.fresh), d,
                            out.row(i) + j, n);
                });
}

void GruSlopes(const GruInputs& x, ConstDenseView grad_out, const GruGradients& grad, Index begin,
               Index end) {
  const Wide d;
  const auto width = static_cast<std::size_t>(x.state.cols);
  const auto one = hn::Set(d, 1.0f);
  for (Index i = begin; i < end; ++i)
    OverColumns(d, width, [&](std::size_t j, std::size_t n) CUPEL_INLINE_LAMBDA {
      const auto u = UnitAt(d, x, i, j, n);
      const auto g = LoadUpTo(d, grad_out.row(i) + j, n);
      const auto passed = hn::Mul(g, u.keep);
      // Of the argument of the hyperbolic tangent.
      const auto inner = hn::Mul(hn::Sub(g, passed), hn::NegMulAdd(u.fresh, u.fresh, one));
      if (grad.state.data != nullptr) StoreUpTo(passed, d, grad.state.row(i) + j, n);
      if (grad.again.data != nullptr)
        StoreUpTo(hn::Mul(inner, u.reset), d, grad.again.row(i) + j, n);
      if (grad.in.data == nullptr) return;
      float* in = grad.in.row(i) + j;
      const auto of_reset = hn::Mul(hn::Mul(inner, u.again), u.reset);
      StoreUpTo(hn::NegMulAdd(of_reset, u.reset, of_reset), d, in, n);
      const auto of_keep = hn::Mul(passed, hn::Sub(u.state, u.fresh));
      StoreUpTo(hn::NegMulAdd(of_keep, u.keep, of_keep), d, in + width, n);
      StoreUpTo(inner, d, in + 2 * width, n);
    });
}

}  // namespace cupel::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cupel::kernels {

HWY_EXPORT(GruRows);
HWY_EXPORT(GruSlopes);

void gru(Threads threads, const GruInputs& x, DenseView out) {
  over_blocks(threads, out.rows, 8 * out.cols, 1, [&](Index begin, Index end) {
    HWY_DYNAMIC_DISPATCH(GruRows)(x, out, begin, end);
  });
}

void gru_backward(Threads threads, const GruInputs& x, ConstDenseView grad_out,
                  const GruGradients& grad) {
  over_blocks(threads, grad_out.rows, 12 * grad_out.cols, 1, [&](Index begin, Index end) {
    HWY_DYNAMIC_DISPATCH(GruSlopes)(x, grad_out, grad, begin, end);
  });
}

}  // namespace cupel::kernels
#endif
