// Normalisation of columns by their mean and variance over the rows.
#pragma once

#include "cupel/base/parallel.h"
#include "cupel/engine/kernels/row_blocks.h"
#include "cupel/engine/kernels/views.h"

namespace cupel::kernels {

inline constexpr double kBatchNormEpsilon = 1e-5;

// Blocks of rows that sums are made of: floats in each, doubles over them, in order. The same bits
// on any number of threads.
inline Index batch_norm_blocks(Index rows) {
  return (rows + RowBlocks::kRows - 1) / RowBlocks::kRows;
}

// How many rows each row stands for; null: one. Gradients are those of all of them, summed.
using RowCounts = const float*;

// Mean of each column, and its variance about that, divided by the number of rows (at least one),
// which is returned: that of all that the rows stand for.
// partial: room for blocks x 2 cols floats; sizes: for blocks.
double column_moments(Threads threads, ConstDenseView in, RowCounts counts, float* partial,
                      double* sizes, double* mean, double* variance);

// What is done to each column: out = (in - mean) * scale + shift, with the negative cut off to 0
// where `relu`. NaN passes.
struct ColumnScaling {
  const float *mean, *scale, *shift;
  bool relu;
};
void scale_columns(Threads threads, const ColumnScaling& s, ConstDenseView in, DenseView out);

// Of out = scale_columns(in), with mean and scale = gain * deviation^-1 those of `in` itself (the
// latter cols values). Sums of g over the rows, and of g (in - mean) / deviation; g is taken as 0
// where relu cut off. grad_in, unless its data is null: the gradient that flows through mean and
// deviation, too; it may be g. all_rows: as column_moments() counted them.
// partial: room for blocks x 2 cols floats; coefficients: for 2 cols.
void batch_norm_backward(Threads threads, const ColumnScaling& s, const float* inverse_deviation,
                         ConstDenseView in, RowCounts counts, double all_rows, ConstDenseView g,
                         DenseView grad_in, float* partial, float* coefficients, float* grad_gain,
                         float* grad_shift);

}  // namespace cupel::kernels
