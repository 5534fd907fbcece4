// Layer normalisation (Ba, Kiros and Hinton 2016): one walk over memory in each direction.
#pragma once

#include "cupel/base/parallel.h"
#include "cupel/engine/kernels/row_blocks.h"
#include "cupel/engine/kernels/views.h"

namespace cupel::kernels {

// Of each row: the mean, and 1 / sqrt(variance + 1e-5).
struct RowMoments {
  float mean, scale;
};

// out = (in - mean) * scale * gain + shift. The variance is divided by the number of columns and
// summed after the mean is known. moments: one per row. out may be in.
void layer_norm(Threads threads, ConstDenseView in, const float* gain, const float* shift,
                DenseView out, RowMoments* moments);

// Gradients from what layer_norm() read and left; each of the three may be absent (data null).
// grad_in may be g, unless it is added to (accumulate). partial: room for blocks x 2 cols floats.
// grad_gain, grad_shift: cols values, summed block by block.
void layer_norm_backward(Threads threads, const RowBlocks& blocks, ConstDenseView in,
                         const float* gain, const RowMoments* moments, ConstDenseView g,
                         DenseView grad_in, bool accumulate, float* partial, float* grad_gain,
                         float* grad_shift);

}  // namespace cupel::kernels
