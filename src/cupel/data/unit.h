// What an example is: whatever a split parts, a label says something of, and a score is given to.
#pragma once

#include <cstdint>

namespace cupel {

enum class Unit : std::uint8_t { kNode, kGraph, kPair };

// For messages: "node", "graph", "pair".
[[nodiscard]] constexpr const char* to_text(Unit unit) {
  return unit == Unit::kNode ? "node" : unit == Unit::kGraph ? "graph" : "pair";
}

}  // namespace cupel
