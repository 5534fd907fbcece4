// One block of memory for values that do not live at the same time.
#pragma once

#include <cstddef>
#include <vector>

#include "cupel/base/matrix.h"

namespace cupel {

class ArenaPlan {
 public:
  // A buffer of `floats`, alive from time `first` to time `last`, both included. Returns its
  // number.
  int add(std::size_t floats, int first, int last);
  void extend(int buffer, int last);
  int last_use(int buffer) const { return buffers_[root(buffer)].last; }
  // Lets a new buffer live in `host`'s memory from the host's last use on.
  int share(int host, int last);
  // Chooses offsets (largest first, lowest free place), after which bytes() is known.
  void lay_out();
  // Lays out, and takes the memory: of `shared`, which is made larger where it is too small and
  // must outlive this, or its own, all zero.
  void allocate(AlignedVector<float>* shared = nullptr);

  float* data(int buffer) { return block_->data() + buffers_[root(buffer)].offset; }
  std::size_t bytes() const { return size_ * sizeof(float); }

 private:
  struct Buffer {
    std::size_t floats = 0, offset = 0;
    int first = 0, last = 0;
    int host = -1;
  };
  int root(int buffer) const {
    while (buffers_[buffer].host >= 0) buffer = buffers_[buffer].host;
    return buffer;
  }
  std::vector<Buffer> buffers_;
  std::size_t size_ = 0;
  AlignedVector<float> own_;
  AlignedVector<float>* block_ = &own_;
};

}  // namespace cupel
