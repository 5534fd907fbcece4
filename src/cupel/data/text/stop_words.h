// Which tokens Wiki-CS keeps.
#pragma once

#include <span>
#include <string_view>

#include "cupel/data/text/token_list.h"

namespace cupel {

// The 179 English stop words of NLTK 3.4.5, in its order. Later NLTK has more.
[[nodiscard]] std::span<const std::string_view> english_stop_words();

// Whether the token is left out: it is a piece of Python's string.punctuation, as "," or "#$" but
// not "...", or in lower case a stop word, one of "" '' `` or 's. `lower` is the token in lower
// case.
[[nodiscard]] bool is_left_out(std::string_view token, std::string_view lower);

// Appends the token in lower case (characters.h) unless it is left out. Thread-safe for different
// lists.
void append_kept(std::string_view token, TokenList& out);

}  // namespace cupel
