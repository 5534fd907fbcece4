// Large products. Both factors are copied, a block at a time, into panels that a tile of the output
// reads from end to end: panels of A stay in the first-level cache while a block of B, which stays
// in the second-level cache, goes by. The copies are shared between threads where all need them.
#include <algorithm>
#include <cstddef>

#include "cupel/engine/kernels/product.h"
#include "cupel/engine/kernels/scratch.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cupel/engine/kernels/dense_blocked.cpp"
#include "cupel/engine/kernels/highway.h"
// clang-format off
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "cupel/engine/kernels/lanes-inl.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace cupel::kernels::HWY_NAMESPACE {

// A tile of the output, whose sums fill the registers: 12 x 32 with AVX-512, 4 x 24 with AVX2, 8 x
// 12 with NEON. Rows and columns are multiples of four.
#if HWY_TARGET == HWY_SCALAR
constexpr int kRows = 4, kVectors = 4;
#elif HWY_TARGET == HWY_AVX3
constexpr int kRows = 12, kVectors = 2;
#else
constexpr int kRows = HWY_TARGET == HWY_AVX2 ? 4 : 8, kVectors = 3;
#endif
constexpr Index kGroup = 96;  // rows of A that are copied together, a multiple of kRows: 192 KiB
// How the loops are cut. Terms summed before sums are put down, and columns of B gone through
// together: a block of 1 MiB, half of a second-level cache.
constexpr Index kDepth = 512, kCols = 512;
// Where the sums are long the output is small, and shares the cache with a block of half that size.
constexpr Index kLongDepth = 256, kLongRows = 264;
// Panels are a line further apart than a power of two, or all would share a few sets of the cache.
constexpr std::size_t kSpare = 16;

HWY_INLINE std::size_t PanelSize(Index depth, std::size_t width) {
  return static_cast<std::size_t>(depth) * width + kSpare;
}

// The sums of a tile over `depth` more terms. a: depth x kRows, b: depth x kVectors vectors. Where
// the tile is not whole it has `rows` rows, and `last` columns in its last vector.
template <int V, bool kWhole>
HWY_INLINE void Tile(const float* HWY_RESTRICT a, const float* HWY_RESTRICT b, Index depth,
                     float* HWY_RESTRICT out, std::size_t out_row, bool first, int rows,
                     std::size_t last) {
  const Wide d;
  using Vec = hn::Vec<Wide>;
  const std::size_t lanes = hn::Lanes(d);
  Vec sum[kRows][V];
#pragma GCC unroll 16
  for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 4
    for (int v = 0; v < V; ++v) {
      sum[r][v] = hn::Zero(d);
      if (first || (!kWhole && r >= rows)) continue;
      const float* from = out + static_cast<std::size_t>(r) * out_row + v * lanes;
      sum[r][v] = !kWhole && v == V - 1 ? LoadUpTo(d, from, last) : hn::LoadU(d, from);
    }
  }
#pragma GCC unroll 4
  for (Index k = 0; k < depth; ++k) {
    Vec x[V];
#pragma GCC unroll 4
    for (int v = 0; v < V; ++v) x[v] = hn::LoadU(d, b + v * lanes);
#pragma GCC unroll 16
    for (int r = 0; r < kRows; ++r) {
      const Vec by = hn::Set(d, a[r]);
#pragma GCC unroll 4
      for (int v = 0; v < V; ++v) sum[r][v] = hn::MulAdd(by, x[v], sum[r][v]);
    }
    a += kRows;
    b += kVectors * lanes;
  }
#pragma GCC unroll 16
  for (int r = 0; r < kRows; ++r) {
    if (!kWhole && r >= rows) break;
#pragma GCC unroll 4
    for (int v = 0; v < V; ++v) {
      float* to = out + static_cast<std::size_t>(r) * out_row + v * lanes;
      if (!kWhole && v == V - 1) {
        StoreUpTo(sum[r][v], d, to, last);
      } else {
        hn::StoreU(sum[r][v], d, to);
      }
    }
  }
}

// The tile at `out`, of rows x cols.
HWY_NOINLINE void AnyTile(const float* a, const float* b, Index depth, float* out,
                          std::size_t out_row, bool first, int rows, std::size_t cols) {
  const std::size_t lanes = hn::Lanes(Wide());
  if (rows == kRows && cols == kVectors * lanes) {
    return Tile<kVectors, true>(a, b, depth, out, out_row, first, rows, lanes);
  }
  if (cols <= lanes) return Tile<1, false>(a, b, depth, out, out_row, first, rows, cols);
  if (kVectors == 2 || cols <= 2 * lanes) {
    return Tile<2, false>(a, b, depth, out, out_row, first, rows, cols - lanes);
  }
  Tile<kVectors, false>(a, b, depth, out, out_row, first, rows, cols - (kVectors - 1) * lanes);
}

// Copies one panel of `items` rows that lie along the steps: to[k * width + i].
HWY_INLINE void PackAcross(const float* HWY_RESTRICT from, std::size_t stride, Index items,
                           Index depth, std::size_t width, float* HWY_RESTRICT to) {
  for (std::size_t i = 0; i < width; i += 4) {
    // Rows that are not there repeat the last one; what is summed from them goes nowhere.
    const float* row[4];
    for (std::size_t r = 0; r < 4; ++r) {
      row[r] = from + std::min(i + r, static_cast<std::size_t>(items) - 1) * stride;
    }
    float* HWY_RESTRICT at = to + i;
    Index k = 0;
#if HWY_TARGET != HWY_SCALAR
    const hn::Full128<float> d;
    const hn::Repartition<double, decltype(d)> pairs;
    for (; k + 4 <= depth; k += 4, at += 4 * width) {
      const auto r0 = hn::LoadU(d, row[0] + k), r1 = hn::LoadU(d, row[1] + k);
      const auto r2 = hn::LoadU(d, row[2] + k), r3 = hn::LoadU(d, row[3] + k);
      const auto low01 = hn::BitCast(pairs, hn::InterleaveLower(d, r0, r1));
      const auto low23 = hn::BitCast(pairs, hn::InterleaveLower(d, r2, r3));
      const auto high01 = hn::BitCast(pairs, hn::InterleaveUpper(d, r0, r1));
      const auto high23 = hn::BitCast(pairs, hn::InterleaveUpper(d, r2, r3));
      hn::StoreU(hn::BitCast(d, hn::InterleaveLower(pairs, low01, low23)), d, at);
      hn::StoreU(hn::BitCast(d, hn::InterleaveUpper(pairs, low01, low23)), d, at + width);
      hn::StoreU(hn::BitCast(d, hn::InterleaveLower(pairs, high01, high23)), d, at + 2 * width);
      hn::StoreU(hn::BitCast(d, hn::InterleaveUpper(pairs, high01, high23)), d, at + 3 * width);
    }
#endif
    for (; k < depth; ++k, at += width) {
      for (std::size_t r = 0; r < 4; ++r) at[r] = row[r][k];
    }
  }
}

// `width` values: whole vectors, or whole groups of four.
HWY_INLINE void CopyPanelRow(const float* HWY_RESTRICT from, std::size_t width,
                             float* HWY_RESTRICT to) {
  const Wide d;
  const hn::CappedTag<float, 4> four;
  std::size_t i = 0;
  for (; i + hn::Lanes(d) <= width; i += hn::Lanes(d))
    hn::StoreU(hn::LoadU(d, from + i), d, to + i);
  for (; i < width; i += hn::Lanes(four)) hn::StoreU(hn::LoadU(four, from + i), four, to + i);
}

// Copies panels of `width` items from steps along which the items lie.
HWY_INLINE void PackAlong(const float* HWY_RESTRICT from, std::size_t stride, Index items,
                          Index depth, std::size_t width, float* HWY_RESTRICT to) {
  const std::size_t step = PanelSize(depth, width);
  const auto size = static_cast<std::size_t>(items);
  const std::size_t whole = size / width;
  for (Index k = 0; k < depth; ++k, from += stride, to += width) {
    float* HWY_RESTRICT at = to;
    const float* HWY_RESTRICT x = from;
    for (std::size_t panel = 0; panel < whole; ++panel, at += step, x += width) {
      CopyPanelRow(x, width, at);
    }
    for (std::size_t i = whole * width; i < size; ++i) *at++ = *x++;
    // Not to sum what happens to lie there: it could be slow to add.
    if (size > whole * width) {
      for (std::size_t i = size; i < (whole + 1) * width; ++i) *at++ = 0;
    }
  }
}

// Panels of `width` items each, `depth` steps long, PanelSize apart.
HWY_INLINE void Pack(const float* from, std::size_t item, std::size_t step, Index items,
                     Index depth, std::size_t width, float* to) {
  if (item == 1) return PackAlong(from, step, items, depth, width, to);
  const auto each = static_cast<Index>(width);
  for (Index i = 0; i < items; i += each, to += PanelSize(depth, width)) {
    PackAcross(from + static_cast<std::size_t>(i) * item, item, std::min(each, items - i), depth,
               width, to);
  }
}

HWY_INLINE Index Width() { return static_cast<Index>(kVectors * hn::Lanes(Wide())); }
HWY_INLINE Index CeilDiv(Index size, Index by) { return (size + by - 1) / by; }

// Floats taken by the panels of `cols` columns of B.
HWY_INLINE std::size_t SizeOfB(Index cols, Index depth) {
  return static_cast<std::size_t>(CeilDiv(cols, Width())) *
         PanelSize(depth, static_cast<std::size_t>(Width()));
}

void PackB(const Product& p, Index k, Index depth, Index col, Index cols, float* to) {
  Pack(p.b + static_cast<std::size_t>(k) * p.b_row + static_cast<std::size_t>(col) * p.b_step,
       p.b_step, p.b_row, cols, depth, static_cast<std::size_t>(Width()), to);
}

// A rectangle of the output.
struct Part {
  Index row, rows, col, cols;
};

// Adds `depth` terms from k on to a part of the output. b: the panels of its columns.
void AddTerms(const Product& p, const Part& part, Index k, Index depth, const float* b,
              float* packed_a) {
  const Index width = Width(), most_cols = kCols / width * width;
  const std::size_t step_a = PanelSize(depth, kRows), step_b = SizeOfB(width, depth);
  for (Index group = 0; group < part.rows; group += kGroup) {
    const Index rows = std::min(kGroup, part.rows - group);
    const auto first = static_cast<std::size_t>(part.row + group);
    Pack(p.a + first * p.a_row + static_cast<std::size_t>(k) * p.a_step, p.a_row, p.a_step, rows,
         depth, kRows, packed_a);
    for (Index block = 0; block < part.cols; block += most_cols) {
      const Index end = std::min(part.cols, block + most_cols);
      const float* a = packed_a;
      for (Index i = 0; i < rows; i += kRows, a += step_a) {
        const float* panel = b + static_cast<std::size_t>(block / width) * step_b;
        float* const out = p.out + (first + static_cast<std::size_t>(i)) * p.out_row + part.col;
        for (Index j = block; j < end; j += width, panel += step_b) {
          AnyTile(a, panel, depth, out + j, p.out_row, k == 0, std::min<int>(kRows, rows - i),
                  static_cast<std::size_t>(std::min(width, end - j)));
        }
      }
    }
  }
}

// About `most` each, a multiple of `multiple`, their number a multiple of the threads'.
Index EvenPieces(Index size, Index most, Index multiple, Threads threads) {
  const Index pieces = CeilDiv(CeilDiv(size, most), threads.count) * threads.count;
  return CeilDiv(CeilDiv(size, pieces), multiple) * multiple;
}

// Many rows: B is copied once, for all.
void ManyRows(Threads threads, const Product& p, float* packed_b) {
  const Index panels = CeilDiv(p.cols, Width());
  const Index depth = std::min(kDepth, p.depth), depths = CeilDiv(p.depth, depth);
  const auto panel_at = [&](Index block, Index panel) {
    const Index here = std::min(depth, p.depth - block * depth);
    return packed_b + static_cast<std::size_t>(block) * SizeOfB(p.cols, depth) +
           static_cast<std::size_t>(panel) * SizeOfB(Width(), here);
  };
  parallel_blocks(threads, std::int64_t{depths} * panels, 4, [&](std::int64_t i, std::int64_t end) {
    for (; i < end; ++i) {
      const auto block = static_cast<Index>(i / panels), panel = static_cast<Index>(i % panels);
      const Index k = block * depth, col = panel * Width();
      PackB(p, k, std::min(depth, p.depth - k), col, std::min(Width(), p.cols - col),
            panel_at(block, panel));
    }
  });
  const Index rows = EvenPieces(p.rows, kGroup, kRows, threads);
  parallel_blocks(threads, p.rows, rows, [&](std::int64_t begin, std::int64_t end) {
    const Part part{static_cast<Index>(begin), static_cast<Index>(end - begin), 0, p.cols};
    float* const packed_a = scratch(kGroup / kRows * PanelSize(depth, kRows));
    for (Index block = 0; block < depths; ++block) {
      const Index k = block * depth;
      AddTerms(p, part, k, std::min(depth, p.depth - k), panel_at(block, 0), packed_a);
    }
  });
}

// Long sums, over fewer rows: parts of the output share nothing.
void LongSums(Threads threads, const Product& p) {
  const bool tall = p.rows >= p.cols;
  const Index rows = EvenPieces(p.rows, kLongRows, kRows, tall ? threads : Threads{1});
  const Index cols = EvenPieces(p.cols, kCols, Width(), tall ? Threads{1} : threads);
  const Index across = CeilDiv(p.cols, cols);
  parallel_blocks(
      threads, std::int64_t{across} * CeilDiv(p.rows, rows), 1,
      [&](std::int64_t i, std::int64_t end) {
        const Index most_depth = std::min(kLongDepth, p.depth);
        const std::size_t size_b = SizeOfB(cols, most_depth);
        float* const packed_b = scratch(size_b + kGroup / kRows * PanelSize(most_depth, kRows));
        for (; i < end; ++i) {
          const Index row = static_cast<Index>(i / across) * rows;
          const Index col = static_cast<Index>(i % across) * cols;
          const Part part{row, std::min(rows, p.rows - row), col, std::min(cols, p.cols - col)};
          for (Index k = 0; k < p.depth; k += most_depth) {
            const Index depth = std::min(most_depth, p.depth - k);
            PackB(p, k, depth, part.col, part.cols, packed_b);
            AddTerms(p, part, k, depth, packed_b, packed_b + size_b);
          }
        }
      });
}

void Blocked(Threads threads, const Product& p, AlignedVector<float>& shared) {
  if (p.rows < p.depth) return LongSums(threads, p);
  const Index depth = std::min(kDepth, p.depth);
  const std::size_t size =
      static_cast<std::size_t>(CeilDiv(p.depth, depth)) * SizeOfB(p.cols, depth);
  if (shared.size() < size) shared = AlignedVector<float>(size);
  ManyRows(threads, p, shared.data());
}

}  // namespace cupel::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cupel::kernels {

HWY_EXPORT(Blocked);

// Copying A has to be repaid by many columns, copying B by many rows. A transposed A has to be
// copied either way.
bool worth_blocking(const Product& p) {
  return p.rows >= 48 && p.cols >= (p.a_step == 1 ? 256 : 64) && p.depth >= 64;
}

void multiply_blocked(Threads threads, const Product& product) {
  thread_local AlignedVector<float> shared;
  HWY_DYNAMIC_DISPATCH(Blocked)(threads, product, shared);
}

}  // namespace cupel::kernels
#endif
