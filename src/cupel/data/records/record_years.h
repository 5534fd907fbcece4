// Years as records of publications write them.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace cupel {

// 2019, 2019.0, or a date that begins with the year (2019-05-03, 2019/05, 2019-05-03T10:00:00Z).
// A span of years (2019-2020, 2019-20) is no year. An empty text, null, NA, N/A, NaN and None say
// that there is none. Returns false, and `out` as it was, for any other text. Thread-safe.
[[nodiscard]] bool read_year(std::string_view text, std::optional<int>& out);

// Whether the number is milliseconds since 1970, as pandas writes a date, and its year: from 10^10
// on, which is in April 1970, to the year 2099; and as far before.
[[nodiscard]] std::optional<int> year_of_milliseconds(std::int64_t number);

}  // namespace cupel
