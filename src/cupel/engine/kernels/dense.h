// Dense products. A row of A B has the same bits whatever other rows are computed with it and
// however many threads take part.
#pragma once

#include "cupel/base/parallel.h"
#include "cupel/engine/kernels/views.h"

namespace cupel::kernels {

// out = A B, A: m x k, B: k x n. With accumulate: out += A B.
void matmul(Threads threads, ConstDenseView a, ConstDenseView b, DenseView out, bool accumulate);
// out = A B^T, A: m x k, B: n x k.
void matmul_nt(Threads threads, ConstDenseView a, ConstDenseView b, DenseView out, bool accumulate);
// out = A^T B, A: m x k, B: m x n, out: k x n. Sums over rows: the bits depend on which rows there
// are only through the rows that are not zero in both (threads do not matter).
void matmul_tn(Threads threads, ConstDenseView a, ConstDenseView b, DenseView out, bool accumulate);

// out = in / max(1, |row|_2) is not what "normalise" means elsewhere: GraphSAGE's released code
// divides by max(1, norm). norms: one per row (the 2-norm).
void clip_row_norms(Threads threads, ConstDenseView in, DenseView out, float* norms);
// Gradient of the above. `nan_at_zero`: a row whose norm is exactly 0 gives NaN, as automatic
// differentiation of sqrt(sum of squares) does; otherwise 0 norm passes the gradient through.
void clip_row_norms_backward(Threads threads, ConstDenseView in, ConstDenseView out,
                             const float* norms, ConstDenseView grad_out, DenseView grad_in,
                             bool nan_at_zero, bool accumulate);

}  // namespace cupel::kernels
