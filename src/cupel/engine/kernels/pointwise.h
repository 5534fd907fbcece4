// Chains of what is done to every element: bias, dropout, activation, and the sum with another
// value, each optional, in one walk over memory. NaN passes through all of them (but for dropped
// elements). The same bits for every vector width and any number of threads.
#pragma once

#include "cupel/base/parallel.h"
#include "cupel/engine/kernels/dropout.h"
#include "cupel/engine/kernels/views.h"

namespace cupel::kernels {

// Leaky slope 0.2, ELU alpha 1. GELU: x Phi(x), Phi the distribution function of the standard
// normal. GELU alone cannot be inverted from what it gives.
enum class Activation { kNone, kRelu, kElu, kLeakyRelu, kTanh, kGelu };

// out = addend + drop(activate(in + bias)), or addend + activate(drop(in + bias)).
struct Chain {
  const float* bias = nullptr;  // cols values, added to every row
  Activation activation = Activation::kNone;
  ConstDenseView addend;  // of the output's shape; none if its data is null; no activation then
  bool drop = false;
  bool drop_first = false;  // before the activation
  // If drop: the rate; the stream and the ids of the rows (null: 0, 1, ...), from which forward
  // draws; and the mask that it leaves to backward (draw_mask(): room for 8 bytes more).
  DropRate rate;
  DrawSource source;
  const Index* ids = nullptr;
  std::uint8_t* mask = nullptr;
  // GELU with a gradient: where forward leaves d out / d in, so that backward need not compute it.
  DenseView derivative;
};

// out = chain(in). out may be in or the addend.
void chain_forward(Threads threads, const Chain& chain, ConstDenseView in, DenseView out);

// grad_in = d chain / d in, applied to grad_out, from the chain's output `out` (activations but
// GELU are inverted from it; dropped elements pass nothing). At 0 the derivative is the one from
// below. grad_in may be grad_out or out; its data may be null. bias_gradient (nullable): cols
// values, the sums of grad_in's columns, rows in ascending order. The addend's gradient is
// grad_out.
void chain_backward(Threads threads, const Chain& chain, ConstDenseView out,
                    ConstDenseView grad_out, DenseView grad_in, float* bias_gradient);

// out(j) = sum over rows of in(., j), rows in ascending order. out: in.cols values.
void column_sums(Threads threads, ConstDenseView in, float* out);

// out = a + b; out may be a or b.
void add(Threads threads, ConstDenseView a, ConstDenseView b, DenseView out);

}  // namespace cupel::kernels
