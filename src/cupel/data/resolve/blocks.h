// Which entities are worth comparing: those that share a key.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "cupel/base/matrix.h"

namespace cupel {

// Keys are hashes; things that share one by chance are compared for nothing. Blocks that are too
// large are left out: first those above `most` things, then, from the largest down, as many as it
// takes for all blocks together to have at most 128 pairs a thing. So the work is linear in the
// number of things. Memory: 16 bytes a key while it is made, then 8. Thread-safe.
class Blocks {
 public:
  struct Key {
    std::uint64_t key = 0;
    Index thing = 0;
    friend auto operator<=>(const Key&, const Key&) = default;
  };
  Blocks(Index things, std::vector<Key> keys, std::size_t most = 400);

  // All things above `thing` that share a block with it are put into `out`, ascending, each once.
  void above(Index thing, std::vector<Index>& out) const;
  [[nodiscard]] std::int64_t left_out() const { return left_out_; }
  [[nodiscard]] std::int64_t blocks() const { return static_cast<std::int64_t>(from_.size()) - 1; }

 private:
  std::vector<std::uint32_t> from_;  // of each block, its first member
  std::vector<Index> members_;       // ascending in each block
  std::vector<std::uint64_t> places_from_;
  std::vector<std::uint32_t> places_;     // of each thing, its places among the members
  std::vector<std::uint32_t> block_end_;  // of each place of places_, the end of its block
  std::int64_t left_out_ = 0;
};

}  // namespace cupel
