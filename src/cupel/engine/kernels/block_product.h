// Rows times matrices of 2 x 2 blocks, one of several for each row.
//
// Schlichtkrull et al., "Modeling Relational Data with Graph Convolutional Networks", ESWC 2018,
// equation 4, with blocks of two. A row of d (even) columns is two halves, and block b has columns
// b and d / 2 + b. A row of `table` has 2 d columns: p, q, s, t of d / 2 each.
#pragma once

#include "cupel/base/parallel.h"
#include "cupel/engine/kernels/views.h"

namespace cupel::kernels {

// out row i, with (x, y) the halves of row i of `in` and k = which[i]:
// [p_k x + q_k y ; s_k x + t_k y], element by element.
void block_product(Threads threads, const Index* which, ConstDenseView in, ConstDenseView table,
                   DenseView out);
// grad_in = the product with the transposed blocks.
void block_product_backward(Threads threads, const Index* which, ConstDenseView table,
                            ConstDenseView grad_out, DenseView grad_in);
// grad_table row k: the sum over the rows i with which[i] = k, i ascending, from zero; `add`: from
// what is there. The bits do not depend on the threads.
void block_product_table(Threads threads, const Index* which, ConstDenseView in,
                         ConstDenseView grad_out, DenseView grad_table, bool add);

}  // namespace cupel::kernels
