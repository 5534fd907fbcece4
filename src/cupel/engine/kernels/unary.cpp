#include "cupel/engine/kernels/unary.h"

#include "cupel/engine/kernels/blocks.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cupel/engine/kernels/unary.cpp"
#include "cupel/base/vector_targets.h"
// clang-format off
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "cupel/engine/kernels/functions-inl.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace cupel::kernels::HWY_NAMESPACE {

template <Function kFunction, class D, class V>
HWY_INLINE V Apply(D d, V x) {
  if constexpr (kFunction == Function::kSigmoid) return Sigmoid(d, x);
  if constexpr (kFunction == Function::kSoftplus) return Softplus(d, x);
  if constexpr (kFunction == Function::kAbsolute) return hn::Abs(x);
  if constexpr (kFunction == Function::kCosine) return Cosine(d, x);
}

template <Function kFunction, class D, class V>
HWY_INLINE V Derivative(D d, V x) {
  if constexpr (kFunction == Function::kSigmoid) {
    const V y = Sigmoid(d, x);
    return hn::NegMulAdd(y, y, y);
  }
  if constexpr (kFunction == Function::kSoftplus) return Sigmoid(d, x);
  if constexpr (kFunction == Function::kAbsolute) {
    const V sign = hn::CopySign(hn::Set(d, 1.0f), x);
    return hn::IfThenElse(hn::Eq(hn::Abs(x), hn::Abs(x)),
                          hn::IfThenZeroElse(hn::Eq(x, hn::Zero(d)), sign), x);
  }
  if constexpr (kFunction == Function::kCosine) return hn::Neg(Sine(d, x));
}

template <Function kFunction>
HWY_INLINE void ForwardRows(ConstDenseView in, DenseView out, Index begin, Index end) {
  const Wide d;
  for (Index i = begin; i < end; ++i)
    OverColumns(d, static_cast<std::size_t>(in.cols),
                [&](std::size_t j, std::size_t n) CUPEL_INLINE_LAMBDA {
                  const auto x = LoadUpTo(d, in.row(i) + j, n);
                  StoreUpTo(Apply<kFunction>(d, x), d, out.row(i) + j, n);
                });
}

template <Function kFunction>
HWY_INLINE void BackwardRows(ConstDenseView in, ConstDenseView grad_out, DenseView grad_in,
                             Index begin, Index end) {
  const Wide d;
  for (Index i = begin; i < end; ++i)
    OverColumns(d, static_cast<std::size_t>(in.cols),
                [&](std::size_t j, std::size_t n) CUPEL_INLINE_LAMBDA {
                  const auto x = LoadUpTo(d, in.row(i) + j, n);
                  const auto g = LoadUpTo(d, grad_out.row(i) + j, n);
                  StoreUpTo(hn::Mul(g, Derivative<kFunction>(d, x)), d, grad_in.row(i) + j, n);
                });
}

// Calls f.template operator()<function>().
template <class F>
HWY_INLINE void WithFunction(Function function, const F& f) {
  switch (function) {
    case Function::kSigmoid:
      return f.template operator()<Function::kSigmoid>();
    case Function::kSoftplus:
      return f.template operator()<Function::kSoftplus>();
    case Function::kAbsolute:
      return f.template operator()<Function::kAbsolute>();
    case Function::kCosine:
      return f.template operator()<Function::kCosine>();
  }
}

void FunctionForward(Function function, ConstDenseView in, DenseView out, Index begin, Index end) {
  WithFunction(function, [&]<Function kFunction>()
                             CUPEL_INLINE_LAMBDA { ForwardRows<kFunction>(in, out, begin, end); });
}

void FunctionBackward(Function function, ConstDenseView in, ConstDenseView grad_out,
                      DenseView grad_in, Index begin, Index end) {
  WithFunction(function, [&]<Function kFunction>() CUPEL_INLINE_LAMBDA {
    BackwardRows<kFunction>(in, grad_out, grad_in, begin, end);
  });
}

}  // namespace cupel::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cupel::kernels {

HWY_EXPORT(FunctionForward);
HWY_EXPORT(FunctionBackward);

void function_forward(Threads threads, Function f, ConstDenseView in, DenseView out) {
  over_blocks(threads, in.rows, in.cols, 1, [&](Index begin, Index end) {
    HWY_DYNAMIC_DISPATCH(FunctionForward)(f, in, out, begin, end);
  });
}

void function_backward(Threads threads, Function f, ConstDenseView in, ConstDenseView grad_out,
                       DenseView grad_in) {
  over_blocks(threads, in.rows, in.cols, 1, [&](Index begin, Index end) {
    HWY_DYNAMIC_DISPATCH(FunctionBackward)(f, in, grad_out, grad_in, begin, end);
  });
}

}  // namespace cupel::kernels
#endif
