// Who has met whom so far.
#pragma once

#include <span>
#include <vector>

#include "cupel/learn/events/fact_keys.h"
#include "cupel/learn/events/key_numbers.h"

namespace cupel {

// A graph that grows, with links of several kinds and without direction. A link that comes again
// changes nothing; a loop is none.
//
// Memory for each link: 26 to 52 bytes, and half of that more while it grows; for each entity 24
// bytes with one kind of link, and 44 to 84 for each (entity, kind) that has links with several.
// Adding is O(1). Safe to read from many threads.
class EventNeighbours {
 public:
  // Throws Error as FactKeys does.
  EventNeighbours(Index entities, Index kinds, const FactKeys::Asker& who)
      : kinds_(kinds), keys_(entities, kinds, who), rows_(kinds == 1 ? rows_of(entities) : 0) {}

  void add(Index a, Index kind, Index b);
  // Different ones, in the order in which they were met. Until the next add().
  std::span<const Index> of(Index entity, Index kind) const {
    const Index row = kinds_ == 1 ? entity : row_.find(keys_.key(entity, kind, 0));
    return row < 0 ? std::span<const Index>() : rows_[rows_of(row)];
  }
  // Calls each(i), ascending, for the places i of those `others` that are linked to `entity`.
  template <class Each>
  void for_linked(Index entity, Index kind, std::span<const Index> others, const Each& each) const;

 private:
  static std::size_t rows_of(Index i) { return static_cast<std::size_t>(i); }
  std::vector<Index>& row(Index entity, Index kind);

  Index kinds_ = 1;
  FactKeys keys_;
  KeyNumbers links_;
  KeyNumbers row_;  // (entity, kind), where there are several kinds
  std::vector<std::vector<Index>> rows_;
};

template <class Each>
void EventNeighbours::for_linked(Index entity, Index kind, std::span<const Index> others,
                                 const Each& each) const {
  constexpr std::size_t kBlock = 64;
  std::uint64_t keys[kBlock];
  std::uint8_t has[kBlock];
  for (std::size_t begin = 0; begin < others.size(); begin += kBlock) {
    const std::size_t n = others.size() - begin < kBlock ? others.size() - begin : kBlock;
    for (std::size_t i = 0; i < n; ++i)
      keys[i] = keys_.unordered_key(entity, kind, others[begin + i]);
    links_.has_all({keys, n}, {has, n});
    for (std::size_t i = 0; i < n; ++i)
      if (has[i] != 0) each(begin + i);
  }
}

}  // namespace cupel
