// What the passes of attention share: rows of a slab, chosen by entries, summed or multiplied.
// Include in a foreach_target file.
#if defined(CUPEL_ENGINE_KERNELS_ATTENTION_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef CUPEL_ENGINE_KERNELS_ATTENTION_INL_H_
#undef CUPEL_ENGINE_KERNELS_ATTENTION_INL_H_
#else
#define CUPEL_ENGINE_KERNELS_ATTENTION_INL_H_
#endif

#include <algorithm>

#include "cupel/engine/kernels/attention_work.h"
#include "cupel/engine/kernels/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace cupel::kernels::HWY_NAMESPACE {

using Lanes16 = hn::CappedTag<float, kUnit>;
using V16 = hn::Vec<Lanes16>;
using V8 = hn::Vec<Eight>;
constexpr std::size_t kLanes = hn::MaxLanes(Lanes16());
constexpr std::size_t kPerUnit = kUnit / kLanes;  // vectors of a unit

// `count` values times `by`, then zeros.
HWY_INLINE void CopyRow(const float* HWY_RESTRICT x, Index count, float by, float* HWY_RESTRICT to,
                        std::size_t width) {
  const Lanes16 d;
  const auto cols = static_cast<std::size_t>(count);
  OverColumns(d, cols, [&](std::size_t j, std::size_t n) CUPEL_INLINE_LAMBDA {
    hn::Store(hn::Mul(LoadUpTo(d, x + j, n), hn::Set(d, by)), d, to + j);
  });
  const std::size_t written = (cols + kLanes - 1) / kLanes * kLanes;
  for (std::size_t j = written; j < width; j += kLanes) hn::Store(hn::Zero(d), d, to + j);
}

// Rows [begin, end) of a panel of x, times `by`.
HWY_INLINE void CopyRows(ConstDenseView x, const Panel& panel, float by, const Slab& to,
                         Index begin, Index end) {
  for (Index r = begin; r < end; ++r) {
    CopyRow(x.row(r) + panel.first, panel.count, by, to.row(r), to.width);
  }
}

HWY_INLINE void StoreRow(const float* HWY_RESTRICT x, Index count, float by, float* HWY_RESTRICT to,
                         bool add = false) {
  const Lanes16 d;
  OverColumns(d, static_cast<std::size_t>(count),
              [&](std::size_t j, std::size_t n) CUPEL_INLINE_LAMBDA {
                V16 row = hn::Mul(hn::Load(d, x + j), hn::Set(d, by));
                if (add) row = hn::Add(LoadUpTo(d, to + j, n), row);
                StoreUpTo(row, d, to + j, n);
              });
}

// The width of a slab, where it is known: kWidth is 0 or the width itself.
template <std::size_t kWidth>
HWY_INLINE std::size_t WidthOf(const Slab& slab) {
  return kWidth != 0 ? kWidth : slab.width;
}

template <std::size_t kWidth, std::size_t kVectors>
HWY_INLINE void AddPanel(const float* HWY_RESTRICT weight, const Index* HWY_RESTRICT column,
                         std::size_t n, const Slab& slab, std::size_t j, float* HWY_RESTRICT to) {
  const Lanes16 d;
  const std::size_t width = WidthOf<kWidth>(slab);
  const float* HWY_RESTRICT from = slab.data + j;
  V16 sum[kVectors];
#pragma GCC unroll 8
  for (std::size_t v = 0; v < kVectors; ++v) sum[v] = hn::Load(d, to + j + v * kLanes);
  for (std::size_t e = 0; e < n; ++e) {
    const float* HWY_RESTRICT row = from + static_cast<std::size_t>(column[e]) * width;
    const V16 by = hn::Set(d, weight[e]);
#pragma GCC unroll 8
    for (std::size_t v = 0; v < kVectors; ++v) {
      sum[v] = hn::MulAdd(by, hn::Load(d, row + v * kLanes), sum[v]);
    }
  }
#pragma GCC unroll 8
  for (std::size_t v = 0; v < kVectors; ++v) hn::Store(sum[v], d, to + j + v * kLanes);
}

// to += weight[e] * slab(column[e]) for e = 0, ..., n - 1: chains of fused multiply-adds.
template <std::size_t kWidth>
HWY_INLINE void AddRows(const float* HWY_RESTRICT weight, const Index* HWY_RESTRICT column,
                        std::size_t n, const Slab& slab, float* HWY_RESTRICT to) {
  constexpr std::size_t kMost = kLanes >= 8 ? 64 / kLanes : 8;
  const std::size_t width = WidthOf<kWidth>(slab);
  std::size_t j = 0;
  for (; j + kMost * kLanes <= width; j += kMost * kLanes) {
    AddPanel<kWidth, kMost>(weight, column, n, slab, j, to);
  }
  if constexpr (kMost * kLanes > 32) {
    if (j + 32 <= width) {
      AddPanel<kWidth, 32 / kLanes>(weight, column, n, slab, j, to);
      j += 32;
    }
  }
  if constexpr (kMost * kLanes > 16) {
    if (j < width) AddPanel<kWidth, kPerUnit>(weight, column, n, slab, j, to);
  }
}

#if HWY_TARGET != HWY_SCALAR && HWY_MAX_BYTES >= 32
// A unit of partial sums in eight: its lower half plus its upper.
HWY_INLINE V8 HalfOf(const V16* unit) {
#if HWY_MAX_BYTES >= 64
  return hn::Add(hn::LowerHalf(Eight(), unit[0]), hn::UpperHalf(Eight(), unit[0]));
#else
  return hn::Add(unit[0], unit[1]);
#endif
}

// out[i] = <x, slab(column[i])> for kRows = 1, 4 or 8 rows; room for eight values. The sixteen
// partial sums of a row are added by halves, then neighbours, all rows' together.
template <std::size_t kWidth, int kRows>
HWY_INLINE void DotsOf(const float* HWY_RESTRICT x, const Index* HWY_RESTRICT column,
                       const Slab& slab, float* HWY_RESTRICT out) {
  const Lanes16 d;
  const std::size_t width = WidthOf<kWidth>(slab);
  // As many rows at once as their partial sums fit the registers.
  constexpr int kAtOnce = std::min(kRows, kPerUnit == 1 ? 8 : 4);
  V8 part[kRows];
#pragma GCC unroll 2
  for (int first = 0; first < kRows; first += kAtOnce) {
    const float* row[kAtOnce];
    V16 sum[kAtOnce][kPerUnit];
#pragma GCC unroll 8
    for (int i = 0; i < kAtOnce; ++i) {
      row[i] = slab.data + static_cast<std::size_t>(column[first + i]) * width;
#pragma GCC unroll 2
      for (std::size_t v = 0; v < kPerUnit; ++v) sum[i][v] = hn::Zero(d);
    }
#pragma GCC unroll 4
    for (std::size_t j = 0; j < width; j += kUnit) {
#pragma GCC unroll 2
      for (std::size_t v = 0; v < kPerUnit; ++v) {
        const std::size_t at = j + v * kLanes;
        const V16 mine = hn::Load(d, x + at);
#pragma GCC unroll 8
        for (int i = 0; i < kAtOnce; ++i) {
          sum[i][v] = hn::MulAdd(mine, hn::Load(d, row[i] + at), sum[i][v]);
        }
      }
    }
#pragma GCC unroll 8
    for (int i = 0; i < kAtOnce; ++i) part[first + i] = HalfOf(sum[i]);
  }
  if constexpr (kRows == 1) {
    const V8 quarter = AddNeighbours(part[0], part[0]);
    const V8 eighth = AddNeighbours(quarter, quarter);
    hn::StoreU(AddNeighbours(eighth, eighth), Eight(), out);
  } else {
    const V8 low = AddNeighbours(AddNeighbours(part[0], part[1]), AddNeighbours(part[2], part[3]));
    V8 high = low;
    if constexpr (kRows == 8) {
      high = AddNeighbours(AddNeighbours(part[4], part[5]), AddNeighbours(part[6], part[7]));
    }
    hn::StoreU(AddNeighbours(low, high), Eight(), out);
  }
}
#else
template <std::size_t kWidth, int kRows>
HWY_INLINE void DotsOf(const float* HWY_RESTRICT x, const Index* HWY_RESTRICT column,
                       const Slab& slab, float* HWY_RESTRICT out) {
  const Lanes16 d;
  HWY_ALIGN float sum[kUnit];
  for (int i = 0; i < kRows; ++i) {
    const float* row = slab.row(column[i]);
    std::fill_n(sum, kUnit, 0.0f);
    for (std::size_t j = 0; j < slab.width; j += kUnit) {
      for (std::size_t v = 0; v < kUnit; v += kLanes) {
        const V16 mine = hn::Load(d, x + j + v);
        hn::Store(hn::MulAdd(mine, hn::Load(d, row + j + v), hn::Load(d, sum + v)), d, sum + v);
      }
    }
    for (std::size_t k = 0; k < 8; ++k) sum[k] += sum[k + 8];
    for (std::size_t size = 4; size > 0; size /= 2) {
      for (std::size_t k = 0; k < size; ++k) sum[k] = sum[2 * k] + sum[2 * k + 1];
    }
    out[i] = sum[0];
  }
}
#endif

// out[e] = <x, slab(column[e])>, or that added to it, for e < n. The same bits for a row and an
// entry wherever the entry is and whichever of the two is x.
template <std::size_t kWidth>
HWY_INLINE void DotRows(const float* HWY_RESTRICT x, const Index* HWY_RESTRICT column,
                        std::size_t n, const Slab& slab, bool add, float* HWY_RESTRICT out) {
  HWY_ALIGN float dot[8];
  std::size_t e = 0;
  for (; e + 8 <= n; e += 8) {
    if (!add) {
      DotsOf<kWidth, 8>(x, column + e, slab, out + e);
      continue;
    }
    DotsOf<kWidth, 8>(x, column + e, slab, dot);
    for (std::size_t i = 0; i < 8; ++i) out[e + i] += dot[i];
  }
  if (e == n) return;
  const std::size_t rest = n - e;
  if (rest == 1) {
    DotsOf<kWidth, 1>(x, column + e, slab, dot);
  } else {
    Index padded[8];
    for (std::size_t i = 0; i < 8; ++i) padded[i] = column[e + (i < rest ? i : 0)];
    rest <= 4 ? DotsOf<kWidth, 4>(x, padded, slab, dot) : DotsOf<kWidth, 8>(x, padded, slab, dot);
  }
  for (std::size_t i = 0; i < rest; ++i) out[e + i] = add ? out[e + i] + dot[i] : dot[i];
}

HWY_INLINE float DotOne(const float* HWY_RESTRICT x, float* y, std::size_t width) {
  HWY_ALIGN float dot[8];
  const Index first = 0;
  DotsOf<0, 1>(x, &first, {y, width}, dot);
  return dot[0];
}

// Rows [begin, end) of a panel of the gradient g, times `by` of each row, and their products with
// the output's at product[r * stride]: the sum over the row's entries of alpha times the gradient
// of alpha.
HWY_INLINE void CopyGradient(ConstDenseView g, ConstDenseView out, const float* by,
                             const Panel& panel, const Slab& to, float* product, std::size_t stride,
                             Index begin, Index end) {
  float* theirs = block_scratch(to.width);
  for (Index r = begin; r < end; ++r) {
    CopyRow(g.row(r) + panel.first, panel.count, by[r], to.row(r), to.width);
    CopyRow(out.row(r) + panel.first, panel.count, 1.0f, theirs, to.width);
    const float dot = DotOne(theirs, to.row(r), to.width);
    float& sum = product[static_cast<std::size_t>(r) * stride];
    sum = panel.opens ? dot : sum + dot;
  }
}

using Indices = hn::Vec<hn::RebindToSigned<Lanes16>>;

// The first n numbers, zeros behind them.
HWY_INLINE Indices LoadIndices(const Index* HWY_RESTRICT p, std::size_t n) {
  const hn::RebindToSigned<Lanes16> d;
  if (n >= kLanes) return hn::LoadU(d, p);
#if !CUPEL_MASKED_MEMORY
  HWY_ALIGN Index buffer[kUnit] = {};
  for (std::size_t i = 0; i < n; ++i) buffer[i] = p[i];
  return hn::Load(d, buffer);
#else
  return hn::MaskedLoad(hn::FirstN(d, n), d, p);
#endif
}

// Calls f(first, n) for the chunks of row r.
template <class F>
HWY_INLINE void OverChunks(const SparseView& a, Index r, const F& f) {
  for (Offset e = a.row_ptr[r]; e < a.row_ptr[r + 1]; e += static_cast<Offset>(kChunk)) {
    f(e, static_cast<std::size_t>(
             std::min<Offset>(static_cast<Offset>(kChunk), a.row_ptr[r + 1] - e)));
  }
}

// Zeros from n to the end of a unit; `values` has kChunk places.
HWY_INLINE void ClearRest(std::size_t n, float* values) {
  std::fill(values + n, values + (n + kUnit - 1) / kUnit * kUnit, 0.0f);
}

// sum += the n values, by eight lanes; zeros follow them to the end of a unit.
HWY_INLINE V8 AddValues(const float* HWY_RESTRICT values, std::size_t n, V8 sum) {
  const Eight d;
  for (std::size_t j = 0; j < n; j += hn::Lanes(d)) sum = hn::Add(sum, hn::LoadU(d, values + j));
  return sum;
}

}  // namespace cupel::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
