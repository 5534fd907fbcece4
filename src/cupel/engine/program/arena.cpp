#include "cupel/engine/program/arena.h"

#include <algorithm>
#include <numeric>

namespace cupel {

int ArenaPlan::add(std::size_t floats, int first, int last) {
  constexpr std::size_t kLine = kAlignment / sizeof(float);
  buffers_.push_back({(floats + kLine - 1) / kLine * kLine, 0, first, last, -1});
  return static_cast<int>(buffers_.size()) - 1;
}

void ArenaPlan::extend(int buffer, int last) {
  Buffer& b = buffers_[root(buffer)];
  b.last = std::max(b.last, last);
}

int ArenaPlan::share(int host, int last) {
  extend(host, last);
  buffers_.push_back({0, 0, 0, 0, host});
  return static_cast<int>(buffers_.size()) - 1;
}

void ArenaPlan::lay_out() {
  std::vector<int> order(buffers_.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](int a, int b) { return buffers_[a].floats > buffers_[b].floats; });
  std::vector<const Buffer*> placed;  // by offset
  for (const int id : order) {
    Buffer& buffer = buffers_[id];
    if (buffer.host >= 0 || buffer.floats == 0) continue;
    std::size_t offset = 0;
    for (const Buffer* other : placed) {
      if (other->first > buffer.last || buffer.first > other->last) continue;
      if (offset + buffer.floats <= other->offset) break;
      offset = std::max(offset, other->offset + other->floats);
    }
    buffer.offset = offset;
    size_ = std::max(size_, offset + buffer.floats);
    placed.insert(std::ranges::upper_bound(placed, offset, {}, &Buffer::offset), &buffer);
  }
}

void ArenaPlan::allocate(AlignedVector<float>* shared) {
  lay_out();
  if (shared == nullptr) {
    own_.assign(size_, 0.0f);
  } else {
    block_ = shared;
    if (shared->size() >= size_) return;
    AlignedVector<float>().swap(*shared);  // nobody wants what it held, and never both at a time
    shared->resize(size_);
  }
}

}  // namespace cupel
