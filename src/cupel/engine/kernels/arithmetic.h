// Products, differences and weighted sums of dense values, and the sums that their gradients need.
// `out` may be any input of the same shape unless said otherwise. The bits depend neither on
// threads nor on the width of the vectors.
#pragma once

#include <span>

#include "cupel/base/parallel.h"
#include "cupel/engine/kernels/views.h"

namespace cupel::kernels {

void subtract(Threads threads, ConstDenseView a, ConstDenseView b, DenseView out);
void multiply(Threads threads, ConstDenseView a, ConstDenseView b, DenseView out);
// out(i, j) = a(i, j) factors(i, 0); factors: rows x 1.
void scale_rows(Threads threads, ConstDenseView a, ConstDenseView factors, DenseView out);
// out(i, j) = a(i, j) factors[j].
void scale_columns(Threads threads, ConstDenseView a, const float* factors, DenseView out);
// out = factor a + offset, in one rounding.
void affine(Threads threads, ConstDenseView a, float factor, float offset, DenseView out);

// out(i, 0) = <a(i, .), b(i, .)>; out: rows x 1.
void row_dots(Threads threads, ConstDenseView a, ConstDenseView b, DenseView out);
// out[j] = sum over rows of a(., j) b(., j), rows in ascending order. out: cols values.
void column_dots(Threads threads, ConstDenseView a, ConstDenseView b, float* out);
// Sum over rows of <a(i, .), b(i, .)>, rows in ascending order.
[[nodiscard]] float total_dot(ConstDenseView a, ConstDenseView b);

// out = sum over k of coefficients(k, .) parts[k]; coefficients: parts x 1 or parts x cols. `out`
// may be no part.
void weighted_sum(Threads threads, std::span<const ConstDenseView> parts,
                  ConstDenseView coefficients, DenseView out);

// out(i, j) = row[j].
void spread_row(Threads threads, const float* row, DenseView out);
void copy_rows(Threads threads, ConstDenseView in, DenseView out);
void zero(Threads threads, DenseView out);

}  // namespace cupel::kernels
