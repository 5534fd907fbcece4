// Years as records of publications write them.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace cupel {

// Whether a field says that it has no value, as other programs write it: it is empty, null, NULL,
// NA, N/A, n/a, NaN, nan or None, in these letters. Thread-safe.
[[nodiscard]] bool says_none(std::string_view text);

// 2019, 2019.0, or a date that begins with the year (2019-05-03, 2019/05, 2019-05-03T10:00:00Z).
// A span of years or of dates (2019-2020, 2019-20, 2019-05-03/2020-05-03) is no year. What says
// that there is none (says_none) has none. Returns false, and `out` as it was, for any other text.
// Thread-safe.
[[nodiscard]] bool read_year(std::string_view text, std::optional<int>& out);

// Whether the number is milliseconds since 1970, as pandas writes a date, and its year: from 10^10
// on, which is in April 1970, to the year 2099; and as far before.
[[nodiscard]] std::optional<int> year_of_milliseconds(std::int64_t number);

}  // namespace cupel
