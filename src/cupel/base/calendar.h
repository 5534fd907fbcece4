// Points in time as ISO 8601 writes them, since 1970-01-01 in UTC.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace cupel {

constexpr std::int64_t kSecondsOfDay = 86400;

// Days, of "2019-01-31" and nothing else; none where there is no such day.
[[nodiscard]] std::optional<std::int64_t> day_of(std::string_view text);

// Seconds, of "2019-01-31T23:59:59.0+01:00" and nothing else: a blank may stand for the T, Z for
// the zone, and zone (UTC then) and seconds may be left out. None where there is no such time, with
// leap seconds among them. A fraction is taken down, which is told in `cut`; without that there is
// none for what is no whole second.
[[nodiscard]] std::optional<std::int64_t> second_of(std::string_view text, bool* cut = nullptr);

// "2019-01-31" of days, "2019-01-31 23:59:59" of seconds; none for years that have not four digits.
[[nodiscard]] std::optional<std::string> text_of_day(std::int64_t day);
[[nodiscard]] std::optional<std::string> text_of_second(std::int64_t second);

struct Date {
  int year = 0;
  unsigned month = 0, day = 0;  // from 1
};
// Of days; none for years that have not four digits.
[[nodiscard]] std::optional<Date> date_of_day(std::int64_t day);

// The year by the clock, in UTC.
[[nodiscard]] int this_year();

}  // namespace cupel
