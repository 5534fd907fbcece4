#include "cupel/engine/kernels/arithmetic.h"

#include <algorithm>

#include "cupel/engine/kernels/blocks.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cupel/engine/kernels/arithmetic.cpp"
#include "cupel/base/vector_targets.h"
// clang-format off
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "cupel/engine/kernels/lanes-inl.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace cupel::kernels::HWY_NAMESPACE {

using V = hn::Vec<Wide>;

// out(i, j) = f(a(i, j), i, j, n) for rows [begin, end).
template <class F>
HWY_INLINE void Map(ConstDenseView a, DenseView out, Index begin, Index end, const F& f) {
  const Wide d;
  for (Index i = begin; i < end; ++i) {
    const float* from = a.row(i);
    float* to = out.row(i);
    OverColumns(d, static_cast<std::size_t>(out.cols),
                [&](std::size_t j, std::size_t n) CUPEL_INLINE_LAMBDA {
                  StoreUpTo(f(LoadUpTo(d, from + j, n), i, j, n), d, to + j, n);
                });
  }
}

void Subtract(ConstDenseView a, ConstDenseView b, DenseView out, Index begin, Index end) {
  Map(a, out, begin, end, [&](V x, Index i, std::size_t j, std::size_t n) CUPEL_INLINE_LAMBDA {
    return hn::Sub(x, LoadUpTo(Wide(), b.row(i) + j, n));
  });
}

void Multiply(ConstDenseView a, ConstDenseView b, DenseView out, Index begin, Index end) {
  Map(a, out, begin, end, [&](V x, Index i, std::size_t j, std::size_t n) CUPEL_INLINE_LAMBDA {
    return hn::Mul(x, LoadUpTo(Wide(), b.row(i) + j, n));
  });
}

void ScaleRows(ConstDenseView a, ConstDenseView factors, DenseView out, Index begin, Index end) {
  Map(a, out, begin, end, [&](V x, Index i, std::size_t, std::size_t) CUPEL_INLINE_LAMBDA {
    return hn::Mul(x, hn::Set(Wide(), factors.row(i)[0]));
  });
}

void ScaleColumns(ConstDenseView a, const float* factors, DenseView out, Index begin, Index end) {
  Map(a, out, begin, end, [&](V x, Index, std::size_t j, std::size_t n) CUPEL_INLINE_LAMBDA {
    return hn::Mul(x, LoadUpTo(Wide(), factors + j, n));
  });
}

void Affine(ConstDenseView a, float factor, float offset, DenseView out, Index begin, Index end) {
  const V by = hn::Set(Wide(), factor), more = hn::Set(Wide(), offset);
  Map(a, out, begin, end, [&](V x, Index, std::size_t, std::size_t) CUPEL_INLINE_LAMBDA {
    return hn::MulAdd(x, by, more);
  });
}

void RowDots(ConstDenseView a, ConstDenseView b, DenseView out, Index begin, Index end) {
  for (Index i = begin; i < end; ++i)
    out.row(i)[0] = Dot(a.row(i), b.row(i), static_cast<std::size_t>(a.cols));
}

double TotalDot(ConstDenseView a, ConstDenseView b) {
  double sum = 0;
  for (Index i = 0; i < a.rows; ++i)
    sum += Dot(a.row(i), b.row(i), static_cast<std::size_t>(a.cols));
  return sum;
}

// Columns [begin, end): the sums stay in the first cache while the rows pass by.
void ColumnDots(ConstDenseView a, ConstDenseView b, float* HWY_RESTRICT out, Index begin,
                Index end) {
  const Wide d;
  std::fill(out + begin, out + end, 0.0f);
  for (Index i = 0; i < a.rows; ++i) {
    const float* x = a.row(i) + begin;
    const float* y = b.row(i) + begin;
    float* to = out + begin;
    OverColumns(d, static_cast<std::size_t>(end - begin),
                [&](std::size_t j, std::size_t n) CUPEL_INLINE_LAMBDA {
                  const V sum = hn::MulAdd(LoadUpTo(d, x + j, n), LoadUpTo(d, y + j, n),
                                           LoadUpTo(d, to + j, n));
                  StoreUpTo(sum, d, to + j, n);
                });
  }
}

void WeightedSum(std::span<const ConstDenseView> parts, ConstDenseView coefficients, DenseView out,
                 Index begin, Index end) {
  const Wide d;
  const bool uniform = coefficients.cols == 1;
  for (Index i = begin; i < end; ++i) {
    OverColumns(d, static_cast<std::size_t>(out.cols),
                [&](std::size_t j, std::size_t n) CUPEL_INLINE_LAMBDA {
                  V sum = hn::Zero(d);
                  for (std::size_t k = 0; k < parts.size(); ++k) {
                    const float* by = coefficients.row(static_cast<Index>(k));
                    const V factor = uniform ? hn::Set(d, by[0]) : LoadUpTo(d, by + j, n);
                    sum = hn::MulAdd(LoadUpTo(d, parts[k].row(i) + j, n), factor, sum);
                  }
                  StoreUpTo(sum, d, out.row(i) + j, n);
                });
  }
}

}  // namespace cupel::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cupel::kernels {

HWY_EXPORT(Subtract);
HWY_EXPORT(Multiply);
HWY_EXPORT(ScaleRows);
HWY_EXPORT(ScaleColumns);
HWY_EXPORT(Affine);
HWY_EXPORT(RowDots);
HWY_EXPORT(TotalDot);
HWY_EXPORT(ColumnDots);
HWY_EXPORT(WeightedSum);

void subtract(Threads threads, ConstDenseView a, ConstDenseView b, DenseView out) {
  over_blocks(threads, out.rows, out.cols, 1, [&](Index begin, Index end) {
    HWY_DYNAMIC_DISPATCH(Subtract)(a, b, out, begin, end);
  });
}

void multiply(Threads threads, ConstDenseView a, ConstDenseView b, DenseView out) {
  over_blocks(threads, out.rows, out.cols, 1, [&](Index begin, Index end) {
    HWY_DYNAMIC_DISPATCH(Multiply)(a, b, out, begin, end);
  });
}

void scale_rows(Threads threads, ConstDenseView a, ConstDenseView factors, DenseView out) {
  over_blocks(threads, out.rows, out.cols, 1, [&](Index begin, Index end) {
    HWY_DYNAMIC_DISPATCH(ScaleRows)(a, factors, out, begin, end);
  });
}

void scale_columns(Threads threads, ConstDenseView a, const float* factors, DenseView out) {
  over_blocks(threads, out.rows, out.cols, 1, [&](Index begin, Index end) {
    HWY_DYNAMIC_DISPATCH(ScaleColumns)(a, factors, out, begin, end);
  });
}

void affine(Threads threads, ConstDenseView a, float factor, float offset, DenseView out) {
  over_blocks(threads, out.rows, out.cols, 1, [&](Index begin, Index end) {
    HWY_DYNAMIC_DISPATCH(Affine)(a, factor, offset, out, begin, end);
  });
}

void row_dots(Threads threads, ConstDenseView a, ConstDenseView b, DenseView out) {
  over_blocks(threads, a.rows, a.cols, 1, [&](Index begin, Index end) {
    HWY_DYNAMIC_DISPATCH(RowDots)(a, b, out, begin, end);
  });
}

float total_dot(ConstDenseView a, ConstDenseView b) {
  return static_cast<float>(HWY_DYNAMIC_DISPATCH(TotalDot)(a, b));
}

void column_dots(Threads threads, ConstDenseView a, ConstDenseView b, float* out) {
  over_panels(threads, a.rows, a.cols, [&](Index begin, Index end) {
    HWY_DYNAMIC_DISPATCH(ColumnDots)(a, b, out, begin, end);
  });
}

void weighted_sum(Threads threads, std::span<const ConstDenseView> parts,
                  ConstDenseView coefficients, DenseView out) {
  const auto work = static_cast<Offset>(parts.size()) * out.cols;
  over_blocks(threads, out.rows, work, 1, [&](Index begin, Index end) {
    HWY_DYNAMIC_DISPATCH(WeightedSum)(parts, coefficients, out, begin, end);
  });
}

void spread_row(Threads threads, const float* row, DenseView out) {
  over_blocks(threads, out.rows, out.cols, 1, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) std::copy_n(row, out.cols, out.row(i));
  });
}

void copy_rows(Threads threads, ConstDenseView in, DenseView out) {
  over_blocks(threads, out.rows, out.cols, 1, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) std::copy_n(in.row(i), out.cols, out.row(i));
  });
}

void zero(Threads threads, DenseView out) {
  over_blocks(threads, out.rows, out.cols, 1, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) std::fill_n(out.row(i), out.cols, 0.0f);
  });
}

}  // namespace cupel::kernels
#endif
