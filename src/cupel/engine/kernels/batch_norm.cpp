#include "cupel/engine/kernels/batch_norm.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "cupel/engine/kernels/blocks.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cupel/engine/kernels/batch_norm.cpp"
#include "cupel/base/vector_targets.h"
// clang-format off
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "cupel/engine/kernels/lanes-inl.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace cupel::kernels::HWY_NAMESPACE {

// What there is for each column stays in registers while rows pass by: calls
// f.operator()<vectors>(j, n) for panels of columns, of four vectors while there are as many. Loops
// over the vectors have to be unrolled, or the compiler keeps them in memory.
template <class F>
HWY_INLINE void OverRegisters(std::size_t cols, const F& f) {
  const std::size_t lanes = hn::Lanes(Wide());
  std::size_t j = 0;
  for (; j + 4 * lanes <= cols; j += 4 * lanes) f.template operator()<4>(j, lanes);
  OverColumns(Wide(), cols - j, [&](std::size_t i, std::size_t n) CUPEL_INLINE_LAMBDA {
    f.template operator()<1>(j + i, n);
  });
}

// Of rows [begin, end), one block that stands for `rows`: the mean, then the sum of squares about
// it.
template <bool kCounted>
void BlockMoments(ConstDenseView in, RowCounts counts, double rows, Index begin, Index end,
                  float* HWY_RESTRICT partial) {
  const Wide d;
  const std::size_t lanes = hn::Lanes(d);
  const auto cols = static_cast<std::size_t>(in.cols);
  const auto share = hn::Set(d, 1.0f / static_cast<float>(rows));
  OverRegisters(cols, [&]<int kVectors>(std::size_t j, std::size_t n) CUPEL_INLINE_LAMBDA {
    hn::Vec<Wide> mean[kVectors], squares[kVectors];
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) mean[v] = squares[v] = hn::Zero(d);
    for (Index i = begin; i < end; ++i) {
      const float* row = in.row(i) + j;
#pragma GCC unroll 4
      for (int v = 0; v < kVectors; ++v) {
        const auto x = LoadUpTo(d, row + v * lanes, n);
        mean[v] = kCounted ? hn::MulAdd(hn::Set(d, counts[i]), x, mean[v]) : hn::Add(mean[v], x);
      }
    }
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) mean[v] = hn::Mul(mean[v], share);
    for (Index i = begin; i < end; ++i) {
      const float* row = in.row(i) + j;
#pragma GCC unroll 4
      for (int v = 0; v < kVectors; ++v) {
        const auto x = hn::Sub(LoadUpTo(d, row + v * lanes, n), mean[v]);
        squares[v] = hn::MulAdd(kCounted ? hn::Mul(hn::Set(d, counts[i]), x) : x, x, squares[v]);
      }
    }
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) {
      StoreUpTo(mean[v], d, partial + j + v * lanes, n);
      StoreUpTo(squares[v], d, partial + cols + j + v * lanes, n);
    }
  });
}

// Columns [j, j + n) of each of some vectors, of rows [first, last).
struct RowPanel {
  Index first, last;
  std::size_t j, n;
};

// Calls f.operator()<vectors>(panel) for panels of rows [begin, end). Panels as wide as the rows
// are walked once; of wider rows one is done after the other, as memory lies: panels over several
// rows took twice as long where arrays are out of the caches.
template <class F>
HWY_INLINE void OverRowPanels(std::size_t cols, Index begin, Index end, const F& f) {
  const Index step = cols <= 4 * hn::Lanes(Wide()) ? end - begin : 1;
  for (Index first = begin; first < end; first += step)
    OverRegisters(cols, [&]<int kVectors>(std::size_t j, std::size_t n) CUPEL_INLINE_LAMBDA {
      f.template operator()<kVectors>(RowPanel{first, first + step, j, n});
    });
}

// What is done to the columns of a panel.
template <int kVectors>
struct PanelScaling {
  hn::Vec<Wide> mean[kVectors], scale[kVectors], shift[kVectors];

  HWY_INLINE PanelScaling(const ColumnScaling& s, std::size_t j, std::size_t n) {
    const Wide d;
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v, j += hn::Lanes(d)) {
      mean[v] = LoadUpTo(d, s.mean + j, n);
      scale[v] = LoadUpTo(d, s.scale + j, n);
      shift[v] = LoadUpTo(d, s.shift + j, n);
    }
  }
};

template <bool kRelu>
void ScaleRows(const ColumnScaling& s, ConstDenseView in, DenseView out, Index begin, Index end) {
  const Wide d;
  const std::size_t lanes = hn::Lanes(d);
  const auto zero = hn::Zero(d);
  const auto scaled = [&]<int kVectors>(const RowPanel& p) CUPEL_INLINE_LAMBDA {
    const PanelScaling<kVectors> of(s, p.j, p.n);
    for (Index i = p.first; i < p.last; ++i) {
      const float* from = in.row(i) + p.j;
      float* to = out.row(i) + p.j;
#pragma GCC unroll 4
      for (int v = 0; v < kVectors; ++v) {
        const auto x = hn::Sub(LoadUpTo(d, from + v * lanes, p.n), of.mean[v]);
        auto y = hn::MulAdd(x, of.scale[v], of.shift[v]);
        if constexpr (kRelu) y = hn::IfThenZeroElse(hn::Lt(y, zero), y);
        StoreUpTo(y, d, to + v * lanes, p.n);
      }
    }
  };
  OverRowPanels(static_cast<std::size_t>(in.cols), begin, end, scaled);
}

// g, and 0 where relu cut off; x: in - mean, of the columns of vector v.
template <bool kRelu, int kVectors, class V>
HWY_INLINE V Passed(const PanelScaling<kVectors>& of, int v, V x, V g) {
  if constexpr (!kRelu) return g;
  return hn::IfThenElseZero(hn::Gt(hn::MulAdd(x, of.scale[v], of.shift[v]), hn::Zero(Wide())), g);
}

// Of one block: sums of g, then of g (in - mean).
template <bool kRelu>
void BlockSums(const ColumnScaling& s, ConstDenseView in, ConstDenseView g, Index begin, Index end,
               float* HWY_RESTRICT partial) {
  const Wide d;
  const std::size_t lanes = hn::Lanes(d);
  const auto cols = static_cast<std::size_t>(in.cols);
  OverRegisters(cols, [&]<int kVectors>(std::size_t j, std::size_t n) CUPEL_INLINE_LAMBDA {
    const PanelScaling<kVectors> of(s, j, n);
    hn::Vec<Wide> sum[kVectors], along[kVectors];
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) sum[v] = along[v] = hn::Zero(d);
    for (Index i = begin; i < end; ++i) {
      const float *x_row = in.row(i) + j, *g_row = g.row(i) + j;
#pragma GCC unroll 4
      for (int v = 0; v < kVectors; ++v) {
        const auto x = hn::Sub(LoadUpTo(d, x_row + v * lanes, n), of.mean[v]);
        const auto y = Passed<kRelu>(of, v, x, LoadUpTo(d, g_row + v * lanes, n));
        sum[v] = hn::Add(sum[v], y);
        along[v] = hn::MulAdd(y, x, along[v]);
      }
    }
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) {
      StoreUpTo(sum[v], d, partial + j + v * lanes, n);
      StoreUpTo(along[v], d, partial + cols + j + v * lanes, n);
    }
  });
}

// grad_in = scale g - count (by_one + by_x (in - mean)).
template <bool kRelu, bool kCounted>
void InputGradient(const ColumnScaling& s, const float* HWY_RESTRICT by_one,
                   const float* HWY_RESTRICT by_x, ConstDenseView in, RowCounts counts,
                   ConstDenseView g, DenseView grad_in, Index begin, Index end) {
  const Wide d;
  const std::size_t lanes = hn::Lanes(d);
  const auto gradient = [&]<int kVectors>(const RowPanel& p) CUPEL_INLINE_LAMBDA {
    const PanelScaling<kVectors> of(s, p.j, p.n);
    hn::Vec<Wide> one[kVectors], along[kVectors];
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) {
      one[v] = LoadUpTo(d, by_one + p.j + v * lanes, p.n);
      along[v] = LoadUpTo(d, by_x + p.j + v * lanes, p.n);
    }
    for (Index i = p.first; i < p.last; ++i) {
      const float *x_row = in.row(i) + p.j, *g_row = g.row(i) + p.j;
      float* to = grad_in.row(i) + p.j;
      const auto count = hn::Set(d, kCounted ? counts[i] : 1.0f);
#pragma GCC unroll 4
      for (int v = 0; v < kVectors; ++v) {
        const auto x = hn::Sub(LoadUpTo(d, x_row + v * lanes, p.n), of.mean[v]);
        const auto y = Passed<kRelu>(of, v, x, LoadUpTo(d, g_row + v * lanes, p.n));
        const auto plain = kCounted ? hn::Mul(count, one[v]) : one[v];
        const auto slope = kCounted ? hn::Mul(count, along[v]) : along[v];
        StoreUpTo(hn::NegMulAdd(slope, x, hn::MulSub(of.scale[v], y, plain)), d, to + v * lanes,
                  p.n);
      }
    }
  };
  OverRowPanels(static_cast<std::size_t>(in.cols), begin, end, gradient);
}

void BlockMomentsOf(ConstDenseView in, RowCounts counts, double rows, Index begin, Index end,
                    float* partial) {
  counts != nullptr ? BlockMoments<true>(in, counts, rows, begin, end, partial)
                    : BlockMoments<false>(in, counts, rows, begin, end, partial);
}
void ScaleRowsPlain(const ColumnScaling& s, ConstDenseView in, DenseView out, Index begin,
                    Index end) {
  ScaleRows<false>(s, in, out, begin, end);
}
void ScaleRowsRelu(const ColumnScaling& s, ConstDenseView in, DenseView out, Index begin,
                   Index end) {
  ScaleRows<true>(s, in, out, begin, end);
}
void BlockSumsOf(const ColumnScaling& s, ConstDenseView in, ConstDenseView g, Index begin,
                 Index end, float* partial) {
  s.relu ? BlockSums<true>(s, in, g, begin, end, partial)
         : BlockSums<false>(s, in, g, begin, end, partial);
}
void InputGradientOf(const ColumnScaling& s, const float* by_one, const float* by_x,
                     ConstDenseView in, RowCounts counts, ConstDenseView g, DenseView grad_in,
                     Index begin, Index end) {
  const auto run = [&]<bool kCounted>() {
    s.relu ? InputGradient<true, kCounted>(s, by_one, by_x, in, counts, g, grad_in, begin, end)
           : InputGradient<false, kCounted>(s, by_one, by_x, in, counts, g, grad_in, begin, end);
  };
  counts != nullptr ? run.template operator()<true>() : run.template operator()<false>();
}

}  // namespace cupel::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cupel::kernels {

HWY_EXPORT(BlockMomentsOf);
HWY_EXPORT(ScaleRowsPlain);
HWY_EXPORT(ScaleRowsRelu);
HWY_EXPORT(BlockSumsOf);
HWY_EXPORT(InputGradientOf);

namespace {

// Calls body(begin, end, partial) for each block of rows, `partial` its 2 cols floats.
template <class Body>
void over_row_blocks(Threads threads, Index rows, Index cols, float* partial, const Body& body) {
  constexpr Index kRows = RowBlocks::kRows;
  over_blocks(threads, batch_norm_blocks(rows), Offset{kRows} * cols, 1,
              [&](Index first, Index last) {
                for (Index b = first; b < last; ++b)
                  body(b * kRows, std::min(rows, (b + 1) * kRows),
                       partial + static_cast<std::size_t>(b) * 2 * cols);
              });
}

// Whole numbers: their sum is the same in any order, and one chain would wait for each addition.
double sum_of(RowCounts counts, Index rows) {
  constexpr int kChains = 8;
  double sums[kChains] = {};
  Index i = 0;
  for (; i + kChains <= rows; i += kChains)
    for (int k = 0; k < kChains; ++k) sums[k] += counts[i + k];
  for (; i < rows; ++i) sums[0] += counts[i];
  return std::accumulate(sums, sums + kChains, 0.0);
}

}  // namespace

double column_moments(Threads threads, ConstDenseView in, RowCounts counts, float* partial,
                      double* sizes, double* mean, double* variance) {
  over_row_blocks(threads, in.rows, in.cols, partial, [&](Index begin, Index end, float* own) {
    double& size = sizes[begin / RowBlocks::kRows];
    size = counts != nullptr ? sum_of(counts + begin, end - begin) : end - begin;
    HWY_DYNAMIC_DISPATCH(BlockMomentsOf)(in, counts, size, begin, end, own);
  });
  const auto cols = static_cast<std::size_t>(in.cols);
  const Index blocks = batch_norm_blocks(in.rows);
  const double rows = std::accumulate(sizes, sizes + blocks, 0.0);
  std::fill_n(mean, cols, 0.0);
  std::fill_n(variance, cols, 0.0);
  const float* own = partial;
  for (Index b = 0; b < blocks; ++b) {
    for (std::size_t j = 0; j < cols; ++j) mean[j] += sizes[b] * own[j];
    own += 2 * cols;
  }
  for (std::size_t j = 0; j < cols; ++j) mean[j] /= rows;
  own = partial;
  for (Index b = 0; b < blocks; ++b) {
    for (std::size_t j = 0; j < cols; ++j) {
      const double away = own[j] - mean[j];
      variance[j] += own[cols + j] + sizes[b] * away * away;
    }
    own += 2 * cols;
  }
  for (std::size_t j = 0; j < cols; ++j) variance[j] /= rows;
  return rows;
}

void scale_columns(Threads threads, const ColumnScaling& s, ConstDenseView in, DenseView out) {
  over_blocks(threads, in.rows, in.cols, 1, [&](Index begin, Index end) {
    if (s.relu)
      HWY_DYNAMIC_DISPATCH(ScaleRowsRelu)(s, in, out, begin, end);
    else
      HWY_DYNAMIC_DISPATCH(ScaleRowsPlain)(s, in, out, begin, end);
  });
}

void batch_norm_backward(Threads threads, const ColumnScaling& s, const float* inverse_deviation,
                         ConstDenseView in, RowCounts counts, double all_rows, ConstDenseView g,
                         DenseView grad_in, float* partial, float* coefficients, float* grad_gain,
                         float* grad_shift) {
  over_row_blocks(threads, in.rows, in.cols, partial, [&](Index begin, Index end, float* own) {
    HWY_DYNAMIC_DISPATCH(BlockSumsOf)(s, in, g, begin, end, own);
  });
  const auto cols = static_cast<std::size_t>(in.cols);
  const Index blocks = batch_norm_blocks(in.rows);
  for (std::size_t j = 0; j < cols; ++j) {
    double sum = 0, along = 0;
    for (Index b = 0; b < blocks; ++b) {
      sum += partial[static_cast<std::size_t>(b) * 2 * cols + j];
      along += partial[(static_cast<std::size_t>(b) * 2 + 1) * cols + j];
    }
    along *= inverse_deviation[j];
    if (grad_shift != nullptr) grad_shift[j] = static_cast<float>(sum);
    if (grad_gain != nullptr) grad_gain[j] = static_cast<float>(along);
    const double share = double{s.scale[j]} / all_rows;
    coefficients[j] = static_cast<float>(share * sum);
    coefficients[cols + j] = static_cast<float>(share * along * inverse_deviation[j]);
  }
  if (grad_in.data == nullptr) return;
  over_blocks(threads, in.rows, 2 * in.cols, 1, [&](Index begin, Index end) {
    HWY_DYNAMIC_DISPATCH(InputGradientOf)
    (s, coefficients, coefficients + cols, in, counts, g, grad_in, begin, end);
  });
}

}  // namespace cupel::kernels
#endif
