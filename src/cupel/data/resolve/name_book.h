// Names of people as words with numbers, so that millions of pairs of them can be compared.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "cupel/base/matrix.h"
#include "cupel/data/facts/text_table.h"

namespace cupel {

inline constexpr std::size_t kMostNameWords = 8;  // that are aligned; see is_long()

// Names in the order in which they were added, folded (fold_letters.h). Words are parted at blanks;
// a word with hyphens counts as one word ("chang-ning": "changning") and as several. Titles and
// signs of generation ("dr", "jr", "iii") are no words. The first name comes first: "Smith, John
// R." and "Smith, JR" are "john r smith" and "j r smith", and settle() turns "Smith J.R.". Memory:
// 60 bytes a name and each word once. Thread-safe once nobody adds.
class NameBook {
 public:
  struct Word {
    char32_t first = 0;
    bool initial = false;   // one letter of a script that has capitals
    bool particle = false;  // "de", "van": may be there or not
  };

  NameBook();
  void add(std::string_view name);
  // Where one name in twenty or more ends with initials, as exports of some indexes print them,
  // what stands before the initials is the last name in all that do. Once, when all names are
  // there.
  void settle();

  [[nodiscard]] Index size() const { return static_cast<Index>(ends_.size()); }
  // The words of a name; none where it has no letter. `parted`: at hyphens as well.
  [[nodiscard]] std::span<const Index> words(Index name, bool parted) const;
  [[nodiscard]] bool has_hyphen(Index name) const { return hyphen_[at(name)]; }
  // It has more words than a person's name, and is not aligned with others.
  [[nodiscard]] bool is_long(Index name) const { return words(name, true).size() > kMostNameWords; }
  // The name's generation ("jr"), a number; 0 where none is printed.
  [[nodiscard]] int generation(Index name) const { return generation_[at(name)]; }
  [[nodiscard]] std::string_view text(Index word) const { return words_.texts()[word]; }
  [[nodiscard]] const Word& word(Index word) const { return known_[at(word)]; }
  [[nodiscard]] Index word_count() const { return words_.size(); }
  // Whether one is short for the other in English: "bob", "robert".
  [[nodiscard]] bool nicknames(Index a, Index b) const;

 private:
  struct Ends {
    std::uint64_t whole = 0, parted = 0;
  };
  static std::size_t at(Index i) { return static_cast<std::size_t>(i); }
  Index known(std::string_view word);
  [[nodiscard]] std::size_t initials_behind(std::span<const Index> words) const;

  TextIds words_;
  std::vector<Word> known_;
  std::vector<Index> whole_, parted_;
  std::vector<Ends> ends_;
  std::vector<bool> hyphen_;
  std::vector<std::uint8_t> generation_;
  std::unordered_set<std::uint64_t> nicknames_;
};

}  // namespace cupel
