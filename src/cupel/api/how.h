// How runs are done, in the spelling of users.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "cupel/lab/run/pending.h"

namespace cupel {

// "2G", "512M", "1.5 GiB" -> bytes. Throws Error naming `option` for anything else.
[[nodiscard]] std::size_t parse_size(const std::string& option, const std::string& text);

// "1/4" (the first of four) to "4/4"; "" is the whole. Throws Error for anything else.
[[nodiscard]] Shard parse_shard(const std::string& text);

// "90s", "20m", "1.5h"; a number alone is seconds. Throws Error for what is no time above 0.
[[nodiscard]] double parse_duration(const std::string& option, const std::string& text);

// A number of shards, 1 or more; nothing for "auto". Throws Error for anything else.
[[nodiscard]] std::optional<int> parse_shard_count(const std::string& option,
                                                   const std::string& text);

}  // namespace cupel
