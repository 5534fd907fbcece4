// Finds things by their keys, where the keys are kept with the things: numbers in open addressing.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "cupel/base/matrix.h"

namespace cupel {

// Spreads a key over 64 bits (the finaliser of splitmix64).
[[nodiscard]] constexpr std::uint64_t mixed(std::uint64_t h) {
  h += 0x9e3779b97f4a7c15u;
  h = (h ^ (h >> 30)) * 0xbf58476d1ce4e5b9u;
  h = (h ^ (h >> 27)) * 0x94d049bb133111ebu;
  return h ^ (h >> 31);
}
[[nodiscard]] constexpr std::uint64_t mixed(Index a, Index b) {
  return mixed(std::uint64_t{static_cast<std::uint32_t>(a)} << 32 | static_cast<std::uint32_t>(b));
}

// Numbers from 0 on in the order in which they were put there. At most 2^31 - 1 of them; 6 to 12
// bytes each.
class IdTable {
 public:
  // The number for which `is_it` holds, among those whose keys have this hash; -1: none.
  template <class IsIt>
  Index find(std::uint64_t hash, const IsIt& is_it) const {
    if (cells_.empty()) return -1;
    for (std::size_t at = hash & mask();; at = (at + 1) & mask())
      if (cells_[at] < 0 || is_it(cells_[at])) return cells_[at];
  }
  // Takes the next number in, which `find` has not found. hash_of(number) says its hash.
  template <class HashOf>
  void add(const HashOf& hash_of) {
    if (static_cast<std::size_t>(size_ + 1) * 3 > cells_.size() * 2) {
      cells_ = std::vector<Index>(cells_.empty() ? 4 : cells_.size() * 2, -1);
      for (Index number = 0; number < size_; ++number) put(hash_of(number), number);
    }
    put(hash_of(size_), size_);
    ++size_;
  }

 private:
  std::size_t mask() const { return cells_.size() - 1; }
  void put(std::uint64_t hash, Index number) {
    std::size_t at = hash & mask();
    while (cells_[at] >= 0) at = (at + 1) & mask();
    cells_[at] = number;
  }

  std::vector<Index> cells_;  // a power of two of them, at most two thirds taken; -1: free
  Index size_ = 0;
};

}  // namespace cupel
