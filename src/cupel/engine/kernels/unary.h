// Functions of one element. NaN stays NaN. The same bits for every vector width.
#pragma once

#include "cupel/base/parallel.h"
#include "cupel/engine/kernels/views.h"

namespace cupel::kernels {

enum class Function {
  kSigmoid,   // 1 / (1 + exp(-x))
  kSoftplus,  // log(1 + exp(x))
  kAbsolute,  // |x|, derivative 0 at 0
  kCosine,    // cos(x), within 3e-7 for |x| up to 1e9; NaN for infinities
};

// out = f(in); out may be in.
void function_forward(Threads threads, Function f, ConstDenseView in, DenseView out);
// grad_in = grad_out f'(in); grad_in may be grad_out.
void function_backward(Threads threads, Function f, ConstDenseView in, ConstDenseView grad_out,
                       DenseView grad_in);

}  // namespace cupel::kernels
