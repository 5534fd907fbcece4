#include "cupel/data/records/record_years.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>

#include "cupel/data/records/record_text.h"

namespace cupel {
namespace {

bool says_none(std::string_view text) {
  constexpr std::array<std::string_view, 9> kNone = {"",     "NA",   "N/A",  "NaN", "nan",
                                                     "None", "null", "NULL", "n/a"};
  return std::ranges::find(kNone, text) != kNone.end();
}

// "-05", "/5", "-05-03 ...", but not "-2020" or "-20", which end a span of years.
bool begins_with_month(std::string_view text) {
  if (text.size() < 2 || (text[0] != '-' && text[0] != '/')) return false;
  const std::size_t end = std::min(text.find_first_not_of("0123456789", 1), text.size());
  const std::string_view digits = text.substr(1, end - 1);
  if (digits.empty() || digits.size() > 2) return false;
  const int month = digits.size() == 1 ? digits[0] - '0' : 10 * (digits[0] - '0') + digits[1] - '0';
  return month >= 1 && month <= 12;
}

}  // namespace

bool read_year(std::string_view text, std::optional<int>& out) {
  text = trimmed_text(text);
  if (says_none(text)) {
    out.reset();
    return true;
  }
  const std::optional<int> year = year_of(text.substr(0, 4));
  const std::string_view behind = text.substr(std::min<std::size_t>(4, text.size()));
  const bool date = begins_with_month(behind) &&
                    behind.find_first_not_of("0123456789-/:.+TZ ") == std::string_view::npos;
  const bool number =
      behind.empty() ||
      (behind.starts_with(".0") && behind.find_first_not_of('0', 1) == std::string_view::npos);
  if (!year || !(date || number)) return false;
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
