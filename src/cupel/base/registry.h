// Lists of what has a file each: models, metrics, commands and the like. The build writes
// KIND_registry.inc from a folder (cupel_registry, cmake/wings.cmake), and a list is made of it so:
//
//   #include "model_registry.inc"
//   static const std::vector<const ModelEntry*> all =
//       sorted_entries(model_registry(), &ModelEntry::name);
#pragma once

#include <algorithm>
#include <vector>

namespace cupel {

// By `key`, a member of an entry or a function of its address, which no two entries share.
template <class Entry, class Key>
[[nodiscard]] std::vector<const Entry*> sorted_entries(std::vector<const Entry*> entries, Key key) {
  std::ranges::sort(entries, {}, key);
  return entries;
}

}  // namespace cupel
