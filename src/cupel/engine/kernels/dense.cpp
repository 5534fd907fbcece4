// One micro-kernel makes all three products. An output element is one chain of fused multiply-adds
// in ascending order of what is summed over, from zero or from the element itself; where the work
// is cut, the chain is put down in memory and taken up again. So no bits depend on the blocking, on
// the number of rows, on threads, or on the width of the vectors.
#include "cupel/engine/kernels/dense.h"

#include <algorithm>
#include <cstddef>

#include "cupel/engine/kernels/blocks.h"
#include "cupel/engine/kernels/scratch.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cupel/engine/kernels/dense.cpp"
#include "cupel/engine/kernels/highway.h"
// clang-format off
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "cupel/engine/kernels/lanes-inl.h"
// clang-format on

#ifndef CUPEL_ENGINE_KERNELS_DENSE_CPP_
#define CUPEL_ENGINE_KERNELS_DENSE_CPP_
namespace cupel::kernels {

// out(r, j) (+)= sum over p < depth of a[r * a_row + p * a_step] * b[p * b_row + j * b_step].
struct Product {
  const float* a = nullptr;
  std::size_t a_row = 0, a_step = 0;
  const float* b = nullptr;
  std::size_t b_row = 0, b_step = 1;
  Index rows = 0, cols = 0, depth = 0;
  float* out = nullptr;
  std::size_t out_row = 0;
  bool accumulate = false;
};

}  // namespace cupel::kernels
#endif

HWY_BEFORE_NAMESPACE();
namespace cupel::kernels::HWY_NAMESPACE {

// Vectors and rows of the largest tile: its sums fill the registers.
constexpr int kTileVectors = HWY_TARGET == HWY_AVX2 ? 2 : 4;
constexpr int kTileRows = 6;
constexpr Index kDepthBlock = 256;  // a packed panel of this depth: 64 KiB
constexpr Index kRowBlock = 240;    // rows of A that stay in the second-level cache meanwhile

// R rows by V vectors, the last of which has `last` columns.
template <int R, int V, bool kPartial, class D>
HWY_INLINE void Tile(D d, const Product& p, Index depth, std::size_t last) {
  using Vec = hn::Vec<D>;
  const std::size_t lanes = hn::Lanes(d);
  Vec sum[R][V];
  const auto load = [&](const float* HWY_RESTRICT at, int v) CUPEL_INLINE_LAMBDA {
    const float* HWY_RESTRICT from = at + static_cast<std::size_t>(v) * lanes;
    return kPartial && v == V - 1 ? LoadFirst(d, from, last) : hn::LoadU(d, from);
  };
#pragma GCC unroll 8
  for (int r = 0; r < R; ++r) {
#pragma GCC unroll 8
    for (int v = 0; v < V; ++v) {
      sum[r][v] =
          p.accumulate ? load(p.out + static_cast<std::size_t>(r) * p.out_row, v) : hn::Zero(d);
    }
  }
  const float* HWY_RESTRICT a = p.a;
  const float* HWY_RESTRICT b = p.b;
  for (Index k = 0; k < depth; ++k, a += p.a_step, b += p.b_row) {
    Vec x[V];
#pragma GCC unroll 8
    for (int v = 0; v < V; ++v) x[v] = load(b, v);
#pragma GCC unroll 8
    for (int r = 0; r < R; ++r) {
      const Vec by = hn::Set(d, a[static_cast<std::size_t>(r) * p.a_row]);
#pragma GCC unroll 8
      for (int v = 0; v < V; ++v) sum[r][v] = hn::MulAdd(by, x[v], sum[r][v]);
    }
  }
#pragma GCC unroll 8
  for (int r = 0; r < R; ++r) {
#pragma GCC unroll 8
    for (int v = 0; v < V; ++v) {
      float* HWY_RESTRICT to =
          p.out + static_cast<std::size_t>(r) * p.out_row + static_cast<std::size_t>(v) * lanes;
      if (kPartial && v == V - 1) {
        StoreFirst(sum[r][v], d, to, last);
      } else {
        hn::StoreU(sum[r][v], d, to);
      }
    }
  }
}

// All rows of `p` by one panel of V vectors.
template <int V, bool kPartial, class D>
HWY_INLINE void PanelRows(D d, Product p, Index rows, Index depth, std::size_t last) {
  constexpr int kRows = V == 1 ? 8 : kTileRows;
  const auto step = [&]<int R>() CUPEL_INLINE_LAMBDA {
    Tile<R, V, kPartial>(d, p, depth, last);
    p.a += R * p.a_row;
    p.out += R * p.out_row;
    rows -= R;
  };
  while (rows >= kRows) step.template operator()<kRows>();
  if (rows >= 4) step.template operator()<4>();
  if (rows >= 2) step.template operator()<2>();
  if (rows >= 1) step.template operator()<1>();
}

template <int V, class D>
HWY_NOINLINE void Panel(D d, const Product& p, Index rows, Index depth, std::size_t cols) {
  const std::size_t lanes = hn::Lanes(d);
  if (cols == V * lanes) {
    PanelRows<V, false>(d, p, rows, depth, lanes);
  } else {
    PanelRows<V, true>(d, p, rows, depth, cols - (V - 1) * lanes);
  }
}

// `cols` columns, at most kTileVectors vectors; B's rows are contiguous.
HWY_INLINE void AnyPanel(const Product& p, Index rows, Index depth, std::size_t cols) {
  const Wide d;
  const std::size_t lanes = hn::Lanes(d);
  const Eight eight;
  if (cols <= hn::Lanes(eight)) return Panel<1>(eight, p, rows, depth, cols);
  if (cols <= lanes) return Panel<1>(d, p, rows, depth, cols);
  if (cols <= 2 * lanes) return Panel<2>(d, p, rows, depth, cols);
  if constexpr (kTileVectors == 4) {
    if (cols <= 3 * lanes) return Panel<3>(d, p, rows, depth, cols);
    Panel<4>(d, p, rows, depth, cols);
  }
}

// Copies a panel of B so that its rows are contiguous and next to each other.
HWY_INLINE void PackPanel(const Product& p, Index depth, std::size_t cols, float* HWY_RESTRICT to) {
  const Wide d;
  for (Index k = 0; k < depth; ++k, to += cols) {
    const float* HWY_RESTRICT from = p.b + static_cast<std::size_t>(k) * p.b_row;
    if (p.b_step == 1) {
      OverColumns(d, cols, [&](std::size_t j, std::size_t n) CUPEL_INLINE_LAMBDA {
        StoreUpTo(LoadUpTo(d, from + j, n), d, to + j, n);
      });
    } else {
      for (std::size_t j = 0; j < cols; ++j) to[j] = from[j * p.b_step];
    }
  }
}

void Multiply(const Product& whole) {
  const Wide d;
  const auto width = static_cast<Index>(kTileVectors * hn::Lanes(d));
  const bool pack = whole.b_step != 1 || (whole.rows > 64 && whole.b_row > 128);
  float* packed = pack ? scratch(static_cast<std::size_t>(std::min(kDepthBlock, whole.depth)) *
                                 static_cast<std::size_t>(width))
                       : nullptr;
  // A product that sums over nothing still has to write its zeros.
  const Index depth_blocks = std::max<Index>(1, (whole.depth + kDepthBlock - 1) / kDepthBlock);
  for (Index i = 0; i < whole.rows; i += kRowBlock) {
    const Index rows = std::min(kRowBlock, whole.rows - i);
    for (Index j = 0; j < whole.cols; j += width) {
      const Index cols = std::min(width, whole.cols - j);
      for (Index block = 0; block < depth_blocks; ++block) {
        const Index k = block * kDepthBlock;
        const Index depth = std::min(kDepthBlock, whole.depth - k);
        Product part = whole;
        part.a +=
            static_cast<std::size_t>(i) * whole.a_row + static_cast<std::size_t>(k) * whole.a_step;
        part.b +=
            static_cast<std::size_t>(k) * whole.b_row + static_cast<std::size_t>(j) * whole.b_step;
        part.out += static_cast<std::size_t>(i) * whole.out_row + static_cast<std::size_t>(j);
        part.accumulate = whole.accumulate || block > 0;
        if (pack) {
          PackPanel(part, depth, static_cast<std::size_t>(cols), packed);
          part.b = packed;
          part.b_row = static_cast<std::size_t>(cols);
        }
        AnyPanel(part, rows, depth, static_cast<std::size_t>(cols));
      }
    }
  }
}

}  // namespace cupel::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cupel::kernels {

HWY_EXPORT(Multiply);

namespace {

void multiply(Threads threads, const Product& product) {
  const Offset work = Offset{product.depth} * product.cols / 4;
  over_blocks(threads, product.rows, work, 24, [&](Index begin, Index end) {
    Product part = product;
    part.a += static_cast<std::size_t>(begin) * product.a_row;
    part.out += static_cast<std::size_t>(begin) * product.out_row;
    part.rows = end - begin;
    HWY_DYNAMIC_DISPATCH(Multiply)(part);
  });
}

Product product_into(const DenseView& out, Index depth, bool accumulate) {
  Product p;
  p.rows = out.rows;
  p.cols = out.cols;
  p.depth = depth;
  p.out = out.data;
  p.out_row = static_cast<std::size_t>(out.stride);
  p.accumulate = accumulate;
  return p;
}

}  // namespace

void matmul(Threads threads, ConstDenseView a, ConstDenseView b, DenseView out, bool accumulate) {
  Product p = product_into(out, a.cols, accumulate);
  p.a = a.data;
  p.a_row = static_cast<std::size_t>(a.stride);
  p.a_step = 1;
  p.b = b.data;
  p.b_row = static_cast<std::size_t>(b.stride);
  multiply(threads, p);
}

void matmul_nt(Threads threads, ConstDenseView a, ConstDenseView b, DenseView out,
               bool accumulate) {
  Product p = product_into(out, a.cols, accumulate);
  p.a = a.data;
  p.a_row = static_cast<std::size_t>(a.stride);
  p.a_step = 1;
  p.b = b.data;
  p.b_row = 1;
  p.b_step = static_cast<std::size_t>(b.stride);
  multiply(threads, p);
}

void matmul_tn(Threads threads, ConstDenseView a, ConstDenseView b, DenseView out,
               bool accumulate) {
  Product p = product_into(out, a.rows, accumulate);
  p.a = a.data;
  p.a_row = 1;
  p.a_step = static_cast<std::size_t>(a.stride);
  p.b = b.data;
  p.b_row = static_cast<std::size_t>(b.stride);
  multiply(threads, p);
}

}  // namespace cupel::kernels
#endif
