// Messages along the entries ("arcs") of a sparse matrix, each what its sender is plus a linear map
// of what the arc is, cut off at 0. No message is stored: gradients compute them anew.
#pragma once

#include "cupel/base/parallel.h"
#include "cupel/engine/kernels/row_blocks.h"
#include "cupel/engine/kernels/views.h"

namespace cupel::kernels {

// A row for every entry of the matrix, in stored order; weights: arcs.cols x cols; bias: cols.
struct ArcMap {
  ConstDenseView arcs, weights;
  const float* bias;
};

// out(r, .) = sum over the entries e = (r, c) of value(e) * relu(h(c, .) + arcs(e, .) W + bias).
void relu_messages(Threads threads, const SparseView& a, const ArcMap& map, ConstDenseView h,
                   DenseView out);
// Gradient with respect to h, by the transposed matrix: entry[k] is the entry of A behind entry k
// of A^T. At 0 the derivative is 0.
void relu_messages_backward_h(Threads threads, const SparseView& at, const Offset* entry,
                              const ArcMap& map, ConstDenseView h, ConstDenseView g,
                              DenseView grad_h);
// Gradients with respect to W (arcs.cols x cols, contiguous rows) and bias, summed over blocks of
// the rows of A in order. partial: room for blocks x (arcs.cols + 1) x cols floats.
void relu_messages_backward_map(Threads threads, const SparseView& a, const RowBlocks& blocks,
                                const ArcMap& map, ConstDenseView h, ConstDenseView g,
                                float* partial, DenseView grad_weights, float* grad_bias);

}  // namespace cupel::kernels
