#include "cupel/engine/kernels/optimiser.h"

#include <algorithm>
#include <vector>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cupel/engine/kernels/optimiser.cpp"
#include "cupel/base/vector_targets.h"
// clang-format off
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "cupel/engine/kernels/functions-inl.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace cupel::kernels::HWY_NAMESPACE {

// Squares are summed in float within a block and in double over blocks: element i of a block goes
// to float lane i % kLanes, each float lane to a double lane of its own. The order depends on
// nothing else, so it is the same for every vector width and for both callers.
constexpr std::size_t kLanes = 32, kBlock = 512;

struct Totals {
  HWY_ALIGN double lanes[kLanes] = {};

  double sum() const {
    double total = 0;
    for (const double lane : lanes) total += lane;
    return total;
  }
};

// element(i, n) returns the vector of values whose squares count: n values from i, zeros behind.
template <class F>
HWY_INLINE double SumBlocks(std::size_t size, const F& element) {
  const Wide d;
  using V = hn::Vec<Wide>;
  constexpr std::size_t kVectorLanes = HWY_LANES(float) < kLanes ? HWY_LANES(float) : kLanes;
  constexpr std::size_t kVectors = kLanes / kVectorLanes;
  Totals totals;
  for (std::size_t begin = 0; begin < size; begin += kBlock) {
    V sums[kVectors];
    for (V& sum : sums) sum = hn::Zero(d);
    const std::size_t end = std::min(size, begin + kBlock);
    for (std::size_t i = begin; i < end; i += kLanes) {
#pragma GCC unroll 4
      for (std::size_t k = 0; k < kVectors; ++k) {
        const std::size_t at = i + k * kVectorLanes;
        if (at >= end) break;
        const V x = element(at, std::min(kVectorLanes, end - at));
        sums[k] = hn::MulAdd(x, x, sums[k]);
      }
    }
    HWY_ALIGN float block[kLanes];
    for (std::size_t k = 0; k < kVectors; ++k) hn::Store(sums[k], d, block + k * kVectorLanes);
    for (std::size_t k = 0; k < kLanes; ++k) totals.lanes[k] += double{block[k]};
  }
  return totals.sum();
}

double SumOfSquares(std::size_t size, const float* w) {
  const Wide d;
  return SumBlocks(size, [&](std::size_t i, std::size_t n)
                             CUPEL_INLINE_LAMBDA { return LoadUpTo(d, w + i, n); });
}

double Adam(const AdamStep& step, std::size_t size, const float* HWY_RESTRICT g,
            float* HWY_RESTRICT w, float* HWY_RESTRICT m, float* HWY_RESTRICT v) {
  const Wide d;
  const auto l2 = hn::Set(d, step.l2), rate = hn::Set(d, step.rate);
  const auto first = hn::Set(d, 1.0f - step.beta1), second = hn::Set(d, 1.0f - step.beta2);
  const auto epsilon = hn::Set(d, step.epsilon);
  return SumBlocks(size, [&](std::size_t i, std::size_t n) CUPEL_INLINE_LAMBDA {
    const auto weight = LoadUpTo(d, w + i, n);
    const auto gradient = hn::MulAdd(l2, weight, LoadUpTo(d, g + i, n));
    auto mean = LoadUpTo(d, m + i, n);
    mean = hn::MulAdd(hn::Sub(gradient, mean), first, mean);
    auto square = LoadUpTo(d, v + i, n);
    square = hn::MulAdd(hn::MulSub(gradient, gradient, square), second, square);
    const auto divisor = hn::Add(hn::Sqrt(square), epsilon);
    const auto updated = hn::NegMulAdd(hn::Mul(rate, mean), Reciprocal(d, divisor), weight);
    StoreUpTo(mean, d, m + i, n);
    StoreUpTo(square, d, v + i, n);
    StoreUpTo(updated, d, w + i, n);
    return updated;
  });
}

}  // namespace cupel::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cupel::kernels {

HWY_EXPORT(SumOfSquares);
HWY_EXPORT(Adam);

namespace {

// What is read and written per chunk is about a megabyte, of which a thread's cache holds two.
constexpr std::size_t kChunk = 1 << 16;

// Calls part(begin, size) over chunks, and adds what it returns in order.
template <class Part>
double sum_chunks(Threads threads, std::size_t size, const Part& part) {
  if (size <= kChunk) return part(std::size_t{0}, size);
  thread_local std::vector<double> sums;
  // The name of a thread_local means another object in another thread.
  std::vector<double>& all = sums;
  all.assign((size + kChunk - 1) / kChunk, 0.0);
  parallel_blocks(threads, static_cast<std::int64_t>(all.size()), 1,
                  [&](std::int64_t i, std::int64_t end) {
                    for (; i < end; ++i) {
                      const auto chunk = static_cast<std::size_t>(i);
                      const std::size_t begin = chunk * kChunk;
                      all[chunk] = part(begin, std::min(kChunk, size - begin));
                    }
                  });
  double total = 0;
  for (const double sum : all) total += sum;
  return total;
}

}  // namespace

double sum_of_squares(Threads threads, std::size_t size, const float* w) {
  return sum_chunks(threads, size, [&](std::size_t begin, std::size_t count) {
    return HWY_DYNAMIC_DISPATCH(SumOfSquares)(count, w + begin);
  });
}

double adam(Threads threads, const AdamStep& step, std::size_t size, const float* g, float* w,
            float* m, float* v) {
  return sum_chunks(threads, size, [&](std::size_t begin, std::size_t count) {
    return HWY_DYNAMIC_DISPATCH(Adam)(step, count, g + begin, w + begin, m + begin, v + begin);
  });
}

}  // namespace cupel::kernels
#endif
