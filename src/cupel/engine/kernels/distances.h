// Distances between the rows of two matrices, all with all. The bits of an element depend on its
// two rows alone: not on threads, on which other rows there are, or on the width of the vectors.
#pragma once

#include <cstdint>

#include "cupel/base/parallel.h"
#include "cupel/engine/kernels/views.h"

namespace cupel::kernels {

enum class Norm : std::uint8_t { kL1, kL2 };

// out(i, j) = - |a_i - b_j|. out: rows of a x rows of b.
void negative_distances(Threads threads, Norm norm, ConstDenseView a, ConstDenseView b,
                        DenseView out);

// Given gradients of those, what negative_distances_backward takes: for L2 each divided by its
// distance, and 0 where that is 0; for L1 nothing changes.
void scale_distance_gradients(Threads threads, Norm norm, ConstDenseView out, DenseView grad);

// grad_a_i = sum over j ascending of scaled(i, j) times - (a_i - b_j) for L2, - sign(a_i - b_j)
// for L1. Gradients that are 0 cost little. To get grad_b, exchange a and b and set `transposed`,
// for which scaled is rows of b x rows of a.
void negative_distances_backward(Threads threads, Norm norm, ConstDenseView a, ConstDenseView b,
                                 ConstDenseView scaled, bool transposed, DenseView grad_a);

}  // namespace cupel::kernels
