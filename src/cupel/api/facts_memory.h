// Whether work on facts over time will find room in memory, before it is begun: one notion for all
// that reads, makes, converts or resolves them.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

#include "cupel/data/facts/facts.h"

namespace cupel {

// What may be taken of memory: a size that was given, or else what is free (free_memory()).
struct MemoryRoom {
  std::size_t bytes = 0;
  bool given = false;
};
// `most`: the size that was given; 0: none.
[[nodiscard]] MemoryRoom memory_room(std::size_t most);

// Gives one sentence where `bytes` are more than a quarter of the room, and "" where they are not.
// Throws Error where they are more than all of it. `work`, which will take them, begins the
// sentence: "acl: about 300 facts". `less`: what to take fewer of.
[[nodiscard]] std::string hold_against(const MemoryRoom& room, const std::string& work,
                                       std::size_t bytes, const char* less = "facts");

// The same of facts that lie in files, by what facts_forecast() tells of them; `most` as above.
[[nodiscard]] std::string memory_for_facts(const std::filesystem::path& place, std::size_t most);

// What is written of them by a conversion: the facts, which are then read again and compared, and
// so many splits of them.
struct FactsConversion {
  bool facts = false;
  int splits = 0;
};
[[nodiscard]] std::string memory_for_conversion(const std::filesystem::path& place,
                                                const FactsConversion& written, std::size_t most);
// The same of facts that are in memory, and will be written and read again; of what is free.
[[nodiscard]] std::string memory_for_copy(const TemporalFacts& facts);

}  // namespace cupel
