#include "cupel/engine/kernels/loss.h"

#include <algorithm>
#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cupel/engine/kernels/loss.cpp"
#include "cupel/base/vector_targets.h"
// clang-format off
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "cupel/engine/kernels/lanes-inl.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace cupel::kernels::HWY_NAMESPACE {

// Logarithms are taken of products of this many rows' sums: each is at most the number of classes,
// so the product is far from the range of a double.
constexpr Index kRowsPerLog = 16;

LossValue SoftmaxCrossEntropy(ConstDenseView logits, const Index* labels, DenseView grad) {
  const Eight d;
  using V = hn::Vec<Eight>;
  const auto classes = static_cast<std::size_t>(logits.cols);
  const V low = hn::Set(d, -INFINITY);
  const float share = logits.rows > 0 ? 1.0f / static_cast<float>(logits.rows) : 0.0f;
  V probe = hn::Zero(d);  // stays 0 while every logit is finite
  LossValue value;
  double sum = 0, product = 1;
  for (Index i = 0; i < logits.rows; ++i) {
    const float* HWY_RESTRICT x = logits.row(i);
    float* HWY_RESTRICT to = grad.data != nullptr ? grad.row(i) : nullptr;
    V most = low;
    OverColumns(d, classes, [&](std::size_t j, std::size_t n) CUPEL_INLINE_LAMBDA {
      const V logit = LoadUpTo(d, x + j, n);
      probe = hn::Add(probe, hn::Sub(logit, logit));
      most =
          hn::Max(most, n == hn::Lanes(d) ? logit : hn::IfThenElse(hn::FirstN(d, n), logit, low));
    });
    most = hn::MaxOfLanes(d, most);
    V total = hn::Zero(d);
    auto best = static_cast<std::ptrdiff_t>(classes);
    OverColumns(d, classes, [&](std::size_t j, std::size_t n) CUPEL_INLINE_LAMBDA {
      const V logit = LoadUpTo(d, x + j, n);
      auto hit = hn::Eq(logit, most);
      V power = ExpOfNonPositive(d, hn::Sub(logit, most), static_cast<V*>(nullptr));
      if (n != hn::Lanes(d)) {
        hit = hn::And(hit, hn::FirstN(d, n));
        power = hn::IfThenElseZero(hn::FirstN(d, n), power);
      }
      const auto first = static_cast<std::ptrdiff_t>(hn::FindFirstTrue(d, hit));
      if (first >= 0) best = std::min(best, static_cast<std::ptrdiff_t>(j) + first);
      total = hn::Add(total, power);
      if (to != nullptr) StoreUpTo(power, d, to + j, n);
    });
    total = hn::SumOfLanes(d, total);
    if (best == labels[i]) ++value.correct;
    sum -= double{x[labels[i]]} - hn::GetLane(most);
    product *= hn::GetLane(total);
    if ((i + 1) % kRowsPerLog == 0) {
      sum += std::log(product);
      product = 1;
    }
    if (to == nullptr) continue;
    const V scale = hn::Div(hn::Set(d, share), total);
    const V label = hn::Set(d, static_cast<float>(labels[i]));
    OverColumns(d, classes, [&](std::size_t j, std::size_t n) CUPEL_INLINE_LAMBDA {
      const V hot =
          hn::IfThenElseZero(hn::Eq(hn::Iota(d, static_cast<float>(j)), label), hn::Set(d, share));
      StoreUpTo(hn::MulSub(LoadUpTo(d, to + j, n), scale, hot), d, to + j, n);
    });
  }
  sum += std::log(product);
  value.mean_loss = logits.rows > 0 ? sum / logits.rows : 0;
  value.known = logits.rows;
  value.finite = hn::AllTrue(d, hn::Eq(probe, hn::Zero(d)));
  return value;
}

}  // namespace cupel::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cupel::kernels {

HWY_EXPORT(SoftmaxCrossEntropy);

LossValue softmax_cross_entropy(ConstDenseView logits, const Index* labels, DenseView grad) {
  return HWY_DYNAMIC_DISPATCH(SoftmaxCrossEntropy)(logits, labels, grad);
}

namespace {

struct OneLogit {
  double loss = 0, slope = 0;
};

OneLogit binary(double x, double target) {
  const double power = std::exp(-std::abs(x));
  const double sigmoid = (x >= 0 ? 1.0 : power) / (1.0 + power);
  return {std::max(x, 0.0) - x * target + std::log1p(power), sigmoid - target};
}

}  // namespace

LossValue binary_cross_entropy(ConstDenseView logits, const Index* labels, DenseView grad) {
  LossValue value;
  double sum = 0;
  const double share = logits.rows > 0 ? 1.0 / logits.rows : 0;
  for (Index i = 0; i < logits.rows; ++i) {
    const double x = *logits.row(i);
    const OneLogit one = binary(x, labels[i]);
    sum += one.loss;
    value.correct += (x > 0) == (labels[i] == 1);
    value.finite = value.finite && std::isfinite(x);
    if (grad.data != nullptr) *grad.row(i) = static_cast<float>(one.slope * share);
  }
  value.mean_loss = sum * share;
  value.known = logits.rows;
  return value;
}

LossValue masked_binary_cross_entropy(ConstDenseView logits, ConstDenseView targets,
                                      DenseView grad) {
  LossValue value;
  for (Index i = 0; i < targets.rows; ++i)
    for (Index t = 0; t < targets.cols; ++t) value.known += !std::isnan(targets.row(i)[t]);
  double sum = 0;
  const double share = value.known > 0 ? 1.0 / value.known : 0;
  for (Index i = 0; i < logits.rows; ++i) {
    for (Index t = 0; t < logits.cols; ++t) {
      const double x = logits.row(i)[t];
      const float target = targets.row(i)[t];
      value.finite = value.finite && std::isfinite(x);
      OneLogit one;
      if (!std::isnan(target)) {
        one = binary(x, target);
        value.correct += (x > 0) == (target == 1);
      }
      sum += one.loss;
      if (grad.data != nullptr) grad.row(i)[t] = static_cast<float>(one.slope * share);
    }
  }
  value.mean_loss = sum * share;
  return value;
}

}  // namespace cupel::kernels
#endif
