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

HWY_INLINE void StoreRow(const float* HWY_RESTRICT x, Index count, float by,
                         float* HWY_RESTRICT to) {
  const Lanes16 d;
  OverColumns(d, static_cast<std::size_t>(count),
              [&](std::size_t j, std::size_t n) CUPEL_INLINE_LAMBDA {
                StoreUpTo(hn::Mul(hn::Load(d, x + j), hn::Set(d, by)), d, to + j, n);
              });
}

template <std::size_t kVectors>
HWY_INLINE void AddPanel(const float* HWY_RESTRICT weight, const Index* HWY_RESTRICT column,
                         std::size_t n, const float* HWY_RESTRICT from, std::size_t width,
                         float* HWY_RESTRICT to) {
  const Lanes16 d;
  V16 sum[kVectors];
#pragma GCC unroll 8
  for (std::size_t v = 0; v < kVectors; ++v) sum[v] = hn::Load(d, to + v * kLanes);
  for (std::size_t e = 0; e < n; ++e) {
    const float* HWY_RESTRICT row = from + static_cast<std::size_t>(column[e]) * width;
    const V16 by = hn::Set(d, weight[e]);
#pragma GCC unroll 8
    for (std::size_t v = 0; v < kVectors; ++v) {
      sum[v] = hn::MulAdd(by, hn::Load(d, row + v * kLanes), sum[v]);
    }
  }
#pragma GCC unroll 8
  for (std::size_t v = 0; v < kVectors; ++v) hn::Store(sum[v], d, to + v * kLanes);
}

// to += weight[e] * slab(column[e]) for e = 0, ..., n - 1: chains of fused multiply-adds.
HWY_INLINE void AddRows(const float* HWY_RESTRICT weight, const Index* HWY_RESTRICT column,
                        std::size_t n, const Slab& slab, float* HWY_RESTRICT to) {
  constexpr std::size_t kMost = kLanes >= 8 ? 64 / kLanes : 8;
  std::size_t j = 0;
  for (; j + kMost * kLanes <= slab.width; j += kMost * kLanes) {
    AddPanel<kMost>(weight, column, n, slab.data + j, slab.width, to + j);
  }
  if constexpr (kMost * kLanes > 32) {
    if (j + 32 <= slab.width) {
      AddPanel<32 / kLanes>(weight, column, n, slab.data + j, slab.width, to + j);
      j += 32;
    }
  }
  if constexpr (kMost * kLanes > 16) {
    if (j < slab.width) {
      AddPanel<kPerUnit>(weight, column, n, slab.data + j, slab.width, to + j);
    }
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
HWY_INLINE V8 AddNeighbours(V8 low, V8 high) {
  const Eight e;
  return hn::Add(hn::ConcatEven(e, high, low), hn::ConcatOdd(e, high, low));
}

// out[i] = <x, row[i]> for kRows = 1, 4 or 8 rows; room for eight values. The sixteen partial sums
// of a row are added by halves, then neighbours, all rows' together.
template <int kRows>
HWY_INLINE void DotsOf(const float* HWY_RESTRICT x, const float* const* row, std::size_t width,
                       float* HWY_RESTRICT out) {
  const Lanes16 d;
  // As many rows at once as their partial sums fit the registers.
  constexpr int kAtOnce = std::min(kRows, kPerUnit == 1 ? 8 : 4);
  V8 part[kRows];
#pragma GCC unroll 2
  for (int first = 0; first < kRows; first += kAtOnce) {
    V16 sum[kAtOnce][kPerUnit];
#pragma GCC unroll 8
    for (int i = 0; i < kAtOnce; ++i) {
#pragma GCC unroll 2
      for (std::size_t v = 0; v < kPerUnit; ++v) sum[i][v] = hn::Zero(d);
    }
    for (std::size_t j = 0; j < width; j += kUnit) {
#pragma GCC unroll 2
      for (std::size_t v = 0; v < kPerUnit; ++v) {
        const std::size_t at = j + v * kLanes;
        const V16 mine = hn::Load(d, x + at);
#pragma GCC unroll 8
        for (int i = 0; i < kAtOnce; ++i) {
          sum[i][v] = hn::MulAdd(mine, hn::Load(d, row[first + i] + at), sum[i][v]);
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
template <int kRows>
HWY_INLINE void DotsOf(const float* HWY_RESTRICT x, const float* const* row, std::size_t width,
                       float* HWY_RESTRICT out) {
  const Lanes16 d;
  HWY_ALIGN float sum[kUnit];
  for (int i = 0; i < kRows; ++i) {
    std::fill_n(sum, kUnit, 0.0f);
    for (std::size_t j = 0; j < width; j += kUnit) {
      for (std::size_t v = 0; v < kUnit; v += kLanes) {
        const V16 product =
            hn::MulAdd(hn::Load(d, x + j + v), hn::Load(d, row[i] + j + v), hn::Load(d, sum + v));
        hn::Store(product, d, sum + v);
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

// out[e] = <x, slab(column[e])> for e < n <= kChunk; `out` has kChunk places. The same bits for a
// row and an entry wherever and in whatever order the two come.
HWY_INLINE void DotRows(const float* HWY_RESTRICT x, const Index* HWY_RESTRICT column,
                        std::size_t n, const Slab& slab, float* HWY_RESTRICT out) {
  const float* row[8];
  std::size_t e = 0;
  for (; e + 8 <= n; e += 8) {
#pragma GCC unroll 8
    for (std::size_t i = 0; i < 8; ++i) row[i] = slab.row(column[e + i]);
    DotsOf<8>(x, row, slab.width, out + e);
  }
  if (e == n) return;
  const std::size_t rest = n - e;
  for (std::size_t i = 0; i < 8; ++i) row[i] = slab.row(column[e + (i < rest ? i : 0)]);
  if (rest == 1) {
    DotsOf<1>(x, row, slab.width, out + e);
  } else if (rest <= 4) {
    DotsOf<4>(x, row, slab.width, out + e);
  } else {
    DotsOf<8>(x, row, slab.width, out + e);
  }
}

HWY_INLINE float DotOne(const float* HWY_RESTRICT x, const float* y, std::size_t width) {
  HWY_ALIGN float out[8];
  DotsOf<1>(x, &y, width, out);
  return out[0];
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

// The columns of entries [first, first + n), 0 < n <= kChunk, the first one again to the end of a
// unit. `buffer`: room for kChunk.
HWY_INLINE const Index* ChunkColumns(const SparseView& a, Offset first, std::size_t n,
                                     Index* buffer) {
  const Index* columns = a.columns + first;
  if (n == kChunk) return columns;
  std::copy_n(columns, n, buffer);
  std::fill(buffer + n, buffer + (n + kUnit - 1) / kUnit * kUnit, columns[0]);
  return buffer;
}

// Calls f(first, n) for the chunks of row r.
template <class F>
HWY_INLINE void OverChunks(const SparseView& a, Index r, const F& f) {
  for (Offset e = a.row_ptr[r]; e < a.row_ptr[r + 1]; e += static_cast<Offset>(kChunk)) {
    f(e, static_cast<std::size_t>(
             std::min<Offset>(static_cast<Offset>(kChunk), a.row_ptr[r + 1] - e)));
  }
}

HWY_INLINE auto LoadIndices(const Index* column) {
  return hn::LoadU(hn::RebindToSigned<Lanes16>(), column);
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
