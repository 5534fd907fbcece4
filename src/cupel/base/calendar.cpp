#include "cupel/base/calendar.h"

#include <algorithm>
#include <chrono>

#include <fmt/format.h>

namespace cupel {
namespace {

// The number that these digits are; none where there is anything else.
std::optional<int> digits(std::string_view text) {
  int out = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return std::nullopt;
    out = 10 * out + (c - '0');
  }
  return out;
}

// Of a time of day, "23:59".
std::optional<int> minutes_of(std::string_view text) {
  if (text.size() != 5 || text[2] != ':') return std::nullopt;
  const auto hours = digits(text.substr(0, 2)), minutes = digits(text.substr(3));
  if (!hours || *hours > 23 || !minutes || *minutes > 59) return std::nullopt;
  return 60 * *hours + *minutes;
}

// Takes ":59.0" from the front of `text`, as far as it is there. `cut`: see second_of().
std::optional<int> take_seconds(std::string_view& text, bool* cut) {
  if (!text.starts_with(':')) return 0;
  const auto out = text.size() < 3 ? std::nullopt : digits(text.substr(1, 2));
  if (!out || *out > 59) return std::nullopt;
  text.remove_prefix(3);
  if (!text.starts_with('.')) return out;
  const std::size_t end = std::min(text.find_first_not_of("0123456789", 1), text.size());
  if (text.substr(1, end - 1).find_first_not_of('0') != std::string_view::npos) {
    if (cut == nullptr) return std::nullopt;
    *cut = true;
  }
  text.remove_prefix(end);
  return out;
}

}  // namespace

std::optional<std::int64_t> day_of(std::string_view text) {
  if (text.size() != 10 || text[4] != '-' || text[7] != '-') return std::nullopt;
  const auto year = digits(text.substr(0, 4)), month = digits(text.substr(5, 2)),
             day = digits(text.substr(8));
  if (!year || !month || !day) return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year(*year),
                                         std::chrono::month(static_cast<unsigned>(*month)),
                                         std::chrono::day(static_cast<unsigned>(*day))};
  if (!date.ok()) return std::nullopt;
  return std::chrono::sys_days(date).time_since_epoch().count();
}

std::optional<std::int64_t> second_of(std::string_view text, bool* cut) {
  constexpr std::size_t kDay = 10, kMinutes = 5;
  if (text.size() <= kDay + kMinutes || (text[kDay] != 'T' && text[kDay] != ' '))
    return std::nullopt;
  const auto day = day_of(text.substr(0, kDay));
  const auto minutes = minutes_of(text.substr(kDay + 1, kMinutes));
  text.remove_prefix(kDay + 1 + kMinutes);
  const auto seconds = take_seconds(text, cut);
  if (!day || !minutes || !seconds) return std::nullopt;
  const std::int64_t out = *day * kSecondsOfDay + *minutes * 60 + *seconds;
  if (text.empty() || text == "Z") return out;
  const auto zone = minutes_of(text.substr(1));
  if (!zone || (text[0] != '+' && text[0] != '-')) return std::nullopt;
  return text[0] == '+' ? out - *zone * 60 : out + *zone * 60;
}

std::optional<Date> date_of_day(std::int64_t day) {
  constexpr std::chrono::sys_days kFirst = std::chrono::year(1000) / 1 / 1,
                                  kLast = std::chrono::year(9999) / 12 / 31;
  if (day < kFirst.time_since_epoch().count() || day > kLast.time_since_epoch().count())
    return std::nullopt;
  const std::chrono::year_month_day date{
      std::chrono::sys_days(std::chrono::days(static_cast<int>(day)))};
  return Date{static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
              static_cast<unsigned>(date.day())};
}

std::optional<std::string> text_of_day(std::int64_t day) {
  const std::optional<Date> date = date_of_day(day);
  if (!date) return std::nullopt;
  return fmt::format("{}-{:02}-{:02}", date->year, date->month, date->day);
}

std::optional<std::string> text_of_second(std::int64_t second) {
  std::int64_t whole = second / kSecondsOfDay, past = second % kSecondsOfDay;
  if (past < 0) past += kSecondsOfDay, --whole;
  const auto day = text_of_day(whole);
  if (!day) return std::nullopt;
  return fmt::format("{} {:02}:{:02}:{:02}", *day, past / 3600, past / 60 % 60, past % 60);
}

int this_year() {
  const auto today = std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now());
  return static_cast<int>(std::chrono::year_month_day(today).year());
}

}  // namespace cupel
