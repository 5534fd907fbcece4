// Words of raw texts and their vectors.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cupel/base/options.h"
#include "cupel/data/build/recipe.h"
#include "cupel/data/formats/fasttext.h"

namespace cupel {

// The text itself if it is UTF-8, else its bytes taken as Latin-1; `was_latin1` says which.
[[nodiscard]] std::string to_utf8(std::string_view bytes, bool& was_latin1);

// The words of a UTF-8 text: longest runs of ASCII letters and digits and of characters beyond
// ASCII other than the punctuation and blanks of Latin-1 and U+2000 to U+206F.
[[nodiscard]] std::vector<std::string_view> words_of(std::string_view utf8);

// With the capital letters of ASCII and Latin-1 in lower case.
[[nodiscard]] std::string lower_case(std::string_view utf8);

// Which spellings of a word are looked up, in order. `mode`: "as-written", "lower", or "either"
// (as written, else in lower case).
[[nodiscard]] std::vector<std::string> spellings(std::string_view word, const std::string& mode);

// The setting that chooses the mode, for recipes.
[[nodiscard]] OptionSpec case_setting();

// The vectors of different words, by the spellings that the setting of case_setting() allows.
struct VectorsOfWords {
  WordVectors vectors;
  std::vector<const float*> of;  // per word, the vector of its first spelling that has one, or null
  std::string file;              // for messages
};
// Reads the input "vectors" and counts what it did.
[[nodiscard]] VectorsOfWords read_vectors_of(BuildContext& context,
                                             const std::vector<std::string>& words);

}  // namespace cupel
