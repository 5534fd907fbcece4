// A linear map with a bias, as PyTorch starts it.
#pragma once

#include <string>

#include "cupel/engine/program/builder.h"

namespace cupel {

// x W + b from PyTorch's initial values; l2 on both.
inline Value linear(Builder& b, Value x, const std::string& name, Index outputs, double l2) {
  const Index inputs = x.shape().cols;
  const Value product = matmul(x, b.uniform("w_" + name, inputs, outputs, inputs, l2));
  return product + b.uniform("b_" + name, 1, outputs, inputs, l2);
}

}  // namespace cupel
