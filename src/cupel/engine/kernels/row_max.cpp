#include "cupel/engine/kernels/blocks.h"
#include "cupel/engine/kernels/sparse.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cupel/engine/kernels/row_max.cpp"
#include "cupel/base/vector_targets.h"
// clang-format off
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "cupel/engine/kernels/lanes-inl.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace cupel::kernels::HWY_NAMESPACE {

void RowMax(const SparseView& a, Index extra, Offset full_size, ConstDenseView b, DenseView out,
            Index* arg, Index begin, Index end) {
  const Wide d;
  const hn::RebindToSigned<Wide> di;
  const auto cols = static_cast<std::size_t>(out.cols);
  HWY_ALIGN Index buffer[HWY_MAX_BYTES / sizeof(Index)];
  for (Index r = begin; r < end; ++r) {
    const Offset first = a.row_ptr[r], last = a.row_ptr[r + 1];
    const bool padded = extra >= 0 && last - first < full_size;
    Index* where = arg + static_cast<std::size_t>(r) * cols;
    OverColumns(d, cols, [&](std::size_t j, std::size_t n) CUPEL_INLINE_LAMBDA {
      auto best = hn::Zero(d);
      auto from = hn::Set(di, -1);
      const auto start = [&](Index c) CUPEL_INLINE_LAMBDA {
        best = LoadUpTo(d, b.row(c) + j, n);
        from = hn::Set(di, c);
      };
      // The first NaN wins and stays.
      const auto offer = [&](Index c) CUPEL_INLINE_LAMBDA {
        const auto x = LoadUpTo(d, b.row(c) + j, n);
        const auto wins = hn::Or(hn::Gt(x, best), hn::AndNot(hn::IsNaN(best), hn::IsNaN(x)));
        best = hn::IfThenElse(wins, x, best);
        from = hn::IfThenElse(hn::RebindMask(di, wins), hn::Set(di, c), from);
      };
      Offset e = first;
      if (padded) {
        start(extra);
      } else if (e < last) {
        start(a.columns[e++]);
      }
      for (; e < last; ++e) offer(a.columns[e]);
      StoreUpTo(best, d, out.row(r) + j, n);
      if (n == hn::Lanes(d)) {
        hn::StoreU(from, di, where + j);
      } else {
        hn::Store(from, di, buffer);
        for (std::size_t i = 0; i < n; ++i) where[j + i] = buffer[i];
      }
    });
  }
}

}  // namespace cupel::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cupel::kernels {

HWY_EXPORT(RowMax);

void row_max(Threads threads, const SparseView& a, Index extra, Offset full_size, ConstDenseView b,
             DenseView out, Index* arg) {
  const Offset mean_size = a.rows > 0 ? a.entries() / a.rows + 1 : 1;
  over_blocks(threads, out.rows, mean_size * out.cols, 1, [&](Index begin, Index end) {
    HWY_DYNAMIC_DISPATCH(RowMax)(a, extra, full_size, b, out, arg, begin, end);
  });
}

void row_max_backward(const Index* arg, ConstDenseView g, DenseView grad) {
  for (Index r = 0; r < g.rows; ++r, arg += g.cols) {
    const float* from = g.row(r);
    for (Index j = 0; j < g.cols; ++j) {
      if (arg[j] >= 0) grad.row(arg[j])[j] += from[j];
    }
  }
}

}  // namespace cupel::kernels
#endif
