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

}  // namespace cupel::kernels
