// Products with a sparse matrix. Owner-computes: the bits do not depend on the thread count, nor on
// the width of the vectors, but for the sign of a zero: a sum of products that all underflowed may
// be -0 or +0.
#pragma once

#include "cupel/base/parallel.h"
#include "cupel/engine/kernels/views.h"

namespace cupel::kernels {

// out = A B. A: m x k sparse, B: k x n dense, out: m x n. Each output row sums its entries in
// stored order with fused multiply-adds, from zero; an entry-uniform A sums plainly and multiplies
// the sum once. `rows` (nullable, out.rows numbers below A.rows): output row i is row rows[i] of A.
// `add`: out += A B; a row's entries are summed first.
void spmm(Threads threads, const SparseView& a, const Index* rows, ConstDenseView b, DenseView out,
          bool add = false);

// out = A^T G, out: k x n, whatever was there is overwritten. A: m x k sparse, G: m x n. The terms
// of an output row are added by fused multiply-adds, ordered by A's row. `rows` as in spmm: row i
// of G belongs to row rows[i] of A. For a constant A, spmm with a transpose made once is faster.
void spmm_transposed(Threads threads, const SparseView& a, const Index* rows, ConstDenseView g,
                     DenseView out);

// out row r, element j = max over entries c of row r of b(c, j); arg(r, j) = the first c that
// attains it. The first NaN counts as the maximum. `extra` >= 0: row `extra` of B takes part too in
// the rows r with row_size(r) < full_size, before the entries (see GraphSAGE's padded neighbour
// lists). Empty rows give 0 and arg -1. arg: rows x cols, contiguous.
void row_max(Threads threads, const SparseView& a, Index extra, Offset full_size, ConstDenseView b,
             DenseView out, Index* arg);
// grad(c, j) += g(r, j) for c = arg(r, j); rows in order. `grad` is not zeroed.
void row_max_backward(const Index* arg, ConstDenseView g, DenseView grad);

}  // namespace cupel::kernels
