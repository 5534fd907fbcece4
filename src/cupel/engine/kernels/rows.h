// Functions of a whole row: softmax and division by its norm. NaN passes through. The bits depend
// neither on threads nor on the width of the vectors.
#pragma once

#include "cupel/base/parallel.h"
#include "cupel/engine/kernels/views.h"

namespace cupel::kernels {

// Softmax over the columns of each row. out may be in.
void softmax_rows(Threads threads, ConstDenseView in, DenseView out);
// grad_in = out (g - <out, g>), row by row. grad_in may be g.
void softmax_rows_backward(Threads threads, ConstDenseView out, ConstDenseView g,
                           DenseView grad_in);

// out = in / max(epsilon, norm of the row). norms: one 2-norm per row. out may be in.
void normalise_rows(Threads threads, float epsilon, ConstDenseView in, DenseView out, float* norms);
// Gradient of the above, from its output. `nan_at_zero`: a row whose norm is exactly 0 gives NaN,
// as automatic differentiation of sqrt(sum of squares) does; otherwise it is g / epsilon. grad_in
// may be g.
void normalise_rows_backward(Threads threads, float epsilon, ConstDenseView out, const float* norms,
                             ConstDenseView g, DenseView grad_in, bool nan_at_zero = false);

}  // namespace cupel::kernels
