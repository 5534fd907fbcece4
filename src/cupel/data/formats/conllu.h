// Dependency-parsed text in the CoNLL-U format (universaldependencies.org/format.html), as written
// by UDPipe, Stanza and spaCy's exporters.
//
// Ten columns between tabs, of which ID, FORM, UPOS, HEAD and DEPREL are used; a blank line ends a
// sentence; lines that start with '#' are comments. Multiword tokens (ID 1-2) and empty nodes (1.1)
// are not syntactic words: they are counted and passed over.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cupel/base/matrix.h"
#include "cupel/data/formats/line_reader.h"

namespace cupel {

struct ConlluWord {
  std::string form, upos, deprel;
  Index head = 0;  // 1, 2, ... within the sentence; 0 for a root
  std::uint64_t line = 0;
};

// Sentence by sentence; memory: one sentence, of at most a million words. Not thread-safe.
class ConlluReader {
 public:
  explicit ConlluReader(LineReader& lines) : lines_(lines) {}

  // Moves to the next sentence that has words; false at the end. Throws Error naming the line: not
  // ten columns, not UTF-8, word numbers out of order, an empty form, a head that is no word of the
  // sentence or the word itself, no relation.
  bool next();
  const std::vector<ConlluWord>& words() const { return words_; }

  std::int64_t sentences() const { return sentences_; }
  std::int64_t empty_sentences() const { return empty_sentences_; }  // blank lines that end nothing
  std::int64_t multiword_tokens() const { return multiword_tokens_; }
  std::int64_t empty_nodes() const { return empty_nodes_; }

 private:
  void read_line(std::string_view line);
  void check_heads() const;

  LineReader& lines_;
  std::vector<ConlluWord> words_;
  std::int64_t sentences_ = 0, empty_sentences_ = 0, multiword_tokens_ = 0, empty_nodes_ = 0;
};

}  // namespace cupel
