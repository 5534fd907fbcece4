// Plain matrices: dense and compressed sparse rows. They know nothing of graphs.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <span>
#include <vector>

#include "cupel/base/huge_pages.h"

namespace cupel {

using Index = std::int32_t;   // a row or column number
using Offset = std::int64_t;  // a position in a list of entries

inline constexpr std::size_t kAlignment = 64;  // one cache line, one 512-bit vector

// Allocator for vectors that SIMD kernels read.
template <class T>
struct AlignedAllocator {
  using value_type = T;
  AlignedAllocator() = default;
  template <class U>
  AlignedAllocator(const AlignedAllocator<U>&) {}
  T* allocate(std::size_t n) {
    void* memory = ::operator new (n * sizeof(T), std::align_val_t{kAlignment});
    advise_huge_pages(memory, n * sizeof(T));  // nothing to arrays smaller than a page
    return static_cast<T*>(memory);
  }
  void deallocate(T* p, std::size_t) { ::operator delete (p, std::align_val_t{kAlignment}); }
  friend bool operator==(const AlignedAllocator&, const AlignedAllocator&) { return true; }
};
template <class T>
using AlignedVector = std::vector<T, AlignedAllocator<T>>;

// Row-major, contiguous (leading dimension = cols).
struct Matrix {
  Index rows = 0, cols = 0;
  AlignedVector<float> values;

  Matrix() = default;
  Matrix(Index r, Index c)
      : rows(r), cols(c), values(static_cast<std::size_t>(r) * static_cast<std::size_t>(c)) {}
  float* row(Index i) { return values.data() + static_cast<std::size_t>(i) * cols; }
  const float* row(Index i) const { return values.data() + static_cast<std::size_t>(i) * cols; }
  float& operator()(Index i, Index j) { return row(i)[j]; }
  float operator()(Index i, Index j) const { return row(i)[j]; }
};

// Compressed sparse rows. Invariants: row_ptr has rows + 1 ascending entries from 0; columns of a
// row ascend strictly (the columns of a multigraph's row ascend, and may repeat). `values` is
// either empty (every stored entry is 1) or one value per entry.
struct Csr {
  Index rows = 0, cols = 0;
  std::vector<Offset> row_ptr = {0};
  std::vector<Index> columns;
  AlignedVector<float> values;

  Offset entries() const { return row_ptr.back(); }
  Offset row_size(Index i) const { return row_ptr[i + 1] - row_ptr[i]; }
  std::span<const Index> row_columns(Index i) const {
    return {columns.data() + row_ptr[i], static_cast<std::size_t>(row_size(i))};
  }
  bool is_pattern() const { return values.empty(); }
  float value(Offset at) const {
    return values.empty() ? 1.0f : values[static_cast<std::size_t>(at)];
  }
};

// Transposed copy; columns of each row ascend, values follow their entries.
[[nodiscard]] Csr transpose(const Csr& matrix);

}  // namespace cupel
