// Row-wise chains: bias, then activation, then dropout, each optional, in one pass. NaN passes
// through all of them (but for dropped elements). The same bits for every vector width.
#pragma once

#include "cupel/base/parallel.h"
#include "cupel/engine/kernels/dropout.h"
#include "cupel/engine/kernels/views.h"

namespace cupel::kernels {

enum class Activation { kNone, kRelu, kElu, kLeakyRelu, kTanh };  // leaky slope 0.2, ELU alpha 1

struct Chain {
  const float* bias = nullptr;  // cols values, added to every row
  Activation activation = Activation::kNone;
  bool drop = false;
  DropRate rate;
  const std::uint16_t* draws = nullptr;  // filled for this step, if drop
};

// out = chain(in); in and out may be the same memory.
void chain_forward(Threads threads, const Chain& chain, ConstDenseView in, DenseView out);

// grad_in = d chain / d in, applied to grad_out, from the chain's output `out` (activations are
// inverted from it; dropped elements pass nothing). At 0 the derivative is the one from below.
// grad_in may be grad_out or out; with accumulate, grad_in is added to, and may not be grad_out.
void chain_backward(Threads threads, const Chain& chain, ConstDenseView out,
                    ConstDenseView grad_out, DenseView grad_in, bool accumulate);

// out(j) = sum over rows of in(., j), rows in ascending order. out: in.cols values.
void column_sums(ConstDenseView in, float* out);

// out = a + b; out may be a or b.
void add(Threads threads, ConstDenseView a, ConstDenseView b, DenseView out);

}  // namespace cupel::kernels
