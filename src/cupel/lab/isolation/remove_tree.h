// Removing and measuring folders that a stranger has filled.
#pragma once

#include <cstdint>

namespace cupel {

// Removes `name` in the folder open as `parent`, with all that is in it: never through a link, at
// any depth, and also where permissions were taken away. Whether all is gone.
bool remove_tree(int parent, const char* name);

// Disk that the folder open as `folder` takes, in bytes. Counting ends beyond `most` bytes; a
// folder of more than kMostFiles entries or kMostDepth levels counts as `most` + 1.
inline constexpr int kMostFiles = 100'000, kMostDepth = 64;
[[nodiscard]] std::int64_t tree_size(int folder, std::int64_t most);

}  // namespace cupel
