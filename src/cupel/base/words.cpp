#include "cupel/base/words.h"

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

}  // namespace cupel
