#include "cupel/base/words.h"

#include <fmt/format.h>

#include <cmath>

namespace cupel {

std::string grouped(std::int64_t number) {
  std::string text = std::to_string(number);
  for (auto at = static_cast<std::ptrdiff_t>(text.size()) - 3; at > (number < 0 ? 1 : 0); at -= 3)
    text.insert(static_cast<std::size_t>(at), 1, ',');
  return text;
}

std::string noun_for(std::int64_t number, std::string_view noun) {
  std::string plural(noun);
  if (number == 1 || noun.empty()) return plural;
  const bool vowel_before =
      noun.size() > 1 && std::string_view("aeiou").find(noun[noun.size() - 2]) != noun.npos;
  if (plural.ends_with("ss")) return plural + "es";
  if (plural.ends_with('y') && !vowel_before) {
    plural.pop_back();
    return plural + "ies";
  }
  return plural + "s";
}

std::string counted(std::int64_t number, std::string_view noun) {
  return grouped(number) + " " + noun_for(number, noun);
}

std::string duration_text(double seconds) {
  if (seconds < 9.95) return fmt::format("{:.1f} s", seconds);
  const auto whole = static_cast<std::int64_t>(std::llround(seconds));
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 600) return fmt::format("{} min {} s", whole / 60, whole % 60);
  if (whole < 3600 - 30) return fmt::format("{} min", (whole + 30) / 60);
  const std::int64_t minutes = (whole + 30) / 60;
  if (minutes < 48 * 60) return fmt::format("{} h {} min", minutes / 60, minutes % 60);
  return fmt::format("{} days", (minutes + 12 * 60) / (24 * 60));
}

std::string byte_text(double bytes) {
  const char* units[] = {"bytes", "KB", "MB", "GB", "TB"};
  int unit = 0;
  for (; bytes >= 1024 && unit < 4; ++unit) bytes /= 1024;
  return fmt::format("{:.{}f} {}", bytes, unit > 0 && bytes < 10 ? 1 : 0, units[unit]);
}

}  // namespace cupel
