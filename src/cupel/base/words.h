// Numbers with their nouns, as sentences of all wings say them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace cupel {

[[nodiscard]] std::string grouped(std::int64_t number);  // "1,234"
// "1 class", "3 classes", "1,234 entries": plurals of nouns that end in ss, consonant and y, or s.
[[nodiscard]] std::string counted(std::int64_t number, std::string_view noun);
// The noun alone, as the number needs it.
[[nodiscard]] std::string noun_for(std::int64_t number, std::string_view noun);

}  // namespace cupel
