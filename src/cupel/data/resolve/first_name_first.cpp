#include "cupel/data/resolve/first_name_first.h"

#include <algorithm>
#include <array>
#include <vector>

#include "cupel/data/resolve/fold_letters.h"
#include "cupel/data/resolve/word_lists.h"

namespace cupel {
namespace {

constexpr auto kTitles = std::to_array<std::string_view>({"dr", "prof", "phd"});
constexpr auto kGenerations =
    std::to_array<std::string_view>({"", "sr", "jr", "ii", "iii", "iv"});  // jr is not ii

// "JR" behind "Smith,": initials without full stops.
bool is_initials(std::string_view given, std::string_view surname) {
  const auto is_capital = [](char c) { return c >= 'A' && c <= 'Z'; };
  const auto is_small = [](char c) { return c >= 'a' && c <= 'z'; };
  return given.size() <= 3 && std::ranges::all_of(given, is_capital) &&
         std::ranges::any_of(surname, is_small);
}

}  // namespace

bool is_title(std::string_view word) { return is_one_of(word, kTitles); }

int generation_of(std::string_view word) {
  const auto sign = std::find(kGenerations.begin() + 1, kGenerations.end(), word);
  return sign == kGenerations.end() ? 0 : static_cast<int>(sign - kGenerations.begin());
}

std::string first_name_first(std::string_view name) {
  const std::size_t comma = name.find(',');
  if (comma == std::string_view::npos) return std::string(name);
  const std::string_view surname = name.substr(0, comma);
  std::vector<std::string_view> behind;
  each_piece(name.substr(comma), ", ", [&](std::string_view word) { behind.push_back(word); });
  std::string given, rest;
  if (behind.size() == 1 && is_initials(behind[0], surname)) {
    for (const char letter : behind[0]) given.append({letter, ' '});
    behind.clear();
  }
  for (const std::string_view word : behind) {
    std::string folded = fold_letters(word);
    std::erase(folded, ' ');
    const bool sign = is_title(folded) || generation_of(folded) != 0;
    (sign ? rest : given).append(word).append(" ");
  }
  return given.append(surname).append(" ").append(rest);
}

}  // namespace cupel
