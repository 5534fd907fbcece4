#include "cupel/data/records/record_years.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>

#include "cupel/data/records/record_text.h"

namespace cupel {
namespace {

// The digits at the head of a text, taken off it.
std::string_view take_digits(std::string_view& text) {
  const std::size_t end = std::min(text.find_first_not_of("0123456789"), text.size());
  const std::string_view out = text.substr(0, end);
  text.remove_prefix(end);
  return out;
}

// Takes a character off the head if it is one of these.
bool take_one(std::string_view& text, std::string_view of) {
  if (text.empty() || of.find(text.front()) == std::string_view::npos) return false;
  text.remove_prefix(1);
  return true;
}

void take_blanks(std::string_view& text) {
  while (take_one(text, " ")) {
  }
}

// "5", "05", but not "20" or "2020", with which a span of years ends.
bool take_month(std::string_view& text) {
  const std::string_view digits = take_digits(text);
  if (digits.empty() || digits.size() > 2) return false;
  const int month = digits.size() == 1 ? digits[0] - '0' : 10 * (digits[0] - '0') + digits[1] - '0';
  return month >= 1 && month <= 12;
}

// "10", "10:00:00.5", and behind a T "100000" as well; nothing is a time, too.
bool take_time(std::string_view& text) {
  const bool behind_t = take_one(text, "T");
  take_blanks(text);
  const std::size_t digits = take_digits(text).size();
  const bool clock = digits > 0 && digits <= 2 && text.starts_with(':');
  if (digits > 0 && !clock && (!behind_t || digits > 6)) return false;
  while (digits > 0 && take_one(text, ":.")) take_digits(text);
  return true;
}

// "Z", "+01:00", "-0500", and nothing, but not "-2020".
bool take_zone(std::string_view& text) {
  if (!take_one(text, "+-")) {
    take_one(text, "Z");
    return true;
  }
  const std::string_view hours = take_digits(text);
  if (hours.size() != 2 && hours.size() != 4) return false;
  if (take_one(text, ":")) take_digits(text);
  return hours.substr(0, 2) <= "14";
}

// What a date has behind its year: "-05", "/5", "-05-03T10:00:00.5Z", "-05-03 10:00 +0100". Not
// what goes on to a second date: "-05-03/2020-05-03".
bool ends_date(std::string_view text) {
  const std::string_view mark = text.substr(0, 1);
  if (!take_one(text, "-/") || !take_month(text)) return false;
  if (text.empty()) return true;
  if (!take_one(text, mark)) return false;
  if (const auto day = take_digits(text); day.empty() || day.size() > 2) return false;
  if (!take_time(text)) return false;
  take_blanks(text);
  return take_zone(text) && text.empty();
}

}  // namespace

bool says_none(std::string_view text) {
  constexpr std::array<std::string_view, 9> kNone = {"",     "NA",   "N/A",  "NaN", "nan",
                                                     "None", "null", "NULL", "n/a"};
  return std::ranges::find(kNone, text) != kNone.end();
}

bool read_year(std::string_view text, std::optional<int>& out) {
  text = trimmed_text(text);
  if (says_none(text)) {
    out.reset();
    return true;
  }
  const std::optional<int> year = year_of(text.substr(0, 4));
  const std::string_view behind = text.substr(std::min<std::size_t>(4, text.size()));
  const bool number =
      behind.empty() ||
      (behind.starts_with(".0") && behind.find_first_not_of('0', 1) == std::string_view::npos);
  if (!year || !(number || ends_date(behind))) return false;
  out = year;
  return true;
}

std::optional<int> year_of_milliseconds(std::int64_t number) {
  constexpr std::int64_t kLeast = 10'000'000'000, kMost = 4'102'444'800'000;  // 2100-01-01
  if (number >= kMost || number < -kMost || (number < kLeast && number > -kLeast))
    return std::nullopt;
  const auto days = std::chrono::floor<std::chrono::days>(
      std::chrono::sys_time<std::chrono::milliseconds>(std::chrono::milliseconds(number)));
  return static_cast<int>(std::chrono::year_month_day(days).year());
}

}  // namespace cupel
