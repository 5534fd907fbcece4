// Dense products of any shape. Every output element is one chain of fused multiply-adds in
// ascending order of what is summed over, from zero. So its bits depend on the factors alone: not
// on which other rows are computed, how many threads take part, or how wide the vectors are; and
// terms that are zero may be left out.
#pragma once

#include "cupel/base/parallel.h"
#include "cupel/engine/kernels/views.h"

namespace cupel::kernels {

// out = A B, A: m x k, B: k x n.
void matmul(Threads threads, ConstDenseView a, ConstDenseView b, DenseView out);
// out = A B^T, A: m x k, B: n x k.
void matmul_nt(Threads threads, ConstDenseView a, ConstDenseView b, DenseView out);
// out += A B^T; the products are summed first.
void matmul_nt_add(Threads threads, ConstDenseView a, ConstDenseView b, DenseView out);
// out = A^T B, A: m x k, B: m x n, out: k x n. Sums over rows in ascending order: a row that is
// zero in A or in B may be there or not.
void matmul_tn(Threads threads, ConstDenseView a, ConstDenseView b, DenseView out);

}  // namespace cupel::kernels
