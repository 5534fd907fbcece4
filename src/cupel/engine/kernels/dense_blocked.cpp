// Large products. B is copied, a block at a time, into panels that a tile of the output reads from
// end to end, and stays in the second-level cache while rows of A go by: read where they lie, or
// copied too where they lie across. The copies are shared between threads where all need them.
// While a tile is summed, what comes next is fetched from memory, a line at a time: waiting for
// memory cost a tenth of a product before, and fetched all at once it would hold up the panels.
#include <algorithm>
#include <cstddef>

#include "cupel/engine/kernels/product.h"
#include "cupel/engine/kernels/scratch.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cupel/engine/kernels/dense_blocked.cpp"
#include "cupel/base/vector_targets.h"
// clang-format off
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "cupel/engine/kernels/pack-inl.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace cupel::kernels::HWY_NAMESPACE {

// A tile of the output, whose sums fill the registers: 12 x 32 with AVX-512, 4 x 24 with AVX2, 8 x
// 12 with NEON. Rows and columns are multiples of four.
#if HWY_TARGET == HWY_SCALAR
constexpr int kRows = 4, kVectors = 4;
#elif HWY_MAX_BYTES >= 64
constexpr int kRows = 12, kVectors = 2;
#else
constexpr int kRows = HWY_TARGET == HWY_AVX2 ? 4 : 8, kVectors = 3;
#endif
constexpr Index kGroup = 24;  // rows of A that are copied together, a multiple of kRows: 48 KiB
// How the loops are cut. Terms summed before sums are put down, and columns of B gone through
// together: a block of 1 MiB, half of a second-level cache.
constexpr Index kDepth = 512, kCols = 512;
// Where the sums are long the output is small, and shares the cache with a block of half that size.
constexpr Index kLongDepth = 256, kLongRows = 528;
constexpr int kAheadSteps = 16;        // a tile fetches something every so many steps
constexpr std::size_t kLineSize = 16;  // floats of a cache line

// Lines of a matrix that will be wanted soon, to be fetched into the second-level cache.
class Ahead {
 public:
  Ahead() = default;
  Ahead(const float* from, std::size_t stride, Index rows, Index cols)
      : at_(from), stride_(stride), width_(static_cast<std::size_t>(cols)), rows_(rows) {
    if (cols <= 0) rows_ = 0;
  }
  HWY_INLINE void FetchLine() {
    if (rows_ <= 0) return;
    __builtin_prefetch(at_ + col_, 0, 2);
    col_ += kLineSize;
    if (col_ < width_) return;
    col_ = 0;
    at_ += stride_;
    --rows_;
  }

 private:
  const float* at_ = nullptr;
  std::size_t stride_ = 0, width_ = 0, col_ = 0;
  Index rows_ = 0;
};

struct Soon {
  Ahead a, b;
};

// The rows of A that a tile reads: panels (a_row 1), or where they lie (steps 1 apart).
struct TileRows {
  const float* a;
  std::size_t a_row;
};

// The sums of a tile over `depth` more terms. a: a panel of depth x kRows, or kRows rows where they
// lie; b: depth x kVectors vectors. Where the tile is not whole it has `rows` rows, and `last`
// columns in its last vector.
template <int V, bool kWhole, bool kPanel = true>
HWY_INLINE void Tile(const TileRows& from, const float* HWY_RESTRICT b, Index depth,
                     float* HWY_RESTRICT out, std::size_t out_row, bool first, int rows,
                     std::size_t last, Soon& soon) {
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
      const float* at = out + static_cast<std::size_t>(r) * out_row + v * lanes;
      sum[r][v] = !kWhole && v == V - 1 ? LoadUpTo(d, at, last) : hn::LoadU(d, at);
    }
  }
  // Three rows by one pointer, which is what addresses can hold: a pointer each would not fit the
  // registers.
  const float* HWY_RESTRICT a[(kRows + 2) / 3];
  const std::size_t a_row = kPanel ? 1 : from.a_row;
#pragma GCC unroll 16
  for (int r = 0; r < kRows; r += 3) a[r / 3] = from.a + static_cast<std::size_t>(r) * a_row;
  const auto step = [&]() CUPEL_INLINE_LAMBDA {
    Vec x[V];
#pragma GCC unroll 4
    for (int v = 0; v < V; ++v) x[v] = hn::LoadU(d, b + v * lanes);
#pragma GCC unroll 16
    for (int r = 0; r < kRows; ++r) {
      const Vec by = hn::Set(d, a[r / 3][static_cast<std::size_t>(r % 3) * a_row]);
#pragma GCC unroll 4
      for (int v = 0; v < V; ++v) sum[r][v] = hn::MulAdd(by, x[v], sum[r][v]);
    }
#pragma GCC unroll 16
    for (int r = 0; r < kRows; r += 3) a[r / 3] += kPanel ? kRows : 1;
    b += kVectors * lanes;
  };
  // Sums not read before are fetched to be written; else those of the next tile, to be read.
  const float* sums = first ? out : out + kVectors * lanes;
  int sums_left = kWhole ? kRows : 0;
  Index k = 0;
  for (; k + kAheadSteps <= depth; k += kAheadSteps) {
    soon.a.FetchLine();
    soon.b.FetchLine();
    if (sums_left > 0) {
#pragma GCC unroll 4
      for (int v = 0; v < V; ++v) __builtin_prefetch(sums + v * lanes, 1);
      sums += out_row;
      --sums_left;
    }
#pragma GCC unroll 4
    for (int i = 0; i < kAheadSteps; ++i) step();
  }
  for (; k < depth; ++k) step();
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

// The tile at `out`, of rows x cols; a whole one where the rows of A are no panel.
HWY_NOINLINE void AnyTile(const TileRows& a, const float* b, Index depth, float* out,
                          std::size_t out_row, bool first, int rows, std::size_t cols, Soon& soon) {
  const std::size_t lanes = hn::Lanes(Wide());
  if (a.a_row != 1) {
    return Tile<kVectors, true, false>(a, b, depth, out, out_row, first, rows, lanes, soon);
  }
  if (rows == kRows && cols == kVectors * lanes) {
    return Tile<kVectors, true>(a, b, depth, out, out_row, first, rows, lanes, soon);
  }
  if (cols <= lanes) return Tile<1, false>(a, b, depth, out, out_row, first, rows, cols, soon);
  if (kVectors == 2 || cols <= 2 * lanes) {
    return Tile<2, false>(a, b, depth, out, out_row, first, rows, cols - lanes, soon);
  }
  Tile<kVectors, false>(a, b, depth, out, out_row, first, rows, cols - (kVectors - 1) * lanes,
                        soon);
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

// What PackB reads, where the rows of B are contiguous.
HWY_INLINE Ahead AheadInB(const Product& p, Index k, Index depth, Index col, Index cols) {
  if (p.b_step != 1) return {};
  return {p.b + static_cast<std::size_t>(k) * p.b_row + static_cast<std::size_t>(col), p.b_row,
          depth, cols};
}

// A rectangle of the output.
struct Part {
  Index row, rows, col, cols;
};

// The part of A that `rows` rows from `row` on need for `depth` terms from k on.
HWY_INLINE Ahead AheadInA(const Product& p, Index row, Index rows, Index k, Index depth) {
  const float* from =
      p.a + static_cast<std::size_t>(row) * p.a_row + static_cast<std::size_t>(k) * p.a_step;
  return p.a_step == 1 ? Ahead(from, p.a_row, rows, depth) : Ahead(from, p.a_step, depth, rows);
}

// Adds `depth` terms from k on to a part of the output. b: the panels of its columns; next_b: what
// will be copied after them.
void AddTerms(const Product& p, const Part& part, Index k, Index depth, const float* b,
              float* packed_a, const Ahead& next_b) {
  const Index width = Width(), most_cols = kCols / width * width;
  const std::size_t step_b = SizeOfB(width, depth);
  Soon soon{{}, next_b};
  for (Index group = 0; group < part.rows; group += kGroup) {
    const Index rows = std::min(kGroup, part.rows - group);
    const auto first = static_cast<std::size_t>(part.row + group);
    const float* rows_of_a = p.a + first * p.a_row + static_cast<std::size_t>(k) * p.a_step;
    const bool copied = p.a_step != 1 || rows % kRows != 0 || part.cols % width != 0;
    if (copied) {
      Pack(rows_of_a, p.a_row, p.a_step, rows, depth, kRows, packed_a);
      rows_of_a = packed_a;
    }
    const std::size_t step_a = copied ? PanelSize(depth, kRows) : kRows * p.a_row;
    // Next come the next rows, or the first of the next terms.
    const Index after = part.rows - group - rows;
    soon.a = after > 0 ? AheadInA(p, part.row + group + rows, std::min(kGroup, after), k, depth)
                       : AheadInA(p, part.row, std::min(kGroup, part.rows), k + depth,
                                  std::min(depth, p.depth - k - depth));
    for (Index block = 0; block < part.cols; block += most_cols) {
      const Index end = std::min(part.cols, block + most_cols);
      TileRows a{rows_of_a, copied ? 1 : p.a_row};
      for (Index i = 0; i < rows; i += kRows, a.a += step_a) {
        const float* panel = b + static_cast<std::size_t>(block / width) * step_b;
        float* const out = p.out + (first + static_cast<std::size_t>(i)) * p.out_row + part.col;
        for (Index j = block; j < end; j += width, panel += step_b) {
          AnyTile(a, panel, depth, out + j, p.out_row, k == 0, std::min<int>(kRows, rows - i),
                  static_cast<std::size_t>(std::min(width, end - j)), soon);
        }
      }
    }
  }
}

// About `most` each, a multiple of `multiple`, their number a multiple of the threads', of which
// there may be more than an Index counts beside the pieces, or none.
Index EvenPieces(Index size, Index most, Index multiple, Threads threads) {
  const Offset count = std::max(1, threads.count);
  const Offset pieces = (CeilDiv(size, most) + count - 1) / count * count;
  const auto each = static_cast<Index>((size + pieces - 1) / pieces);
  return CeilDiv(each, multiple) * multiple;
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
      AddTerms(p, part, k, std::min(depth, p.depth - k), panel_at(block, 0), packed_a, {});
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
            const Index after = std::min(most_depth, p.depth - k - depth);
            AddTerms(p, part, k, depth, packed_b, packed_b + size_b,
                     AheadInB(p, k + depth, after, part.col, part.cols));
          }
        }
      });
}

void Blocked(Threads threads, const Product& p, AlignedVector<float>& shared) {
  if (p.rows < p.depth) return LongSums(threads, p);
  const Index depth = std::min(kDepth, p.depth);
  const std::size_t size =
      static_cast<std::size_t>(CeilDiv(p.depth, depth)) * SizeOfB(p.cols, depth);
  ManyRows(threads, p, room_in(shared, size));
}

}  // namespace cupel::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cupel::kernels {

HWY_EXPORT(Blocked);

// Copying A has to be repaid by many columns, copying B by many rows. A transposed A has to be
// copied either way, unless both are so narrow that a tile finds what it reads in a few lines.
bool worth_blocking(const Product& p) {
  constexpr std::size_t kNarrow = 128;
  const bool narrow = p.a_step <= kNarrow && p.cols <= static_cast<Index>(kNarrow);
  const Index cols = p.a_step == 1 ? 256 : narrow ? kNarrow + 1 : 64;
  return p.rows >= 48 && p.cols >= cols && p.depth >= 64;
}

void multiply_blocked(Threads threads, const Product& product) {
  thread_local AlignedVector<float> shared;
  HWY_DYNAMIC_DISPATCH(Blocked)(threads, product, shared);
}

}  // namespace cupel::kernels
#endif
