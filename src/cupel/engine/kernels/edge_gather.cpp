// Weighted gathers along entries. Sums over entries are chains of fused multiply-adds in stored
// order.
#include "cupel/engine/kernels/edge.h"

#include <algorithm>
#include <vector>

#include "cupel/engine/kernels/blocks.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cupel/engine/kernels/edge_gather.cpp"
#include "cupel/base/vector_targets.h"
// clang-format off
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "cupel/engine/kernels/panels-inl.h"
// clang-format on

#ifndef CUPEL_ENGINE_KERNELS_EDGE_GATHER_CPP_
#define CUPEL_ENGINE_KERNELS_EDGE_GATHER_CPP_
namespace cupel::kernels {

// out(r, head part) = sum over entries k = (r, c) of weight(entry(k), head) * from(c, head
// part).
struct Gather {
  const SparseView* a = nullptr;
  const Offset* entry = nullptr;  // null: entry k itself
  ConstDenseView weight, from;
  DenseView out;
  Index heads = 0, d = 0;     // d columns per head
  std::size_t from_head = 0;  // columns from one head to the next; 0: all share the same
  const Index* head_of =
      nullptr;  // per column of heads side by side: its head (room for a vector more)
  bool sum_heads = false;

  std::size_t weight_row(Offset k) const {
    return static_cast<std::size_t>(entry != nullptr ? entry[k] : k) *
           static_cast<std::size_t>(weight.stride);
  }
};

}  // namespace cupel::kernels
#endif

HWY_BEFORE_NAMESPACE();
namespace cupel::kernels::HWY_NAMESPACE {

// kVectors heads at once, columns [j, j + n) of each: one vector of sums per head.
template <int kVectors, class D>
HWY_INLINE void HeadsOfRow(D d, const Gather& x, Index r, Index head, std::size_t j,
                           std::size_t n) {
  using V = hn::Vec<D>;
  V sum[kVectors];
#pragma GCC unroll 8
  for (int v = 0; v < kVectors; ++v) sum[v] = hn::Zero(d);
  const float* HWY_RESTRICT from = x.from.data + static_cast<std::size_t>(head) * x.from_head + j;
  for (Offset k = x.a->row_ptr[r]; k < x.a->row_ptr[r + 1]; ++k) {
    const float* HWY_RESTRICT weight = x.weight.data + x.weight_row(k) + head;
    const float* HWY_RESTRICT row =
        from + static_cast<std::size_t>(x.a->columns[k]) * static_cast<std::size_t>(x.from.stride);
#pragma GCC unroll 8
    for (int v = 0; v < kVectors; ++v) {
      const V value = LoadUpTo(d, row + static_cast<std::size_t>(v) * x.from_head, n);
      sum[v] = hn::MulAdd(hn::Set(d, weight[v]), value, sum[v]);
    }
  }
  float* HWY_RESTRICT to = x.out.row(r) + static_cast<std::size_t>(head) * x.d + j;
#pragma GCC unroll 8
  for (int v = 0; v < kVectors; ++v, to += x.d) StoreUpTo(sum[v], d, to, n);
}

// Any layout, head by head.
template <class D>
HWY_INLINE void GatherHeads(D d, const Gather& x, Index begin, Index end) {
  for (Index r = begin; r < end; ++r) {
    OverColumns(d, static_cast<std::size_t>(x.d),
                [&](std::size_t j, std::size_t n) CUPEL_INLINE_LAMBDA {
                  Index head = 0;
                  for (; head + 4 <= x.heads; head += 4) HeadsOfRow<4>(d, x, r, head, j, n);
                  for (; head < x.heads; ++head) HeadsOfRow<1>(d, x, r, head, j, n);
                });
  }
}

// One head, weights side by side: a product with a sparse matrix.
HWY_INLINE void GatherOne(const Gather& x, Index begin, Index end) {
  for (Index r = begin; r < end; ++r) {
    const Offset first = x.a->row_ptr[r];
    const Entries row{x.a->columns + first, x.weight.data + first, x.a->row_ptr[r + 1] - first};
    OverPanels(static_cast<std::size_t>(x.d),
               [&]<int kVectors>(auto d, std::size_t j, std::size_t n) CUPEL_INLINE_LAMBDA {
                 hn::Vec<decltype(d)> sum[kVectors];
#pragma GCC unroll 8
                 for (int v = 0; v < kVectors; ++v) sum[v] = hn::Zero(d);
                 SumEntries<Weights::kEach, kVectors>(
                     d, row, x.from.data + j, static_cast<std::size_t>(x.from.stride), n, sum);
                 float* HWY_RESTRICT to = x.out.row(r) + j;
#pragma GCC unroll 8
                 for (int v = 0; v < kVectors; ++v) StoreOf<kVectors>(sum[v], d, to, v, n);
               });
  }
}

// kVectors vectors of columns from j, of heads that lie side by side: each column finds its head's
// weight by a table look-up in the vector of all weights. n: columns of the last vector.
template <int kVectors>
HWY_INLINE void ColumnsOfRow(const Gather& x, Index r, std::size_t j, std::size_t n) {
  const Wide d;
  using V = hn::Vec<Wide>;
  const std::size_t lanes = hn::Lanes(d);
  const auto heads = static_cast<std::size_t>(x.heads);
  using Heads = decltype(hn::SetTableIndices(d, x.head_of));
  V sum[kVectors];
  Heads head[kVectors];
#pragma GCC unroll 4
  for (int v = 0; v < kVectors; ++v) {
    sum[v] = hn::Zero(d);
    head[v] = hn::SetTableIndices(d, x.head_of + j + static_cast<std::size_t>(v) * lanes);
  }
  const auto load = [&](const float* HWY_RESTRICT at, int v) CUPEL_INLINE_LAMBDA {
    return v + 1 == kVectors ? LoadUpTo(d, at + static_cast<std::size_t>(v) * lanes, n)
                             : hn::LoadU(d, at + static_cast<std::size_t>(v) * lanes);
  };
  for (Offset k = x.a->row_ptr[r]; k < x.a->row_ptr[r + 1]; ++k) {
    const V weights = LoadUpTo(d, x.weight.data + x.weight_row(k), heads);
    const float* HWY_RESTRICT row = x.from.row(x.a->columns[k]) + j;
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) {
      sum[v] = hn::MulAdd(hn::TableLookupLanes(weights, head[v]), load(row, v), sum[v]);
    }
  }
  float* HWY_RESTRICT to = x.out.row(r) + j;
#pragma GCC unroll 4
  for (int v = 0; v < kVectors; ++v) {
    StoreUpTo(sum[v], d, to + static_cast<std::size_t>(v) * lanes, v + 1 == kVectors ? n : lanes);
  }
}

HWY_INLINE void GatherColumns(const Gather& x, Index begin, Index end) {
  const std::size_t lanes = hn::Lanes(Wide());
  const auto cols = static_cast<std::size_t>(x.heads) * static_cast<std::size_t>(x.d);
  for (Index r = begin; r < end; ++r) {
    std::size_t j = 0;
    for (; j + 4 * lanes <= cols; j += 4 * lanes) ColumnsOfRow<4>(x, r, j, lanes);
    for (; j + lanes <= cols; j += lanes) ColumnsOfRow<1>(x, r, j, lanes);
    if (j < cols) ColumnsOfRow<1>(x, r, j, cols - j);
  }
}

// Sums over heads too: entries in order, heads in order within an entry. kVectors vectors of
// columns.
template <int kVectors, class D>
HWY_INLINE void SumOfRow(D d, const Gather& x, Index r, std::size_t j, std::size_t n) {
  using V = hn::Vec<D>;
  const std::size_t lanes = hn::Lanes(d);
  V sum[kVectors];
#pragma GCC unroll 8
  for (int v = 0; v < kVectors; ++v) sum[v] = hn::Zero(d);
  for (Offset k = x.a->row_ptr[r]; k < x.a->row_ptr[r + 1]; ++k) {
    const float* HWY_RESTRICT weight = x.weight.data + x.weight_row(k);
    const float* HWY_RESTRICT row = x.from.row(x.a->columns[k]) + j;
    for (Index head = 0; head < x.heads; ++head, row += x.from_head) {
      const V by = hn::Set(d, weight[head]);
#pragma GCC unroll 8
      for (int v = 0; v < kVectors; ++v) {
        const float* HWY_RESTRICT at = row + static_cast<std::size_t>(v) * lanes;
        const V value = kVectors == 1 ? LoadUpTo(d, at, n) : hn::LoadU(d, at);
        sum[v] = hn::MulAdd(by, value, sum[v]);
      }
    }
  }
#pragma GCC unroll 8
  for (int v = 0; v < kVectors; ++v) {
    float* HWY_RESTRICT to = x.out.row(r) + j + static_cast<std::size_t>(v) * lanes;
    StoreUpTo(sum[v], d, to, kVectors == 1 ? n : lanes);
  }
}

template <class D>
HWY_INLINE void GatherSum(D d, const Gather& x, Index begin, Index end) {
  const std::size_t lanes = hn::Lanes(d);
  const auto cols = static_cast<std::size_t>(x.d);
  for (Index r = begin; r < end; ++r) {
    std::size_t j = 0;
    for (; j + 4 * lanes <= cols; j += 4 * lanes) SumOfRow<4>(d, x, r, j, lanes);
    for (; j + lanes <= cols; j += lanes) SumOfRow<1>(d, x, r, j, lanes);
    if (j < cols) SumOfRow<1>(d, x, r, j, cols - j);
  }
}

// All work column by column, so neither the way nor the width of the vectors shows in the bits.
void GatherRows(const Gather& x, Index begin, Index end) {
  if (x.sum_heads && x.heads > 1) {
    x.d < 16 ? GatherSum(Eight(), x, begin, end) : GatherSum(Wide(), x, begin, end);
  } else if (x.heads == 1 && x.weight.stride == 1 && x.entry == nullptr) {
    GatherOne(x, begin, end);
  } else if (x.head_of != nullptr && static_cast<std::size_t>(x.heads) <= hn::Lanes(Wide())) {
    GatherColumns(x, begin, end);
  } else {
    x.d < 16 ? GatherHeads(Eight(), x, begin, end) : GatherHeads(Wide(), x, begin, end);
  }
}

}  // namespace cupel::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cupel::kernels {

HWY_EXPORT(GatherRows);

namespace {

Offset work_per_row(const SparseView& a, Index cols) {
  return a.rows > 0 ? (a.entries() / a.rows + 1) * cols : 1;
}

void gather(Threads threads, Gather x) {
  thread_local std::vector<Index> head_of;
  if (x.heads > 1 && !x.sum_heads && x.from_head == static_cast<std::size_t>(x.d)) {
    constexpr std::size_t kWholeVector = 64;
    head_of.assign(static_cast<std::size_t>(x.heads) * x.from_head + kWholeVector, 0);
    for (Index head = 0; head < x.heads; ++head) {
      std::fill_n(head_of.data() + static_cast<std::size_t>(head) * x.from_head, x.d, head);
    }
    x.head_of = head_of.data();
  }
  over_blocks(threads, x.a->rows, work_per_row(*x.a, x.heads * x.d), 1,
              [&](Index begin, Index end) {
                HWY_DYNAMIC_DISPATCH(GatherRows)
                (x, begin, end);
              });
}

}  // namespace

void edge_gather(Threads threads, const SparseView& a, ConstDenseView weight, ConstDenseView h,
                 bool sum_heads, DenseView out) {
  Gather x{.a = &a, .weight = weight, .from = h, .out = out};
  x.heads = weight.cols;
  x.d = h.cols / x.heads;
  x.from_head = static_cast<std::size_t>(x.d);
  x.sum_heads = sum_heads;
  gather(threads, x);
}

void edge_gather_backward_values(Threads threads, const SparseView& at, const Offset* entry,
                                 ConstDenseView weight, ConstDenseView g, bool sum_heads,
                                 DenseView grad_h) {
  Gather x{.a = &at, .entry = entry, .weight = weight, .from = g, .out = grad_h};
  x.heads = weight.cols;
  x.d = grad_h.cols / x.heads;
  x.from_head = sum_heads ? 0 : static_cast<std::size_t>(x.d);
  gather(threads, x);
}

}  // namespace cupel::kernels
#endif
