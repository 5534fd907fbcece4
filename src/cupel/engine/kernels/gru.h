// A gated recurrent unit behind its linear layers. The same bits for every vector width.
#pragma once

#include "cupel/base/parallel.h"
#include "cupel/engine/kernels/views.h"

namespace cupel::kernels {

// Of each row: in is [a ; b ; c], thrice as wide as the others. r = sigmoid(a), z = sigmoid(b),
// n = tanh(c + r again), out = n + z (state - n).
struct GruInputs {
  ConstDenseView in, again, state;
};
void gru(Threads threads, const GruInputs& x, DenseView out);

// Gradients of the inputs from that of out; those without data are not wanted.
struct GruGradients {
  DenseView in, again, state;
};
void gru_backward(Threads threads, const GruInputs& x, ConstDenseView grad_out,
                  const GruGradients& grad);

}  // namespace cupel::kernels
