// Weighted gathers along entries. Sums over entries are chains of fused multiply-adds in stored
// order.
#include "cupel/engine/kernels/edge.h"

#include "cupel/engine/kernels/blocks.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cupel/engine/kernels/edge_gather.cpp"
#include "cupel/engine/kernels/highway.h"
// clang-format off
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "cupel/engine/kernels/lanes-inl.h"
// clang-format on

#ifndef CUPEL_ENGINE_KERNELS_EDGE_GATHER_CPP_
#define CUPEL_ENGINE_KERNELS_EDGE_GATHER_CPP_
namespace cupel::kernels {

// out(r, head part) (+)= sum over entries k = (r, c) of weight(entry(k), head) * from(c, head
// part).
struct Gather {
  const SparseView* a = nullptr;
  const Offset* entry = nullptr;  // null: entry k itself
  ConstDenseView weight, from;
  DenseView out;
  Index heads = 0, d = 0;     // d columns per head
  std::size_t from_head = 0;  // columns from one head to the next; 0: all share the same
  bool sum_heads = false, accumulate = false;

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
  for (int v = 0; v < kVectors; ++v, to += x.d) {
    if (x.accumulate) sum[v] = hn::Add(LoadUpTo(d, to, n), sum[v]);
    StoreUpTo(sum[v], d, to, n);
  }
}

template <class D>
HWY_INLINE void GatherHeads(D d, const Gather& x, Index begin, Index end) {
  for (Index r = begin; r < end; ++r) {
    OverColumns(d, static_cast<std::size_t>(x.d),
                [&](std::size_t j, std::size_t n) CUPEL_INLINE_LAMBDA {
                  Index head = 0;
                  for (; head + 8 <= x.heads; head += 8) HeadsOfRow<8>(d, x, r, head, j, n);
                  for (; head + 2 <= x.heads; head += 2) HeadsOfRow<2>(d, x, r, head, j, n);
                  for (; head < x.heads; ++head) HeadsOfRow<1>(d, x, r, head, j, n);
                });
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
    const std::size_t width = kVectors == 1 ? n : lanes;
    if (x.accumulate) sum[v] = hn::Add(LoadUpTo(d, to, width), sum[v]);
    StoreUpTo(sum[v], d, to, width);
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

void GatherRows(const Gather& x, Index begin, Index end) {
  // Column by column, so the width of the vectors does not show in the bits.
  if (x.d < 16) {
    x.sum_heads ? GatherSum(Eight(), x, begin, end) : GatherHeads(Eight(), x, begin, end);
  } else {
    x.sum_heads ? GatherSum(Wide(), x, begin, end) : GatherHeads(Wide(), x, begin, end);
  }
}

HWY_INLINE float Dot(const float* HWY_RESTRICT x, const float* HWY_RESTRICT y, std::size_t size) {
  const Eight d;
  auto sum = hn::Zero(d);
  OverColumns(d, size, [&](std::size_t j, std::size_t n) CUPEL_INLINE_LAMBDA {
    sum = hn::MulAdd(LoadUpTo(d, x + j, n), LoadUpTo(d, y + j, n), sum);
  });
  return hn::GetLane(hn::SumOfLanes(d, sum));
}

void WeightGradients(const SparseView& a, ConstDenseView g, ConstDenseView h, bool sum_heads,
                     DenseView grad, bool accumulate, Index begin, Index end) {
  const Index heads = grad.cols;
  const auto d = static_cast<std::size_t>(h.cols / heads);
  for (Index r = begin; r < end; ++r) {
    const float* HWY_RESTRICT mine = g.row(r);
    for (Offset e = a.row_ptr[r]; e < a.row_ptr[r + 1]; ++e) {
      const float* HWY_RESTRICT theirs = h.row(a.columns[e]);
      float* HWY_RESTRICT to = grad.row(static_cast<Index>(e));
      for (Index head = 0; head < heads; ++head) {
        const std::size_t part = static_cast<std::size_t>(head) * d;
        const float dot = Dot(sum_heads ? mine : mine + part, theirs + part, d);
        to[head] = accumulate ? to[head] + dot : dot;
      }
    }
  }
}

void HeadDot(ConstDenseView h, ConstDenseView a, DenseView out, Index begin, Index end) {
  const auto d = static_cast<std::size_t>(a.cols);
  for (Index i = begin; i < end; ++i) {
    for (Index head = 0; head < a.rows; ++head) {
      out.row(i)[head] = Dot(h.row(i) + static_cast<std::size_t>(head) * d, a.row(head), d);
    }
  }
}

void HeadDotGradH(ConstDenseView a, ConstDenseView g, DenseView grad, bool accumulate, Index begin,
                  Index end) {
  const Eight d;
  const auto width = static_cast<std::size_t>(a.cols);
  for (Index i = begin; i < end; ++i) {
    for (Index head = 0; head < a.rows; ++head) {
      const auto by = hn::Set(d, g.row(i)[head]);
      float* HWY_RESTRICT to = grad.row(i) + static_cast<std::size_t>(head) * width;
      OverColumns(d, width, [&](std::size_t j, std::size_t n) CUPEL_INLINE_LAMBDA {
        auto x = hn::Mul(by, LoadUpTo(d, a.row(head) + j, n));
        if (accumulate) x = hn::Add(LoadUpTo(d, to + j, n), x);
        StoreUpTo(x, d, to + j, n);
      });
    }
  }
}

void HeadDotGradA(ConstDenseView h, ConstDenseView g, DenseView grad, bool accumulate) {
  const Eight d;
  const auto width = static_cast<std::size_t>(grad.cols);
  for (Index head = 0; head < grad.rows; ++head) {
    OverColumns(d, width, [&](std::size_t j, std::size_t n) CUPEL_INLINE_LAMBDA {
      auto sum = hn::Zero(d);
      const std::size_t part = static_cast<std::size_t>(head) * width + j;
      for (Index i = 0; i < h.rows; ++i) {
        sum = hn::MulAdd(hn::Set(d, g.row(i)[head]), LoadUpTo(d, h.row(i) + part, n), sum);
      }
      float* HWY_RESTRICT to = grad.row(head) + j;
      if (accumulate) sum = hn::Add(LoadUpTo(d, to, n), sum);
      StoreUpTo(sum, d, to, n);
    });
  }
}

}  // namespace cupel::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cupel::kernels {

HWY_EXPORT(GatherRows);
HWY_EXPORT(WeightGradients);
HWY_EXPORT(HeadDot);
HWY_EXPORT(HeadDotGradH);
HWY_EXPORT(HeadDotGradA);

namespace {

Offset work_per_row(const SparseView& a, Index cols) {
  return a.rows > 0 ? (a.entries() / a.rows + 1) * cols : 1;
}

void gather(Threads threads, const Gather& x) {
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
                                 DenseView grad_h, bool accumulate) {
  Gather x{.a = &at, .entry = entry, .weight = weight, .from = g, .out = grad_h};
  x.heads = weight.cols;
  x.d = grad_h.cols / x.heads;
  x.from_head = sum_heads ? 0 : static_cast<std::size_t>(x.d);
  x.accumulate = accumulate;
  gather(threads, x);
}

void edge_gather_backward_weights(Threads threads, const SparseView& a, ConstDenseView g,
                                  ConstDenseView h, bool sum_heads, DenseView grad_weight,
                                  bool accumulate) {
  over_blocks(threads, a.rows, work_per_row(a, h.cols), 1, [&](Index begin, Index end) {
    HWY_DYNAMIC_DISPATCH(WeightGradients)
    (a, g, h, sum_heads, grad_weight, accumulate, begin, end);
  });
}

void head_dot(Threads threads, ConstDenseView h, ConstDenseView a, DenseView out) {
  over_blocks(threads, h.rows, h.cols, 1, [&](Index begin, Index end) {
    HWY_DYNAMIC_DISPATCH(HeadDot)(h, a, out, begin, end);
  });
}

void head_dot_backward(Threads threads, ConstDenseView h, ConstDenseView a, ConstDenseView g,
                       DenseView* grad_h, bool accumulate_h, DenseView* grad_a, bool accumulate_a) {
  if (grad_h != nullptr) {
    over_blocks(threads, g.rows, grad_h->cols, 1, [&](Index begin, Index end) {
      HWY_DYNAMIC_DISPATCH(HeadDotGradH)(a, g, *grad_h, accumulate_h, begin, end);
    });
  }
  if (grad_a != nullptr) HWY_DYNAMIC_DISPATCH(HeadDotGradA)(h, g, *grad_a, accumulate_a);
}

}  // namespace cupel::kernels
#endif
