// The trainable numbers of a program: one block of memory, one slice per parameter.
#pragma once

#include "cupel/base/random.h"
#include "cupel/engine/kernels/views.h"
#include "cupel/engine/program/program.h"

namespace cupel {

// Values (or gradients, or moments) of all parameters of a program. Copying copies the numbers.
// Slices are padded to whole cache lines; the padding stays zero.
class ParameterSet {
 public:
  explicit ParameterSet(const std::vector<Parameter>& parameters);

  std::size_t count() const { return shapes_.size(); }
  DenseView view(int slot);
  std::size_t slice_size(int slot) const {
    return static_cast<std::size_t>(shapes_[slot].first) * shapes_[slot].second;
  }
  AlignedVector<float>& block() { return block_; }
  const AlignedVector<float>& block() const { return block_; }

 private:
  std::vector<std::pair<Index, Index>> shapes_;
  std::vector<std::size_t> offsets_;
  AlignedVector<float> block_;
};

// Initial values: Glorot and Bengio 2010 (uniform or normal), uniform by fan in, normal, or the
// fill. Pure function of the key: parameter `slot`, row r is stream (key, purpose 0, step slot, row
// r).
void initialise(const std::vector<Parameter>& parameters, StreamKey key, ParameterSet& values);

}  // namespace cupel
