// Sums of chosen rows of a dense matrix, some columns at a time: the inner loop of every sparse
// product. Include in a foreach_target file.
#if defined(CUPEL_ENGINE_KERNELS_PANELS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef CUPEL_ENGINE_KERNELS_PANELS_INL_H_
#undef CUPEL_ENGINE_KERNELS_PANELS_INL_H_
#else
#define CUPEL_ENGINE_KERNELS_PANELS_INL_H_
#endif

#include "cupel/base/matrix.h"
#include "cupel/engine/kernels/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace cupel::kernels::HWY_NAMESPACE {

// Vectors of a row held in registers at once: 64 columns on AVX2 and AVX-512.
constexpr int kMostVectors = HWY_TARGET == HWY_AVX2 ? 8 : 4;

// Calls f.template operator()<vectors>(tag, j, n): n columns from j, in panels of kMostVectors
// vectors and less. Only a panel of a single vector may be partial: n less than its lanes.
template <class F>
HWY_INLINE void OverPanels(std::size_t cols, const F& f) {
  const Wide d;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t j = 0;
  for (; j + kMostVectors * lanes <= cols; j += kMostVectors * lanes) {
    f.template operator()<kMostVectors>(d, j, kMostVectors * lanes);
  }
  if (j == cols) return;
  if constexpr (kMostVectors == 8) {
    if (j + 4 * lanes <= cols) {
      f.template operator()<4>(d, j, 4 * lanes);
      j += 4 * lanes;
    }
  }
  if (j + 2 * lanes <= cols) {
    f.template operator()<2>(d, j, 2 * lanes);
    j += 2 * lanes;
  }
  for (; j + lanes <= cols; j += lanes) f.template operator()<1>(d, j, lanes);
  if (j == cols) return;
  const std::size_t rest = cols - j;
  const Eight eight;
  if (rest == hn::Lanes(eight)) {
    f.template operator()<1>(eight, j, hn::Lanes(eight));
  } else if (rest < hn::Lanes(eight)) {
    f.template operator()<1>(eight, j, rest);
  } else {
    CUPEL_ASSUME(rest < lanes);
    f.template operator()<1>(d, j, rest);
  }
}

// Vector v of a panel of n columns.
template <int kVectors, class D>
HWY_INLINE hn::Vec<D> LoadOf(D d, const float* HWY_RESTRICT p, int v, std::size_t n) {
  if constexpr (kVectors == 1) return LoadUpTo(d, p, n);
  return hn::LoadU(d, p + static_cast<std::size_t>(v) * hn::Lanes(d));
}
template <int kVectors, class D>
HWY_INLINE void StoreOf(hn::Vec<D> x, D d, float* HWY_RESTRICT p, int v, std::size_t n) {
  if constexpr (kVectors == 1) {
    StoreUpTo(x, d, p, n);
  } else {
    hn::StoreU(x, d, p + static_cast<std::size_t>(v) * hn::Lanes(d));
  }
}

// How an entry weighs the row it names: not at all, all entries alike, each by its own value.
enum class Weights { kNone, kAlike, kEach };

// Entries of one sparse row: `values` are count values (kEach), or one (kAlike).
struct Entries {
  const Index* columns;
  const float* values;
  Offset count;
};

// sum[v] += the entries' rows of `from`, in order; fused multiply-adds where there are weights.
//
// Wide panels are bound by the second-level cache, and a plain loop is best (prefetching and
// unrolling were measured slower). Narrow ones are bound by the loop itself and by wrongly
// predicted row ends: there entries go four at a time, the end filled up with rows of zeros. The
// rows of zeros turn a sum of -0 into +0. Such a sum arises where all products underflowed; to keep
// its sign takes up to 30 % longer.
template <Weights kWeights, int kVectors, class D>
HWY_INLINE void SumEntries(D d, const Entries& row, const float* HWY_RESTRICT from,
                           std::size_t stride, std::size_t n, hn::Vec<D>* HWY_RESTRICT sum) {
  using V = hn::Vec<D>;
  V weight = hn::Zero(d);
  if constexpr (kWeights == Weights::kAlike) weight = hn::Set(d, *row.values);
  const auto take = [&](const float* HWY_RESTRICT x, const float* value) CUPEL_INLINE_LAMBDA {
    if constexpr (kWeights == Weights::kEach) weight = hn::Set(d, *value);
#pragma GCC unroll 8
    for (int v = 0; v < kVectors; ++v) {
      const V term = LoadOf<kVectors>(d, x, v, n);
      sum[v] =
          kWeights == Weights::kNone ? hn::Add(sum[v], term) : hn::MulAdd(weight, term, sum[v]);
    }
  };
  const auto at = [&](Offset e) CUPEL_INLINE_LAMBDA {
    return from + static_cast<std::size_t>(row.columns[e]) * stride;
  };
  Offset e = 0;
  if constexpr (2 * kVectors > kMostVectors) {
    for (; e < row.count; ++e) take(at(e), row.values + e);
    return;
  }
  for (; e + 4 <= row.count; e += 4) {
#pragma GCC unroll 4
    for (int i = 0; i < 4; ++i) take(at(e + i), row.values + e + i);
  }
  if (e == row.count) return;
  HWY_ALIGN static constexpr float kZeros[HWY_MAX_BYTES] = {};
  const Offset last = row.count - 1;
  take(at(e), row.values + e);
#pragma GCC unroll 4
  for (int i = 1; i < 4; ++i) {
    const bool there = e + i <= last;
    const float* x = at(there ? e + i : last);
    take(there ? x : kZeros, there ? row.values + e + i : kZeros);
  }
}

}  // namespace cupel::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
