// How the passes of attention are cut into blocks, and what memory they work in.
#pragma once

#include <algorithm>

#include "cupel/engine/kernels/blocks.h"
#include "cupel/engine/kernels/scratch.h"
#include "cupel/engine/kernels/views.h"

namespace cupel::kernels {

// Entries that are worked on together: their rows of a slab, and another's, stay in the first-level
// cache.
inline constexpr std::size_t kChunk = 32;
// Rows of a slab are filled up with zeros to a multiple of this.
inline constexpr std::size_t kUnit = 16;

// Columns of a slab where a pass can take a head's in turn.
inline constexpr Index kMostColumns = 64;

// Some columns of a matrix, copied to rows side by side.
struct Slab {
  float* data = nullptr;
  std::size_t width = 0;  // a multiple of kUnit
  float* row(Index i) const { return data + static_cast<std::size_t>(i) * width; }
};

// Some columns of a head: `count` from `first` of the matrix.
struct Panel {
  Index head = 0, first = 0, count = 0;
  bool opens = false, closes = false;  // the head's first or last panel
};

inline std::size_t padded(Index columns) {
  return (static_cast<std::size_t>(columns) + kUnit - 1) / kUnit * kUnit;
}

// Calls f(panel) for the panels of a head of d columns, each of at most `most`.
template <class F>
void over_head_panels(Index head, Index d, Index most, const F& f) {
  for (Index j = 0; j < d; j += most) {
    f(Panel{head, head * d + j, std::min(most, d - j), j == 0, j + most >= d});
  }
}

// Cuts one allocation into aligned pieces.
class Pieces {
 public:
  explicit Pieces(float* data) : data_(data) {}
  float* take(std::size_t size) {
    float* piece = data_ != nullptr ? data_ + used_ : nullptr;
    used_ += (size + kUnit - 1) / kUnit * kUnit;
    return piece;
  }
  std::size_t used() const { return used_; }

 private:
  float* data_;
  std::size_t used_ = 0;
};

// Calls take(pieces) to learn the sizes, and again with pieces of this thread's scratch().
template <class Take>
void in_scratch(const Take& take) {
  Pieces sizes(nullptr);
  take(sizes);
  Pieces pieces(scratch(sizes.used()));
  take(pieces);
}

// Working memory of one block, beside the calling thread's scratch(); see there.
inline float* block_scratch(std::size_t size) {
  thread_local AlignedVector<float> buffer;
  return room_in(buffer, size);
}

// Calls body(begin, end) over the rows of `a`, in blocks of about as many entries: degrees are
// skewed. A body must give the same bits however the rows are cut.
template <class Body>
void over_entry_blocks(Threads threads, const SparseView& a, Offset work_per_entry,
                       const Body& body) {
  const auto row_of = [&](Offset work) {  // the first row with so much work before it
    Index low = 0, high = a.rows;
    while (low < high) {
      const Index middle = low + (high - low) / 2;
      if (a.row_ptr[middle] + middle < work) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  };
  constexpr Offset kWorkPerBlock = 1 << 18;  // floats touched
  const Offset work = a.entries() + a.rows;
  const Offset grain = std::max<Offset>(1, kWorkPerBlock / std::max<Offset>(1, work_per_entry));
  if (a.rows == 0) return;
  if (threads.count <= 1 || work <= grain) {
    body(Index{0}, a.rows);
    return;
  }
  parallel_blocks(threads, work, grain, [&](std::int64_t begin, std::int64_t end) {
    const Index first = row_of(begin), last = row_of(end);
    if (first < last) body(first, last);
  });
}

}  // namespace cupel::kernels
