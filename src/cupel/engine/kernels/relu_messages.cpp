#include "cupel/engine/kernels/relu_messages.h"

#include <algorithm>

#include "cupel/engine/kernels/blocks.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cupel/engine/kernels/relu_messages.cpp"
#include "cupel/base/vector_targets.h"
// clang-format off
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "cupel/engine/kernels/panels-inl.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace cupel::kernels::HWY_NAMESPACE {

// x[v] = columns [j, ...) of h + bias + arc W: the message of an arc before it is cut off.
template <int kVectors, class D, class V>
HWY_INLINE void Message(D d, const ArcMap& map, const float* arc, const float* h, std::size_t j,
                        std::size_t n, V* x) {
  const std::size_t lanes = hn::Lanes(d);
#pragma GCC unroll 4
  for (int v = 0; v < kVectors; ++v)
    x[v] = hn::Add(LoadOf<kVectors>(d, h + j, v, n), LoadOf<kVectors>(d, map.bias + j, v, n));
  for (Index k = 0; k < map.arcs.cols; ++k) {
    const auto value = hn::Set(d, arc[k]);
    const float* w = map.weights.row(k) + j;
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v)
      x[v] =
          hn::MulAdd(value, kVectors == 1 ? LoadUpTo(d, w, n) : hn::LoadU(d, w + v * lanes), x[v]);
  }
}

void Forward(const SparseView& a, const ArcMap& map, ConstDenseView h, DenseView out, Index begin,
             Index end) {
  OverPanels(static_cast<std::size_t>(out.cols),
             [&]<int kVectors>(auto d, std::size_t j, std::size_t n) CUPEL_INLINE_LAMBDA {
               using V = hn::Vec<decltype(d)>;
               const V zero = hn::Zero(d);
               for (Index r = begin; r < end; ++r) {
                 V sum[kVectors], x[kVectors];
#pragma GCC unroll 4
                 for (int v = 0; v < kVectors; ++v) sum[v] = zero;
                 for (Offset e = a.row_ptr[r]; e < a.row_ptr[r + 1]; ++e) {
                   Message<kVectors>(d, map, map.arcs.row(static_cast<Index>(e)),
                                     h.row(a.columns[e]), j, n, x);
                   const V value = hn::Set(d, a.value(e));
        // NaN passes.
#pragma GCC unroll 4
                   for (int v = 0; v < kVectors; ++v)
                     sum[v] =
                         hn::MulAdd(value, hn::IfThenZeroElse(hn::Lt(x[v], zero), x[v]), sum[v]);
                 }
#pragma GCC unroll 4
                 for (int v = 0; v < kVectors; ++v)
                   StoreOf<kVectors>(sum[v], d, out.row(r) + j, v, n);
               }
             });
}

void BackwardH(const SparseView& at, const Offset* entry, const ArcMap& map, ConstDenseView h,
               ConstDenseView g, DenseView grad_h, Index begin, Index end) {
  OverPanels(static_cast<std::size_t>(h.cols),
             [&]<int kVectors>(auto d, std::size_t j, std::size_t n) CUPEL_INLINE_LAMBDA {
               using V = hn::Vec<decltype(d)>;
               const V zero = hn::Zero(d);
               for (Index c = begin; c < end; ++c) {
                 V sum[kVectors], x[kVectors];
#pragma GCC unroll 4
                 for (int v = 0; v < kVectors; ++v) sum[v] = zero;
                 for (Offset k = at.row_ptr[c]; k < at.row_ptr[c + 1]; ++k) {
                   Message<kVectors>(d, map, map.arcs.row(static_cast<Index>(entry[k])), h.row(c),
                                     j, n, x);
                   const V value = hn::Set(d, at.value(k));
                   const float* from = g.row(at.columns[k]) + j;
#pragma GCC unroll 4
                   for (int v = 0; v < kVectors; ++v) {
                     const V y = LoadOf<kVectors>(d, from, v, n);
                     sum[v] = hn::MulAdd(value, hn::IfThenElseZero(hn::Gt(x[v], zero), y), sum[v]);
                   }
                 }
#pragma GCC unroll 4
                 for (int v = 0; v < kVectors; ++v)
                   StoreOf<kVectors>(sum[v], d, grad_h.row(c) + j, v, n);
               }
             });
}

// Of rows [begin, end), one block: sums for each row of W, then that of the bias.
void BackwardMap(const SparseView& a, const ArcMap& map, ConstDenseView h, ConstDenseView g,
                 float* HWY_RESTRICT partial, Index begin, Index end) {
  const Wide d;
  const auto cols = static_cast<std::size_t>(h.cols);
  const Index values = map.arcs.cols;
  const auto zero = hn::Zero(d);
  std::fill_n(partial, (static_cast<std::size_t>(values) + 1) * cols, 0.0f);
  for (Index r = begin; r < end; ++r) {
    for (Offset e = a.row_ptr[r]; e < a.row_ptr[r + 1]; ++e) {
      const float* arc = map.arcs.row(static_cast<Index>(e));
      const float* from = h.row(a.columns[e]);
      const auto value = hn::Set(d, a.value(e));
      OverColumns(d, cols, [&](std::size_t j, std::size_t n) CUPEL_INLINE_LAMBDA {
        hn::Vec<Wide> x[1];
        Message<1>(d, map, arc, from, j, n, x);
        const auto y =
            hn::IfThenElseZero(hn::Gt(x[0], zero), hn::Mul(value, LoadUpTo(d, g.row(r) + j, n)));
        float* to = partial + j;
        for (Index k = 0; k < values; ++k, to += cols)
          StoreUpTo(hn::MulAdd(hn::Set(d, arc[k]), y, LoadUpTo(d, to, n)), d, to, n);
        StoreUpTo(hn::Add(y, LoadUpTo(d, to, n)), d, to, n);
      });
    }
  }
}

}  // namespace cupel::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cupel::kernels {

HWY_EXPORT(Forward);
HWY_EXPORT(BackwardH);
HWY_EXPORT(BackwardMap);

namespace {

Offset work_of_row(const SparseView& a, const ArcMap& map) {
  const Offset mean_size = a.rows > 0 ? a.entries() / a.rows + 1 : 1;
  return mean_size * map.weights.cols * (map.arcs.cols + 1);
}

}  // namespace

void relu_messages(Threads threads, const SparseView& a, const ArcMap& map, ConstDenseView h,
                   DenseView out) {
  over_blocks(threads, a.rows, work_of_row(a, map), 1, [&](Index begin, Index end) {
    HWY_DYNAMIC_DISPATCH(Forward)(a, map, h, out, begin, end);
  });
}

void relu_messages_backward_h(Threads threads, const SparseView& at, const Offset* entry,
                              const ArcMap& map, ConstDenseView h, ConstDenseView g,
                              DenseView grad_h) {
  over_blocks(threads, at.rows, work_of_row(at, map), 1, [&](Index begin, Index end) {
    HWY_DYNAMIC_DISPATCH(BackwardH)(at, entry, map, h, g, grad_h, begin, end);
  });
}

void relu_messages_backward_map(Threads threads, const SparseView& a, const RowBlocks& blocks,
                                const ArcMap& map, ConstDenseView h, ConstDenseView g,
                                float* partial, DenseView grad_weights, float* grad_bias) {
  const auto cols = static_cast<std::size_t>(h.cols);
  const std::size_t size = (static_cast<std::size_t>(map.arcs.cols) + 1) * cols;
  over_blocks(threads, blocks.count(), RowBlocks::kRows * work_of_row(a, map), 1,
              [&](Index begin, Index end) {
                for (Index b = begin; b < end; ++b) HWY_DYNAMIC_DISPATCH(BackwardMap)
                (a, map, h, g, partial + static_cast<std::size_t>(b) * size, blocks.starts[b],
                 blocks.starts[b + 1]);
              });
  const auto sum = [&](std::size_t from, float* to) {
    sum_blocks(blocks.count(), partial + from, size, cols, to);
  };
  for (Index k = 0; grad_weights.data != nullptr && k < map.arcs.cols; ++k)
    sum(static_cast<std::size_t>(k) * cols, grad_weights.row(k));
  if (grad_bias != nullptr) sum(size - cols, grad_bias);
}

}  // namespace cupel::kernels
#endif
