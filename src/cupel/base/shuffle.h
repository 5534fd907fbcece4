// Random orders (Fisher and Yates, as in Knuth, TAOCP 2, algorithm 3.4.2P), drawn from a stream.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "cupel/base/random.h"

namespace cupel {

// Puts the items of a list into an order of which all are equally likely: n - 1 draws for n items,
// fewer than 2^32.
template <class List>
void shuffle(List& items, Stream& stream) {
  for (std::size_t left = items.size(); left > 1; --left)
    std::swap(items[left - 1], items[stream.next_below(static_cast<std::uint32_t>(left))]);
}

// Puts `count` of the items in front, in a random order: a draw for each. The others stand behind,
// in an order that is not random. Requires 0 <= count <= their number.
template <class List>
void draw_to_front(List& items, std::size_t count, Stream& stream) {
  for (std::size_t i = 0; i < count; ++i)
    std::swap(items[i], items[i + stream.next_below(static_cast<std::uint32_t>(items.size() - i))]);
}

}  // namespace cupel
