// How far a misspelt name is from one that is known.
#pragma once

#include <cstddef>
#include <string>

namespace cupel {

// Insertions, deletions, replacements and swaps of neighbours that lead from one to the other, no
// place touched twice.
[[nodiscard]] std::size_t edit_distance(const std::string& a, const std::string& b);

}  // namespace cupel
