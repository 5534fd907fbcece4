#include "cupel/engine/kernels/gather.h"

#include <algorithm>

#include "cupel/engine/kernels/blocks.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cupel/engine/kernels/gather.cpp"
#include "cupel/engine/kernels/highway.h"
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

}  // namespace cupel::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cupel::kernels {

HWY_EXPORT(GatherRows);
HWY_EXPORT(ScatterRows);

void gather_rows(Threads threads, const Index* index, ConstDenseView table, DenseView out) {
  over_blocks(threads, out.rows, Offset{2} * out.cols, 1, [&](Index begin, Index end) {
    HWY_DYNAMIC_DISPATCH(GatherRows)(index, table, out, begin, end);
  });
}

void scatter_rows(Threads threads, const Index* index, ConstDenseView g, DenseView out, bool add) {
  const auto add_to = [&](Index begin, Index end) {
    for (Index k = begin; k < end && !add; ++k) std::fill_n(out.row(k), out.cols, 0.0f);
    HWY_DYNAMIC_DISPATCH(ScatterRows)(index, g, out, begin, end);
  };
  constexpr Offset kWorthSharing = 1 << 17;
  if (threads.count <= 1 || Offset{g.rows} * g.cols <= kWorthSharing) {
    add_to(0, out.rows);
    return;
  }
  // Each thread reads the whole index and adds to rows of its own: no sum depends on the cut.
  parallel_blocks(threads, out.rows, out.rows / threads.count + 1,
                  [&](std::int64_t begin, std::int64_t end) {
                    add_to(static_cast<Index>(begin), static_cast<Index>(end));
                  });
}

}  // namespace cupel::kernels
#endif
