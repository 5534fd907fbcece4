// Gaussian latent values: draws from them and their distance from the standard normal.
#pragma once

#include "cupel/base/parallel.h"
#include "cupel/engine/kernels/dropout.h"
#include "cupel/engine/kernels/views.h"

namespace cupel::kernels {

// out = mu + shift and shift = e exp(log_std), where e is standard normal. Element j of the row
// with id ids[i] (null: i) is draw j of stream (source, id), so the bits depend neither on threads
// nor on which rows are there. out may be mu. shift: null data if nobody wants it.
void sample_gaussian(Threads threads, const DrawSource& source, const Index* ids, ConstDenseView mu,
                     ConstDenseView log_std, DenseView out, DenseView shift);

// Mean over the rows of the divergence KL(N(mu, diag(exp(log_std))^2) || N(0, I)), the sum over the
// columns of (mu^2 + exp(2 log_std) - 1 - 2 log_std) / 2; 0 without rows. The code released with
// Kipf and Welling 2016 (tkipf/gae) adds 1 / nodes of it to the loss over all pairs. In double,
// rows in ascending order within blocks of fixed size, then the blocks in order.
[[nodiscard]] double gaussian_divergence(Threads threads, ConstDenseView mu,
                                         ConstDenseView log_std);
// The gradient times `by`: by mu / rows and by (exp(2 log_std) - 1) / rows. Null data: not wanted.
void gaussian_divergence_backward(Threads threads, ConstDenseView mu, ConstDenseView log_std,
                                  float by, DenseView grad_mu, DenseView grad_log_std);

}  // namespace cupel::kernels
