// One micro-kernel makes all three products. An output element is one chain of fused multiply-adds
// in ascending order of what is summed over, from zero or from the element itself; where the work
// is cut, the chain is put down in memory and taken up again. So no bits depend on the blocking, on
// the number of rows, on threads, or on the width of the vectors.
#include "cupel/engine/kernels/dense.h"

#include <algorithm>
#include <cstddef>

#include "cupel/engine/kernels/blocks.h"
#include "cupel/engine/kernels/pointwise.h"
#include "cupel/engine/kernels/product.h"
#include "cupel/engine/kernels/scratch.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cupel/engine/kernels/dense.cpp"
#include "cupel/base/vector_targets.h"
// clang-format off
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "cupel/engine/kernels/pack-inl.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace cupel::kernels::HWY_NAMESPACE {

// Vectors of the largest tile, of kTileRows rows: its sums fill the registers.
constexpr int kTileVectors = HWY_TARGET == HWY_AVX2 ? 2 : 4;
constexpr Index kDepthBlock = 512;  // a packed panel of this depth: 128 KiB
constexpr Index kRowBlock = 2048;   // rows of A that share a packed panel of B
constexpr Index kPackedRows = 120;  // rows of A packed at once: 240 KiB; a multiple of kTileRows

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
      sum[r][v] = p.resume ? load(p.out + static_cast<std::size_t>(r) * p.out_row, v) : hn::Zero(d);
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

// All rows of `p` by one panel of V vectors. `tile_step`: from one packed tile of A to the next; 0
// where A is not packed.
template <int V, bool kPartial, class D>
HWY_INLINE void PanelRows(D d, Product p, Index rows, Index depth, std::size_t tile_step,
                          std::size_t last) {
  const auto step = [&]<int R>() CUPEL_INLINE_LAMBDA {
    Tile<R, V, kPartial>(d, p, depth, last);
    p.a += R == kTileRows && tile_step != 0 ? tile_step : R * p.a_row;
    p.out += R * p.out_row;
    rows -= R;
  };
  if constexpr (V == 1) {
    // A single vector of columns needs more rows to keep the multipliers busy.
    while (tile_step == 0 && rows >= 8) step.template operator()<8>();
  }
  while (rows >= kTileRows) step.template operator()<kTileRows>();
  if (rows >= 4) step.template operator()<4>();
  if (rows >= 2) step.template operator()<2>();
  if (rows >= 1) step.template operator()<1>();
}

template <int V, class D>
HWY_NOINLINE void Panel(D d, const Product& p, Index rows, Index depth, std::size_t tile_step,
                        std::size_t cols) {
  const std::size_t lanes = hn::Lanes(d);
  if (cols == V * lanes) {
    PanelRows<V, false>(d, p, rows, depth, tile_step, lanes);
  } else {
    PanelRows<V, true>(d, p, rows, depth, tile_step, cols - (V - 1) * lanes);
  }
}

// `cols` columns, at most kTileVectors vectors; B's rows are contiguous.
HWY_INLINE void AnyPanel(const Product& p, Index rows, Index depth, std::size_t tile_step,
                         std::size_t cols) {
  const Wide d;
  const std::size_t lanes = hn::Lanes(d);
  const Eight eight;
  if (cols <= hn::Lanes(eight)) return Panel<1>(eight, p, rows, depth, tile_step, cols);
  if (cols <= lanes) return Panel<1>(d, p, rows, depth, tile_step, cols);
  if (cols <= 2 * lanes) return Panel<2>(d, p, rows, depth, tile_step, cols);
  if constexpr (kTileVectors == 4) {
    if (cols <= 3 * lanes) return Panel<3>(d, p, rows, depth, tile_step, cols);
    Panel<4>(d, p, rows, depth, tile_step, cols);
  }
}

// Copies a block of a transposed A so that what a tile reads lies together: by tile, then step,
// then row.
HWY_INLINE void PackTiles(const Product& p, Index rows, Index depth, std::size_t tile_step,
                          float* HWY_RESTRICT to) {
  const Eight d;
  const bool whole = hn::Lanes(d) == 8;
  for (Index k = 0; k < depth; ++k) {
    const float* HWY_RESTRICT from = p.a + static_cast<std::size_t>(k) * p.a_step;
    float* HWY_RESTRICT at = to + static_cast<std::size_t>(k) * kTileRows;
    Index i = 0;
    // Eight values for six: the next step's six overwrite the rest, the last step's go to spare
    // room.
    if (whole) {
      // Only where the next step of this tile is still to be written.
      for (; i + 8 <= rows; i += kTileRows, at += tile_step) {
        if (k + 1 == depth) break;
        hn::StoreU(hn::LoadU(d, from + i), d, at);
      }
    }
    for (; i < rows; i += kTileRows, at += tile_step) {
      const Index count = std::min<Index>(kTileRows, rows - i);
      for (Index r = 0; r < count; ++r) at[r] = from[i + r];
    }
  }
}

// Copies a panel of B so that its rows are contiguous and next to each other.
HWY_INLINE void PackPanel(const Product& p, Index depth, std::size_t cols, float* HWY_RESTRICT to) {
  const Wide d;
  if (p.b_step != 1 && cols % 4 == 0)
    return PackAcross(p.b, p.b_step, static_cast<Index>(cols), depth, cols, to);
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
  const bool pack_b = whole.b_step != 1 || (whole.rows > 64 && whole.b_row > 128);
  // A tile of a transposed A reads a few values from each of many far-apart rows.
  const bool pack_a = whole.a_step > 128 && whole.cols >= 32;
  const Index most_depth = std::min(kDepthBlock, whole.depth);
  const Index most_rows = pack_a ? kPackedRows : kRowBlock;
  const auto size_a =
      pack_a ? kPackedRows / kTileRows * (kTileRows * static_cast<std::size_t>(most_depth) + kSpare)
             : 0;
  const auto size_b = static_cast<std::size_t>(pack_b ? width * most_depth : 0);
  float* const packed_b = scratch(size_b + size_a);
  float* const packed_a = packed_b + size_b;
  // A product that sums over nothing still has to write its zeros.
  const Index depth_blocks = std::max<Index>(1, (whole.depth + kDepthBlock - 1) / kDepthBlock);
  for (Index i = 0; i < whole.rows; i += most_rows) {
    const Index rows = std::min(most_rows, whole.rows - i);
    for (Index block = 0; block < depth_blocks; ++block) {
      const Index k = block * kDepthBlock;
      const Index depth = std::min(kDepthBlock, whole.depth - k);
      Product part = whole;
      part.a +=
          static_cast<std::size_t>(i) * whole.a_row + static_cast<std::size_t>(k) * whole.a_step;
      part.resume = block > 0;
      std::size_t tile_step = 0;
      if (pack_a) {
        // A line more than a power of two: else all tiles fall into a few sets of the cache.
        tile_step = kTileRows * static_cast<std::size_t>(depth) + kSpare;
        PackTiles(part, rows, depth, tile_step, packed_a);
        part.a = packed_a;
        part.a_row = 1;
        part.a_step = kTileRows;
      }
      for (Index j = 0; j < whole.cols; j += width) {
        const Index cols = std::min(width, whole.cols - j);
        part.b = whole.b + static_cast<std::size_t>(k) * whole.b_row +
                 static_cast<std::size_t>(j) * whole.b_step;
        part.b_row = whole.b_row;
        part.out =
            whole.out + static_cast<std::size_t>(i) * whole.out_row + static_cast<std::size_t>(j);
        if (pack_b) {
          PackPanel(part, depth, static_cast<std::size_t>(cols), packed_b);
          part.b = packed_b;
          part.b_row = static_cast<std::size_t>(cols);
        }
        AnyPanel(part, rows, depth, tile_step, static_cast<std::size_t>(cols));
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
  if (worth_blocking(product)) return multiply_blocked(threads, product);
  // Not too many pieces: each copies its panels of B. Of few rows, one for each thread.
  constexpr Index kTiles = 4 * kTileRows;
  const Offset count = std::max(1, threads.count);
  const auto share = static_cast<Index>(product.rows / (8 * count));
  const auto tiles =
      static_cast<Index>((product.rows + kTileRows * count - 1) / (kTileRows * count));
  const Index multiple = share >= kTiles ? share / kTiles * kTiles : tiles * kTileRows;
  // Many times as many multiply-adds as floats touched fit into a microsecond.
  const Offset work = Offset{product.depth} * product.cols / 16;
  over_blocks(threads, product.rows, work, multiple, [&](Index begin, Index end) {
    Product part = product;
    part.a += static_cast<std::size_t>(begin) * product.a_row;
    part.out += static_cast<std::size_t>(begin) * product.out_row;
    part.rows = end - begin;
    HWY_DYNAMIC_DISPATCH(Multiply)(part);
  });
}

// As scratch(), which the product itself uses.
float* turned_product(std::size_t size) {
  thread_local AlignedVector<float> buffer;
  return room_in(buffer, size);
}

Product product_into(const DenseView& out, Index depth) {
  Product p;
  p.rows = out.rows;
  p.cols = out.cols;
  p.depth = depth;
  p.out = out.data;
  p.out_row = static_cast<std::size_t>(out.stride);
  return p;
}

}  // namespace

void matmul(Threads threads, ConstDenseView a, ConstDenseView b, DenseView out) {
  Product p = product_into(out, a.cols);
  p.a = a.data;
  p.a_row = static_cast<std::size_t>(a.stride);
  p.a_step = 1;
  p.b = b.data;
  p.b_row = static_cast<std::size_t>(b.stride);
  multiply(threads, p);
}

void matmul_nt(Threads threads, ConstDenseView a, ConstDenseView b, DenseView out) {
  Product p = product_into(out, a.cols);
  p.a = a.data;
  p.a_row = static_cast<std::size_t>(a.stride);
  p.a_step = 1;
  p.b = b.data;
  p.b_row = 1;
  p.b_step = static_cast<std::size_t>(b.stride);
  multiply(threads, p);
}

void matmul_nt_add(Threads threads, ConstDenseView a, ConstDenseView b, DenseView out) {
  // Some rows at a time, whose products are still in a cache when they are added; more of them
  // where each time the whole of B is copied.
  const Index most = std::max<Index>(256, 2 * a.cols);
  over_blocks(threads, out.rows, Offset{a.cols} * out.cols, most, [&](Index begin, Index end) {
    thread_local AlignedVector<float> buffer;
    const std::size_t size =
        static_cast<std::size_t>(std::min(most, end - begin)) * static_cast<std::size_t>(out.cols);
    float* const products = room_in(buffer, size);
    for (Index first = begin; first < end; first += most) {
      const Index rows = std::min(most, end - first);
      const DenseView product{products, rows, out.cols, out.cols};
      const DenseView to{out.row(first), rows, out.cols, out.stride};
      matmul_nt({1}, {a.row(first), rows, a.cols, a.stride}, b, product);
      add({1}, to, product, to);
    }
  });
}

void matmul_tn(Threads threads, ConstDenseView a, ConstDenseView b, DenseView out) {
  Product p = product_into(out, a.rows);
  p.a = a.data;
  p.a_row = 1;
  p.a_step = static_cast<std::size_t>(a.stride);
  p.b = b.data;
  p.b_row = static_cast<std::size_t>(b.stride);
  if (b.cols >= 16 || b.cols >= a.cols) return multiply(threads, p);
  // A narrow B would leave most of each vector empty: B^T A fills them, and is then turned over.
  const Index k = a.cols, n = b.cols;
  float* const turned = turned_product(static_cast<std::size_t>(k) * static_cast<std::size_t>(n));
  Product q;
  q.a = b.data;
  q.a_row = 1;
  q.a_step = static_cast<std::size_t>(b.stride);
  q.b = a.data;
  q.b_row = static_cast<std::size_t>(a.stride);
  q.rows = n;
  q.cols = k;
  q.depth = a.rows;
  q.out = turned;
  q.out_row = static_cast<std::size_t>(k);
  const auto at = [&](Index i, Index j) -> float& {
    return turned[static_cast<std::size_t>(j) * q.out_row + static_cast<std::size_t>(i)];
  };
  multiply(threads, q);
  for (Index i = 0; i < k; ++i) {
    for (Index j = 0; j < n; ++j) out.row(i)[j] = at(i, j);
  }
}

}  // namespace cupel::kernels
#endif
