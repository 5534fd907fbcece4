// Lists of words, and texts cut into words, by which names of people and places are read.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

namespace cupel {

template <std::size_t N>
[[nodiscard]] bool is_one_of(std::string_view word, const std::array<std::string_view, N>& list) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

// Calls take(piece) for what stands between the characters of `signs`.
template <class Take>
void each_piece(std::string_view text, std::string_view signs, const Take& take) {
  for (std::size_t from = 0; from < text.size();) {
    from = text.find_first_not_of(signs, from);
    if (from == std::string_view::npos) return;
    const std::size_t to = std::min(text.find_first_of(signs, from), text.size());
    take(text.substr(from, to - from));
    from = to;
  }
}

}  // namespace cupel
