// Word vectors in fastText's text format (.vec, plain or gzip-compressed), as published with
// Grave et al. 2018, "Learning word vectors for 157 languages", and written by word2vec too:
//
//   <words> <numbers per word>
//   <word> <number> ... <number>      one line per word; a blank at the end is allowed
//
// A word is compared byte by byte; it may be any bytes but blanks and line ends.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "cupel/base/matrix.h"
#include "cupel/data/formats/line_reader.h"

namespace cupel {

struct TextHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const {
    return std::hash<std::string_view>{}(text);
  }
};
// Numbers of words, 0, 1, ... in the order in which they were added.
using WordIds = std::unordered_map<std::string, Index, TextHash, std::equal_to<>>;
// The word's number, a new one if it has none.
Index add_word(WordIds& words, std::string_view word);

// The vectors of some words.
struct WordVectors {
  Index dimension = 0;
  std::int64_t words_in_file = 0;
  std::int64_t repeated = 0;  // lines of wanted words that have one before; the first counts
  std::vector<Index> row_of;  // per wanted word: its row in `values`, or -1
  AlignedVector<float> values;

  bool has(Index word) const { return row_of[static_cast<std::size_t>(word)] >= 0; }
  const float* row(Index word) const {
    return values.data() + static_cast<std::size_t>(row_of[static_cast<std::size_t>(word)]) *
                               static_cast<std::size_t>(dimension);
  }
};

// Reads the whole file and keeps the wanted words; memory grows with these that are found, whatever
// the first line claims. Throws Error naming the line: a first line that is not two counts, a word
// without its numbers, a number of a wanted word that is not finite, or more or fewer words than
// the first line says.
[[nodiscard]] WordVectors read_word_vectors(LineReader& lines, const WordIds& wanted);
// The same where the first line has been read already.
[[nodiscard]] WordVectors read_word_vectors_after(LineReader& lines, std::string_view first_line,
                                                  const WordIds& wanted);

// For readers of like formats. Throws Error naming the line if words have too many numbers.
void check_vector_width(const LineReader& lines, std::int64_t width);
// Takes a line's word if it is wanted and was not met before: its numbers are `rest`, between
// single blanks, as many as out.dimension. Throws Error naming the line and the word if one is not
// finite.
void take_vector(const LineReader& lines, const WordIds& wanted, std::string_view word,
                 std::string_view rest, WordVectors& out);

}  // namespace cupel
