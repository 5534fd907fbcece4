// A^T G. Where the output is small its rows are added to one by one as the entries of A come. Where
// it is not, that would move every output row in and out of the cache once per entry: then the
// entries are sorted by column first and each output row is summed in registers. Both add the same
// terms in the same order, so the choice does not show, but for the sign of a zero (panels-inl.h).
#include <algorithm>
#include <cstring>
#include <limits>
#include <vector>

#include "cupel/engine/kernels/blocks.h"
#include "cupel/engine/kernels/sparse.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cupel/engine/kernels/sparse_transposed.cpp"
#include "cupel/base/vector_targets.h"
// clang-format off
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "cupel/engine/kernels/panels-inl.h"
// clang-format on

#ifndef CUPEL_ENGINE_KERNELS_SPARSE_TRANSPOSED_CPP_
#define CUPEL_ENGINE_KERNELS_SPARSE_TRANSPOSED_CPP_
namespace cupel::kernels {

// The entries of A by column, rows ascending within each. Kept between calls: no allocation once
// large enough.
struct ByColumn {
  std::vector<Index> row_of;      // per entry of A, in A's order: its row
  std::vector<std::int32_t> end;  // per column: the end of its entries, the next one's start
  std::vector<Index> rows;        // per entry, by column: its row of G
  std::vector<float> values;      // per entry, by column, if A has values
};

}  // namespace cupel::kernels
#endif

HWY_BEFORE_NAMESPACE();
namespace cupel::kernels::HWY_NAMESPACE {

template <bool kValued>
HWY_INLINE void ScatterRowsOf(const SparseView& a, const Index* rows, const ConstDenseView& g,
                              const DenseView& out) {
  const auto stride = static_cast<std::size_t>(out.stride);
  OverPanels(static_cast<std::size_t>(g.cols),
             [&]<int kVectors>(auto d, std::size_t j, std::size_t n) CUPEL_INLINE_LAMBDA {
               using V = hn::Vec<decltype(d)>;
               for (Index i = 0; i < g.rows; ++i) {
                 const Index r = rows != nullptr ? rows[i] : i;
                 const Offset last = a.row_ptr[r + 1];
                 V term[kVectors];
#pragma GCC unroll 8
                 for (int v = 0; v < kVectors; ++v)
                   term[v] = LoadOf<kVectors>(d, g.row(i) + j, v, n);
                 for (Offset e = a.row_ptr[r]; e < last; ++e) {
                   float* HWY_RESTRICT to =
                       out.data + j + static_cast<std::size_t>(a.columns[e]) * stride;
                   const V weight = hn::Set(d, kValued ? a.values[e] : a.uniform);
#pragma GCC unroll 8
                   for (int v = 0; v < kVectors; ++v) {
                     const V before = LoadOf<kVectors>(d, to, v, n);
                     StoreOf<kVectors>(hn::MulAdd(weight, term[v], before), d, to, v, n);
                   }
                 }
               }
             });
}

void Scatter(const SparseView& a, const Index* rows, ConstDenseView g, DenseView out) {
  if (out.stride == out.cols) {
    std::memset(out.data, 0,
                static_cast<std::size_t>(out.rows) * static_cast<std::size_t>(out.cols) * 4);
  } else {
    for (Index k = 0; k < out.rows; ++k) {
      std::memset(out.row(k), 0, static_cast<std::size_t>(out.cols) * sizeof(float));
    }
  }
  if (a.values != nullptr) {
    ScatterRowsOf<true>(a, rows, g, out);
  } else {
    ScatterRowsOf<false>(a, rows, g, out);
  }
}

// Writes i at every entry of row i. Whole vectors, each overwriting the surplus of the row before:
// a row is seldom longer than a vector, so its end is seldom predicted wrongly.
void NameRows(const SparseView& a, Index* HWY_RESTRICT row_of) {
  const hn::ScalableTag<Index> d;
  const auto lanes = static_cast<Offset>(hn::Lanes(d));
  for (Index i = 0; i < a.rows; ++i) {
    const auto name = hn::Set(d, i);
    Offset e = a.row_ptr[i];
    hn::StoreU(name, d, row_of + e);
    for (e += lanes; e < a.row_ptr[i + 1]; e += lanes) hn::StoreU(name, d, row_of + e);
  }
}

// Columns [j, j + n) of output row k.
template <Weights kWeights, int kVectors, class D>
HWY_INLINE void SumColumnsPanel(D d, const ByColumn& entries, const float* uniform,
                                const ConstDenseView& g, const DenseView& out, Index k,
                                std::size_t j, std::size_t n) {
  const std::int32_t* const end = entries.end.data() + k;
  const std::int32_t first = k > 0 ? end[-1] : 0;
  const Entries column{entries.rows.data() + first,
                       kWeights == Weights::kEach ? entries.values.data() + first : uniform,
                       *end - first};
  hn::Vec<D> sum[kVectors];
#pragma GCC unroll 8
  for (int v = 0; v < kVectors; ++v) sum[v] = hn::Zero(d);
  SumEntries<kWeights, kVectors>(d, column, g.data + j, static_cast<std::size_t>(g.stride), n, sum);
  float* HWY_RESTRICT to = out.row(k) + j;
#pragma GCC unroll 8
  for (int v = 0; v < kVectors; ++v) StoreOf<kVectors>(sum[v], d, to, v, n);
}

// Panel by panel where a panel of G fits the second-level cache, as spmm does.
template <Weights kWeights>
HWY_INLINE void SumColumns(const ByColumn& entries, const float* uniform, const ConstDenseView& g,
                           const DenseView& out, Index begin, Index end) {
  constexpr Index kMostRows = 4096;
  const auto cols = static_cast<std::size_t>(out.cols);
  if (g.rows <= kMostRows) {
    OverPanels(cols, [&]<int kVectors>(auto d, std::size_t j, std::size_t n) CUPEL_INLINE_LAMBDA {
      for (Index k = begin; k < end; ++k) {
        SumColumnsPanel<kWeights, kVectors>(d, entries, uniform, g, out, k, j, n);
      }
    });
    return;
  }
  for (Index k = begin; k < end; ++k) {
    OverPanels(cols, [&]<int kVectors>(auto d, std::size_t j, std::size_t n) CUPEL_INLINE_LAMBDA {
      SumColumnsPanel<kWeights, kVectors>(d, entries, uniform, g, out, k, j, n);
    });
  }
}

void Gather(const ByColumn& entries, const float* uniform, ConstDenseView g, DenseView out,
            Index begin, Index end) {
  if (uniform == nullptr) {
    SumColumns<Weights::kEach>(entries, uniform, g, out, begin, end);
  } else {
    SumColumns<Weights::kAlike>(entries, uniform, g, out, begin, end);
  }
}

}  // namespace cupel::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cupel::kernels {

HWY_EXPORT(Scatter);
HWY_EXPORT(Gather);
HWY_EXPORT(NameRows);

namespace {

// A counting sort; stable, so rows ascend within each column.
const ByColumn& sort_by_column(const SparseView& a, const Index* rows, Index count, Index cols) {
  thread_local ByColumn sorted;
  const auto grow = [](auto& list, std::size_t size) {
    if (list.size() < size) list.resize(size);
  };
  sorted.end.assign(static_cast<std::size_t>(cols) + 1, 0);
  std::int32_t* const position = sorted.end.data();
  // Calls f(row of G, e) for every entry that takes part, in order.
  const auto over_entries = [&](const auto& f) {
    if (rows == nullptr) {
      const Offset entries = a.entries();
      for (Offset e = 0; e < entries; ++e) f(sorted.row_of.data() + e, e);
      return;
    }
    for (Index i = 0; i < count; ++i) {
      const Offset last = a.row_ptr[rows[i] + 1];
      for (Offset e = a.row_ptr[rows[i]]; e < last; ++e) f(&i, e);
    }
  };
  if (rows == nullptr) {
    constexpr std::size_t kWholeVectors = 64;
    grow(sorted.row_of, static_cast<std::size_t>(a.entries()) + kWholeVectors);
    HWY_DYNAMIC_DISPATCH(NameRows)(a, sorted.row_of.data());
  }
  over_entries([&](const Index*, Offset e) { ++position[a.columns[e] + 1]; });
  for (Index k = 0; k < cols; ++k) position[k + 1] += position[k];
  const auto entries = static_cast<std::size_t>(position[cols]);
  grow(sorted.rows, entries);
  Index* const to = sorted.rows.data();
  // Afterwards position[k] is the end of column k.
  if (a.values == nullptr) {
    over_entries([&](const Index* row, Offset e) { to[position[a.columns[e]]++] = *row; });
  } else {
    grow(sorted.values, entries);
    float* const values = sorted.values.data();
    over_entries([&](const Index* row, Offset e) {
      const std::int32_t at = position[a.columns[e]]++;
      to[at] = *row;
      values[at] = a.values[e];
    });
  }
  return sorted;
}

}  // namespace

void spmm_transposed(Threads threads, const SparseView& a, const Index* rows, ConstDenseView g,
                     DenseView out) {
  // An output within a part of the second-level cache is worth no sorting, unless threads share it.
  constexpr std::size_t kSmall = 256 << 10, kSmallForThreads = 32 << 10;
  const auto size = static_cast<std::size_t>(out.rows) * static_cast<std::size_t>(out.cols);
  if (size * sizeof(float) <= (threads.count > 1 ? kSmallForThreads : kSmall) ||
      a.entries() > std::numeric_limits<std::int32_t>::max()) {
    HWY_DYNAMIC_DISPATCH(Scatter)(a, rows, g, out);
    return;
  }
  const ByColumn& entries = sort_by_column(a, rows, g.rows, out.rows);
  const Offset work = static_cast<Offset>(entries.end.back()) / out.rows + 1;
  const float* uniform = a.values != nullptr ? nullptr : &a.uniform;
  over_blocks(threads, out.rows, work * out.cols, 1, [&](Index begin, Index end) {
    HWY_DYNAMIC_DISPATCH(Gather)(entries, uniform, g, out, begin, end);
  });
}

}  // namespace cupel::kernels
#endif
