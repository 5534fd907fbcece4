#include "cupel/engine/kernels/sparse.h"

#include <cstring>

#include "cupel/engine/kernels/blocks.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cupel/engine/kernels/sparse.cpp"
#include "cupel/engine/kernels/highway.h"
// clang-format off
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "cupel/engine/kernels/lanes-inl.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace cupel::kernels::HWY_NAMESPACE {

// Vectors of a row held in registers at once: 64 columns on AVX2 and AVX-512.
constexpr int kMost = HWY_TARGET == HWY_AVX2 ? 8 : 4;

// One row of A, as the inner loops want it.
struct Entries {
  const Index* columns;
  const float* values;
  Offset count;
};

HWY_INLINE Entries RowEntries(const SparseView& a, Index row) {
  const Offset begin = a.row_ptr[row];
  return {a.columns + begin, a.values + (a.values != nullptr ? begin : 0),
          a.row_ptr[row + 1] - begin};
}

// Calls f.template operator()<vectors>(tag, j, n): n columns from j, in panels of kMost vectors and
// less; n is the panel's full width but for the last.
template <class F>
HWY_INLINE void OverPanels(std::size_t cols, const F& f) {
  const Wide d;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t j = 0;
  for (; j + kMost * lanes <= cols; j += kMost * lanes) {
    f.template operator()<kMost>(d, j, kMost * lanes);
  }
  if constexpr (kMost == 8) {
    if (j + 4 * lanes <= cols) {
      f.template operator()<4>(d, j, 4 * lanes);
      j += 4 * lanes;
    }
  }
  if (j + 2 * lanes <= cols) {
    f.template operator()<2>(d, j, 2 * lanes);
    j += 2 * lanes;
  }
  for (; j + lanes <= cols; j += lanes) f.template operator()<1>(d, j, lanes);
  if (j == cols) return;
  const Eight half;
  if (cols - j <= hn::Lanes(half)) {
    f.template operator()<1>(half, j, cols - j);
  } else {
    f.template operator()<1>(d, j, cols - j);
  }
}

// A single vector may be partial; several never are.
template <int kVectors, class D>
HWY_INLINE hn::Vec<D> LoadOf(D d, const float* HWY_RESTRICT p, int v, std::size_t n) {
  if constexpr (kVectors == 1) return LoadUpTo(d, p, n);
  return hn::LoadU(d, p + static_cast<std::size_t>(v) * hn::Lanes(d));
}
template <int kVectors, class D>
HWY_INLINE void StoreOf(hn::Vec<D> x, D d, float* HWY_RESTRICT p, int v, std::size_t n) {
  if constexpr (kVectors == 1) {
    StoreUpTo(x, d, p, n);
  } else {
    hn::StoreU(x, d, p + static_cast<std::size_t>(v) * hn::Lanes(d));
  }
}

template <bool kValued>
HWY_INLINE void SpmmRows(const SparseView& a, const Index* rows, ConstDenseView b, DenseView out,
                         bool accumulate, Index begin, Index end) {
  const auto stride = static_cast<std::size_t>(b.stride);
  for (Index i = begin; i < end; ++i) {
    const Entries row = RowEntries(a, rows != nullptr ? rows[i] : i);
    float* HWY_RESTRICT to = out.row(i);
    OverPanels(static_cast<std::size_t>(out.cols), [&]<int kVectors>(auto d, std::size_t j,
                                                                     std::size_t n) HWY_ATTR {
      using V = hn::Vec<decltype(d)>;
      const float* HWY_RESTRICT from = b.data + j;
      V sum[kVectors];
#pragma GCC unroll 8
      for (int v = 0; v < kVectors; ++v) {
        sum[v] = kValued && accumulate ? LoadOf<kVectors>(d, to + j, v, n) : hn::Zero(d);
      }
      for (Offset e = 0; e < row.count; ++e) {
        const float* HWY_RESTRICT x = from + static_cast<std::size_t>(row.columns[e]) * stride;
        const V value = kValued ? hn::Set(d, row.values[e]) : hn::Zero(d);
#pragma GCC unroll 8
        for (int v = 0; v < kVectors; ++v) {
          const V term = LoadOf<kVectors>(d, x, v, n);
          sum[v] = kValued ? hn::MulAdd(value, term, sum[v]) : hn::Add(sum[v], term);
        }
      }
#pragma GCC unroll 8
      for (int v = 0; v < kVectors; ++v) {
        if constexpr (!kValued) {
          sum[v] = hn::Mul(sum[v], hn::Set(d, a.uniform));
          if (accumulate) sum[v] = hn::Add(sum[v], LoadOf<kVectors>(d, to + j, v, n));
        }
        StoreOf<kVectors>(sum[v], d, to + j, v, n);
      }
    });
  }
}

void Spmm(const SparseView& a, const Index* rows, ConstDenseView b, DenseView out, bool accumulate,
          Index begin, Index end) {
  if (a.values != nullptr) {
    SpmmRows<true>(a, rows, b, out, accumulate, begin, end);
  } else {
    SpmmRows<false>(a, rows, b, out, accumulate, begin, end);
  }
}

// A row of G stays in registers while the rows of `out` that it goes to are read, added to and
// written.
template <bool kValued>
HWY_INLINE void ScatterRows(const SparseView& a, const Index* rows, ConstDenseView g,
                            DenseView out) {
  const auto stride = static_cast<std::size_t>(out.stride);
  for (Index i = 0; i < g.rows; ++i) {
    const Entries row = RowEntries(a, rows != nullptr ? rows[i] : i);
    const float* HWY_RESTRICT from = g.row(i);
    OverPanels(static_cast<std::size_t>(g.cols), [&]<int kVectors>(auto d, std::size_t j,
                                                                   std::size_t n) HWY_ATTR {
      using V = hn::Vec<decltype(d)>;
      V term[kVectors];
#pragma GCC unroll 8
      for (int v = 0; v < kVectors; ++v) {
        term[v] = LoadOf<kVectors>(d, from + j, v, n);
        if constexpr (!kValued) term[v] = hn::Mul(term[v], hn::Set(d, a.uniform));
      }
      for (Offset e = 0; e < row.count; ++e) {
        float* HWY_RESTRICT to = out.data + j + static_cast<std::size_t>(row.columns[e]) * stride;
        const V value = kValued ? hn::Set(d, row.values[e]) : hn::Zero(d);
#pragma GCC unroll 8
        for (int v = 0; v < kVectors; ++v) {
          const V before = LoadOf<kVectors>(d, to, v, n);
          StoreOf<kVectors>(kValued ? hn::MulAdd(value, term[v], before) : hn::Add(before, term[v]),
                            d, to, v, n);
        }
      }
    });
  }
}

void SpmmTransposed(const SparseView& a, const Index* rows, ConstDenseView g, DenseView out) {
  for (Index k = 0; k < out.rows; ++k) {
    std::memset(out.row(k), 0, static_cast<std::size_t>(out.cols) * sizeof(float));
  }
  if (a.values != nullptr) {
    ScatterRows<true>(a, rows, g, out);
  } else {
    ScatterRows<false>(a, rows, g, out);
  }
}

}  // namespace cupel::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cupel::kernels {

HWY_EXPORT(Spmm);
HWY_EXPORT(SpmmTransposed);

void spmm(Threads threads, const SparseView& a, const Index* rows, ConstDenseView b, DenseView out,
          bool accumulate) {
  const Offset mean_size = a.rows > 0 ? a.entries() / a.rows + 1 : 1;
  over_blocks(threads, out.rows, mean_size * out.cols, 1, [&](Index begin, Index end) {
    HWY_DYNAMIC_DISPATCH(Spmm)(a, rows, b, out, accumulate, begin, end);
  });
}

void spmm_transposed(Threads threads, const SparseView& a, const Index* rows, ConstDenseView g,
                     DenseView out) {
  // Whole cache lines per thread; wide panels where there are enough columns.
  const Index width = out.cols >= 128 ? 64 : 16;
  over_blocks(threads, out.cols, a.entries(), width, [&](Index begin, Index end) {
    DenseView part = out;
    part.data += begin;
    part.cols = end - begin;
    HWY_DYNAMIC_DISPATCH(SpmmTransposed)
    (a, rows, ConstDenseView(g.data + begin, g.rows, part.cols, g.stride), part);
  });
}

}  // namespace cupel::kernels
#endif
