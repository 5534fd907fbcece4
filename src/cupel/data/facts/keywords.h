// Keywords of capabilities, and which of them a text has.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cupel {

// The list "ai" (20 keywords, EXPERT's footnote 2) or "nuclear" (its 166 English ones), or the file
// of that path: one keyword a line, UTF-8; blank lines and lines that begin with '#' are skipped.
// All in lower case, with single blanks, each once, in the order of the list. Throws Error naming
// file and line if there is none, or if the file has more than 256 KiB.
[[nodiscard]] std::vector<std::string> read_keywords(const std::string& list_or_file);
// Whether that is the name of a list, and no file.
[[nodiscard]] bool is_keyword_list(const std::string& list_or_file);

// Finds all keywords of a list in one pass over a text (Aho and Corasick 1975). Memory: up to 4
// bytes for each byte of the list times the number of different bytes in it. Thread-safe.
class KeywordFinder {
 public:
  // `keywords` are not empty.
  explicit KeywordFinder(const std::vector<std::string>& keywords);

  // The places in the list of all keywords that occur anywhere in the text, within words too,
  // ascending. The text is in lower case as the keywords are.
  void find(std::string_view text, std::vector<std::int32_t>& out) const;

 private:
  std::uint8_t class_of_[256] = {};  // 0: a byte of no keyword
  std::size_t classes_ = 1;
  std::vector<std::int32_t> next_;     // state times classes
  std::vector<std::int32_t> ends_;     // of each state: a keyword that ends there, or -1
  std::vector<std::int32_t> shorter_;  // the next state on the way back where one ends, or 0
};

}  // namespace cupel
