// Numbers for 64-bit keys, in open addressing: what models over time remember by.
#pragma once

#include <cstdint>
#include <span>
#include <utility>

#include "cupel/base/matrix.h"

namespace cupel {

// Gives each key a number, from 0 on in the order in which keys first came. At most 2^31 - 1 keys;
// ~0 is none. 18 to 36 bytes a key, and half of that more while it grows. Where a key lies depends
// on a number drawn once a process, so that no file can be made that is slow to read; what it
// answers does not. Safe to ask from many threads.
class KeyNumbers {
 public:
  static constexpr std::uint64_t kNoKey = ~std::uint64_t{0};
  static constexpr Index kNone = -1;

  KeyNumbers();
  // The key's number, and whether it is new. Throws Error if there are too many.
  std::pair<Index, bool> insert(std::uint64_t key);
  void clear();                         // keeps the room; O(it)
  Index find(std::uint64_t key) const;  // kNone: it never came
  // The same for many, several at a time under way to memory. Sizes are equal.
  void find_all(std::span<const std::uint64_t> keys, std::span<Index> numbers) const;
  // Whether they came: 1 or 0. Half the way of find_all.
  void has_all(std::span<const std::uint64_t> keys, std::span<std::uint8_t> has) const;

  Index size() const { return size_; }

 private:
  std::size_t home(std::uint64_t key) const;
  std::size_t place_of(std::uint64_t key, std::size_t from) const {
    while (keys_[from] != key && keys_[from] != kNoKey) from = (from + 1) & (keys_.size() - 1);
    return from;
  }
  // Calls take(begin, places) for some keys at a time, from `begin` on: their homes, which are on
  // their way from memory.
  template <class Take>
  void each_group(std::span<const std::uint64_t> keys, const Take& take) const;
  void grow();

  AlignedVector<std::uint64_t> keys_;  // a power of two, at most two thirds taken; kNoKey: free
  AlignedVector<Index> numbers_;       // of the key at the same place
  Index size_ = 0;
  int shift_ = 0;
};

}  // namespace cupel
