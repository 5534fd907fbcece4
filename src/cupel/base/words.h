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

[[nodiscard]] std::string byte_text(double bytes);        // "528 KB", "1.4 GB": powers of 1024
[[nodiscard]] std::string duration_text(double seconds);  // "0.4 s", "3 min 20 s", "2 h 5 min"

}  // namespace cupel
