// Whether facts over time will find room in memory, before they are read.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

namespace cupel {

// Holds what facts_forecast() tells against `most` bytes, or where that is 0 against what is free
// (free_memory()). Gives one sentence where it is more than a quarter of that, and "" where it is
// less. Throws Error if it is more than all of it.
[[nodiscard]] std::string memory_for_facts(const std::filesystem::path& place, std::size_t most);

}  // namespace cupel
