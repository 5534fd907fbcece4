#include "cupel/engine/kernels/gather.h"

#include <algorithm>

#include "cupel/engine/kernels/blocks.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cupel/engine/kernels/gather.cpp"
#include "cupel/base/vector_targets.h"
// clang-format off
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "cupel/engine/kernels/lanes-inl.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace cupel::kernels::HWY_NAMESPACE {

void GatherRows(const Index* HWY_RESTRICT index, ConstDenseView table, DenseView out, Index begin,
                Index end) {
  const Wide d;
  const auto cols = static_cast<std::size_t>(out.cols);
  for (Index i = begin; i < end; ++i) {
    const float* HWY_RESTRICT from = table.row(index[i]);
    float* HWY_RESTRICT to = out.row(i);
    OverColumns(d, cols, [&](std::size_t j, std::size_t n) CUPEL_INLINE_LAMBDA {
      StoreUpTo(LoadUpTo(d, from + j, n), d, to + j, n);
    });
  }
}

// Rows [begin, end) of out.
void ScatterRows(const Index* HWY_RESTRICT index, ConstDenseView g, DenseView out, Index begin,
                 Index end) {
  const Wide d;
  const auto cols = static_cast<std::size_t>(out.cols);
  for (Index i = 0; i < g.rows; ++i) {
    if (index[i] < begin || index[i] >= end) continue;
    const float* HWY_RESTRICT from = g.row(i);
    float* HWY_RESTRICT to = out.row(index[i]);
    OverColumns(d, cols, [&](std::size_t j, std::size_t n) CUPEL_INLINE_LAMBDA {
      StoreUpTo(hn::Add(LoadUpTo(d, to + j, n), LoadUpTo(d, from + j, n)), d, to + j, n);
    });
  }
}

void PairDots(const Index* HWY_RESTRICT a, const Index* HWY_RESTRICT b, ConstDenseView table,
              DenseView out, Index begin, Index end) {
  for (Index i = begin; i < end; ++i)
    *out.row(i) = Dot(table.row(a[i]), table.row(b[i]), static_cast<std::size_t>(table.cols));
}

// Rows [begin, end) of out.
void PairDotsGradient(const Index* HWY_RESTRICT a, const Index* HWY_RESTRICT b,
                      ConstDenseView table, ConstDenseView g, DenseView out, Index begin,
                      Index end) {
  const Wide d;
  const auto cols = static_cast<std::size_t>(out.cols);
  for (Index i = 0; i < g.rows; ++i) {
    const auto by = hn::Set(d, *g.row(i));
    const auto add = [&](Index at, Index other) CUPEL_INLINE_LAMBDA {
      if (at < begin || at >= end) return;
      const float* HWY_RESTRICT from = table.row(other);
      float* HWY_RESTRICT to = out.row(at);
      OverColumns(d, cols, [&](std::size_t j, std::size_t n) CUPEL_INLINE_LAMBDA {
        StoreUpTo(hn::MulAdd(by, LoadUpTo(d, from + j, n), LoadUpTo(d, to + j, n)), d, to + j, n);
      });
    };
    add(a[i], b[i]);
    add(b[i], a[i]);
  }
}

}  // namespace cupel::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cupel::kernels {

HWY_EXPORT(GatherRows);
HWY_EXPORT(ScatterRows);
HWY_EXPORT(PairDots);
HWY_EXPORT(PairDotsGradient);

namespace {

// Calls add_to(begin, end) over the rows of out, zeroed unless `add`, to which pairs are added.
template <class AddTo>
void over_rows(Threads threads, Index pairs, DenseView out, bool add, const AddTo& add_to) {
  over_owned_rows(threads, out.rows, Offset{pairs} * out.cols, [&](Index begin, Index end) {
    for (Index k = begin; k < end && !add; ++k) std::fill_n(out.row(k), out.cols, 0.0f);
    add_to(begin, end);
  });
}

}  // namespace

void gather_rows(Threads threads, const Index* index, ConstDenseView table, DenseView out) {
  over_blocks(threads, out.rows, Offset{2} * out.cols, 1, [&](Index begin, Index end) {
    HWY_DYNAMIC_DISPATCH(GatherRows)(index, table, out, begin, end);
  });
}

void scatter_rows(Threads threads, const Index* index, ConstDenseView g, DenseView out, bool add) {
  over_rows(threads, g.rows, out, add, [&](Index begin, Index end) {
    HWY_DYNAMIC_DISPATCH(ScatterRows)(index, g, out, begin, end);
  });
}

void pair_dots(Threads threads, const Index* a, const Index* b, ConstDenseView table,
               DenseView out) {
  over_blocks(threads, out.rows, Offset{2} * table.cols, 1, [&](Index begin, Index end) {
    HWY_DYNAMIC_DISPATCH(PairDots)(a, b, table, out, begin, end);
  });
}

void pair_dots_gradient(Threads threads, const Index* a, const Index* b, ConstDenseView table,
                        ConstDenseView g, DenseView out, bool add) {
  over_rows(threads, g.rows, out, add, [&](Index begin, Index end) {
    HWY_DYNAMIC_DISPATCH(PairDotsGradient)(a, b, table, g, out, begin, end);
  });
}

}  // namespace cupel::kernels
#endif
