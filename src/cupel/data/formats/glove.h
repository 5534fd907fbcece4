// Word vectors in GloVe's text format, plain or gzip-compressed, as published with Pennington et
// al. 2014, "GloVe: Global Vectors for Word Representation":
//
//   <word> <number> ... <number>      one line per word, no first line with counts
//
// The first line decides how many numbers a word has. Some published files have words with blanks
// in them, as ". . ." in 840B: a word is all that stands before the last numbers of a line.
#pragma once

#include "cupel/data/formats/fasttext.h"

namespace cupel {

// Reads the whole file and keeps the wanted words; memory grows with these that are found. A first
// line of two whole numbers is taken for fastText's, and the rest is read as read_word_vectors()
// does. Throws Error naming the line: no numbers, fewer or more numbers than in the first line, a
// number of a wanted word that is not finite.
[[nodiscard]] WordVectors read_glove(LineReader& lines, const WordIds& wanted);

}  // namespace cupel
