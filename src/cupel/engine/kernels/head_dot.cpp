// Dot products head by head: scores of nodes, and gradients of the weights of entries.
#include "cupel/engine/kernels/blocks.h"
#include "cupel/engine/kernels/edge.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cupel/engine/kernels/head_dot.cpp"
#include "cupel/base/vector_targets.h"
// clang-format off
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "cupel/engine/kernels/lanes-inl.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace cupel::kernels::HWY_NAMESPACE {

// out[head] = sum over the head's d columns of x * y, all heads side by side; d a power of two, at
// least 2. Adds neighbours until one is left of each head: half the shuffles of head after head.
#if HWY_TARGET == HWY_SCALAR  // PowersFit() never lets it come here
HWY_INLINE void DotsOfPowers(const float*, const float*, std::size_t, std::size_t, float*) {}
#else
HWY_INLINE void DotsOfPowers(const float* HWY_RESTRICT x, const float* HWY_RESTRICT y,
                             std::size_t heads, std::size_t d, float* HWY_RESTRICT buffer) {
  const Eight e;
  const std::size_t lanes = hn::Lanes(e);
  if (heads == 8 && d == 8 && lanes == 8) {  // the same, in registers
    const auto two = [&](std::size_t j) CUPEL_INLINE_LAMBDA {
      return AddNeighbours(hn::Mul(hn::LoadU(e, x + j), hn::LoadU(e, y + j)),
                           hn::Mul(hn::LoadU(e, x + j + 8), hn::LoadU(e, y + j + 8)));
    };
    const auto low = AddNeighbours(two(0), two(16)), high = AddNeighbours(two(32), two(48));
    hn::StoreU(AddNeighbours(low, high), e, buffer);
    return;
  }
  std::size_t size = heads * d;
  OverColumns(e, size, [&](std::size_t j, std::size_t n) CUPEL_INLINE_LAMBDA {
    hn::StoreU(hn::Mul(LoadUpTo(e, x + j, n), LoadUpTo(e, y + j, n)), e, buffer + j);
  });
  for (; d > 1; d /= 2, size /= 2) {
    for (std::size_t j = 0; j < size / 2; j += lanes) {
      hn::StoreU(AddNeighbours(hn::LoadU(e, buffer + 2 * j), hn::LoadU(e, buffer + 2 * j + lanes)),
                 e, buffer + j);
    }
  }
}
#endif

constexpr std::size_t kMostColumns = 512;  // of DotsOfPowers, for buffers on the stack

HWY_INLINE bool PowersFit(std::size_t heads, std::size_t d) {
  return hn::Lanes(Eight()) > 1 && heads > 1 && d > 1 && (d & (d - 1)) == 0 &&
         heads * d <= kMostColumns;
}

void WeightGradients(const SparseView& a, ConstDenseView g, ConstDenseView h, bool sum_heads,
                     DenseView grad, Index begin, Index end) {
  const auto heads = static_cast<std::size_t>(grad.cols);
  const std::size_t d = static_cast<std::size_t>(h.cols) / heads;
  const bool powers = !sum_heads && PowersFit(heads, d);
  HWY_ALIGN float buffer[kMostColumns + 16] = {};
  for (Index r = begin; r < end; ++r) {
    const float* HWY_RESTRICT mine = g.row(r);
    for (Offset e = a.row_ptr[r]; e < a.row_ptr[r + 1]; ++e) {
      const float* HWY_RESTRICT theirs = h.row(a.columns[e]);
      float* HWY_RESTRICT to = grad.row(static_cast<Index>(e));
      if (powers) {
        DotsOfPowers(mine, theirs, heads, d, buffer);
        OverColumns(Eight(), heads, [&](std::size_t j, std::size_t n) CUPEL_INLINE_LAMBDA {
          StoreUpTo(hn::LoadU(Eight(), buffer + j), Eight(), to + j, n);
        });
        continue;
      }
      for (std::size_t head = 0; head < heads; ++head) {
        to[head] = Dot(sum_heads ? mine : mine + head * d, theirs + head * d, d);
      }
    }
  }
}

void HeadDot(ConstDenseView h, ConstDenseView a, DenseView out, Index begin, Index end) {
  const auto heads = static_cast<std::size_t>(a.rows), d = static_cast<std::size_t>(a.cols);
  const bool powers = a.stride == a.cols && PowersFit(heads, d);
  HWY_ALIGN float buffer[kMostColumns + 16] = {};
  for (Index i = begin; i < end; ++i) {
    float* HWY_RESTRICT to = out.row(i);
    if (powers) {
      DotsOfPowers(h.row(i), a.data, heads, d, buffer);
      OverColumns(Eight(), heads, [&](std::size_t j, std::size_t n) CUPEL_INLINE_LAMBDA {
        StoreUpTo(hn::LoadU(Eight(), buffer + j), Eight(), to + j, n);
      });
      continue;
    }
    for (std::size_t head = 0; head < heads; ++head) {
      to[head] = Dot(h.row(i) + head * d, a.row(static_cast<Index>(head)), d);
    }
  }
}

void HeadDotGradH(ConstDenseView a, ConstDenseView g, DenseView grad, Index begin, Index end) {
  const Eight d;
  const auto width = static_cast<std::size_t>(a.cols);
  for (Index i = begin; i < end; ++i) {
    for (Index head = 0; head < a.rows; ++head) {
      const auto by = hn::Set(d, g.row(i)[head]);
      float* HWY_RESTRICT to = grad.row(i) + static_cast<std::size_t>(head) * width;
      OverColumns(d, width, [&](std::size_t j, std::size_t n) CUPEL_INLINE_LAMBDA {
        StoreUpTo(hn::Mul(by, LoadUpTo(d, a.row(head) + j, n)), d, to + j, n);
      });
    }
  }
}

void HeadDotGradA(ConstDenseView h, ConstDenseView g, DenseView grad) {
  const Eight d;
  const auto width = static_cast<std::size_t>(grad.cols);
  for (Index head = 0; head < grad.rows; ++head) {
    OverColumns(d, width, [&](std::size_t j, std::size_t n) CUPEL_INLINE_LAMBDA {
      auto sum = hn::Zero(d);
      const std::size_t part = static_cast<std::size_t>(head) * width + j;
      for (Index i = 0; i < h.rows; ++i) {
        sum = hn::MulAdd(hn::Set(d, g.row(i)[head]), LoadUpTo(d, h.row(i) + part, n), sum);
      }
      StoreUpTo(sum, d, grad.row(head) + j, n);
    });
  }
}

}  // namespace cupel::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cupel::kernels {

HWY_EXPORT(WeightGradients);
HWY_EXPORT(HeadDot);
HWY_EXPORT(HeadDotGradH);
HWY_EXPORT(HeadDotGradA);

void edge_gather_backward_weights(Threads threads, const SparseView& a, ConstDenseView g,
                                  ConstDenseView h, bool sum_heads, DenseView grad_weight) {
  const Offset work = a.rows > 0 ? (a.entries() / a.rows + 1) * h.cols : 1;
  over_blocks(threads, a.rows, work, 1, [&](Index begin, Index end) {
    HWY_DYNAMIC_DISPATCH(WeightGradients)
    (a, g, h, sum_heads, grad_weight, begin, end);
  });
}

void head_dot(Threads threads, ConstDenseView h, ConstDenseView a, DenseView out) {
  over_blocks(threads, h.rows, h.cols, 1, [&](Index begin, Index end) {
    HWY_DYNAMIC_DISPATCH(HeadDot)(h, a, out, begin, end);
  });
}

void head_dot_backward(Threads threads, ConstDenseView h, ConstDenseView a, ConstDenseView g,
                       DenseView grad_h, DenseView grad_a) {
  if (grad_h.data != nullptr) {
    over_blocks(threads, g.rows, grad_h.cols, 1, [&](Index begin, Index end) {
      HWY_DYNAMIC_DISPATCH(HeadDotGradH)(a, g, grad_h, begin, end);
    });
  }
  if (grad_a.data != nullptr) HWY_DYNAMIC_DISPATCH(HeadDotGradA)(h, g, grad_a);
}

}  // namespace cupel::kernels
#endif
