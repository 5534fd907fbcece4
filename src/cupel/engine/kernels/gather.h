// Rows of a table, one for each of a list of numbers, and back.
#pragma once

#include "cupel/base/parallel.h"
#include "cupel/engine/kernels/views.h"

namespace cupel::kernels {

// out row i = row index[i] of table. index: out.rows numbers below table.rows.
void gather_rows(Threads threads, const Index* index, ConstDenseView table, DenseView out);

// The gradient with respect to the table: out row k = sum of the rows i of g with index[i] = k, i
// ascending, from zero; `add`: from what is there. The bits do not depend on the thread count.
void scatter_rows(Threads threads, const Index* index, ConstDenseView g, DenseView out,
                  bool add = false);

// out(i, 0) = <table row a[i], table row b[i]>; out.rows numbers in a and in b.
void pair_dots(Threads threads, const Index* a, const Index* b, ConstDenseView table,
               DenseView out);

// Its gradient with respect to the table, g: pairs x 1. Each pair in ascending order adds g(i, 0)
// times row b[i] to row a[i] of out, then the reverse; from zero, or with `add` from what is there.
// out may not be the table. The bits do not depend on the thread count.
void pair_dots_gradient(Threads threads, const Index* a, const Index* b, ConstDenseView table,
                        ConstDenseView g, DenseView out, bool add = false);

}  // namespace cupel::kernels
