#include "cupel/engine/kernels/sparse.h"

#include <algorithm>
#include <cstring>

#include "cupel/engine/kernels/blocks.h"
#include "cupel/engine/kernels/scratch.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cupel/engine/kernels/sparse.cpp"
#include "cupel/base/vector_targets.h"
// clang-format off
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "cupel/engine/kernels/panels-inl.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace cupel::kernels::HWY_NAMESPACE {

// Columns [j, j + n) of output row i.
template <bool kValued, int kVectors, class D>
HWY_INLINE void SpmmPanel(D d, const SparseView& a, const Index* rows, const ConstDenseView& b,
                          const DenseView& out, Index i, std::size_t j, std::size_t n, bool add) {
  constexpr Weights kWeights = kValued ? Weights::kEach : Weights::kNone;
  const Index r = rows != nullptr ? rows[i] : i;
  const Offset first = a.row_ptr[r];
  const Entries row{a.columns + first, kValued ? a.values + first : nullptr,
                    a.row_ptr[r + 1] - first};
  float* HWY_RESTRICT to = out.row(i) + j;
  hn::Vec<D> sum[kVectors];
#pragma GCC unroll 8
  for (int v = 0; v < kVectors; ++v) {
    sum[v] = hn::Zero(d);
  }
  SumEntries<kWeights, kVectors>(d, row, b.data + j, static_cast<std::size_t>(b.stride), n, sum);
#pragma GCC unroll 8
  for (int v = 0; v < kVectors; ++v) {
    if constexpr (!kValued) sum[v] = hn::Mul(sum[v], hn::Set(d, a.uniform));
    if (add) sum[v] = hn::Add(LoadOf<kVectors>(d, to, v, n), sum[v]);
    StoreOf<kVectors>(sum[v], d, to, v, n);
  }
}

// A panel of B that fits the second-level cache is used for all rows before the next one; of a
// larger B, whole rows are read, for the sake of memory pages.
template <bool kValued>
HWY_INLINE void SpmmRows(const SparseView& a, const Index* rows, const ConstDenseView& b,
                         const DenseView& out, Index begin, Index end, bool add) {
  constexpr Index kMostRows = 4096;  // of a panel: 1 MiB
  const auto cols = static_cast<std::size_t>(out.cols);
  if (b.rows <= kMostRows) {
    OverPanels(cols, [&]<int kVectors>(auto d, std::size_t j, std::size_t n) CUPEL_INLINE_LAMBDA {
      for (Index i = begin; i < end; ++i) {
        SpmmPanel<kValued, kVectors>(d, a, rows, b, out, i, j, n, add);
      }
    });
    return;
  }
  for (Index i = begin; i < end; ++i) {
    OverPanels(cols, [&]<int kVectors>(auto d, std::size_t j, std::size_t n) CUPEL_INLINE_LAMBDA {
      SpmmPanel<kValued, kVectors>(d, a, rows, b, out, i, j, n, add);
    });
  }
}

void Spmm(const SparseView& a, const Index* rows, ConstDenseView b, DenseView out, Index begin,
          Index end, bool add) {
  if (a.values != nullptr) {
    SpmmRows<true>(a, rows, b, out, begin, end, add);
  } else {
    SpmmRows<false>(a, rows, b, out, begin, end, add);
  }
}

}  // namespace cupel::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cupel::kernels {

HWY_EXPORT(Spmm);

namespace {

// Columns of B to copy and use for all rows before the next ones, so that what is gathered lies in
// the second-level cache; 0 where that would not pay.
Index slab_columns(const SparseView& a, Index out_rows, const ConstDenseView& b) {
  constexpr std::size_t kCache = 1536 << 10;
  constexpr Index kLine = 16;
  // Rows too small a multiple of what copying touches: the copy costs about as much as it saves.
  constexpr Offset kLeastReuse = 24;
  const auto rows = static_cast<std::size_t>(b.rows);
  if (rows * static_cast<std::size_t>(b.cols) * sizeof(float) <= kCache) return 0;
  if (a.rows == 0 || a.entries() / a.rows * out_rows < kLeastReuse * b.rows) return 0;
  const auto most = static_cast<Index>(kCache / (rows * sizeof(float)));
  const Index cols = most >= 64 ? 64 : most / kLine * kLine;
  return cols < b.cols ? cols : 0;
}

void multiply(Threads threads, const SparseView& a, const Index* rows, const ConstDenseView& b,
              const DenseView& out, bool add) {
  const Offset mean_size = a.rows > 0 ? a.entries() / a.rows + 1 : 1;
  over_blocks(threads, out.rows, mean_size * out.cols, 1, [&](Index begin, Index end) {
    HWY_DYNAMIC_DISPATCH(Spmm)(a, rows, b, out, begin, end, add);
  });
}

}  // namespace

void spmm(Threads threads, const SparseView& a, const Index* rows, ConstDenseView b, DenseView out,
          bool add) {
  const Index width = slab_columns(a, out.rows, b);
  if (width == 0) return multiply(threads, a, rows, b, out, add);
  const auto stride = static_cast<std::size_t>(width);
  float* const slab = scratch(static_cast<std::size_t>(b.rows) * stride);
  for (Index j = 0; j < b.cols; j += width) {
    const Index cols = std::min(width, b.cols - j);
    over_blocks(threads, b.rows, width, 1, [&](Index begin, Index end) {
      for (Index i = begin; i < end; ++i) {
        std::memcpy(slab + static_cast<std::size_t>(i) * stride, b.row(i) + j,
                    static_cast<std::size_t>(cols) * sizeof(float));
      }
    });
    multiply(threads, a, rows, {slab, b.rows, cols, width},
             {out.data + j, out.rows, cols, out.stride}, add);
  }
}

}  // namespace cupel::kernels
#endif
