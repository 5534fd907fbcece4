// Institutions that may be one.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cupel/data/facts/facts.h"
#include "cupel/data/facts/text_table.h"
#include "cupel/data/resolve/blocks.h"
#include "cupel/data/resolve/candidate.h"
#include "cupel/data/resolve/egos.h"

namespace cupel {

// An institution's name as words: folded (fold_letters.h), abbreviations and a few languages' words
// written out in English ("univ", "universität": "university"), small words and forms of companies
// left out. Lists of words are ascending, each word once.
struct PlaceName {
  std::vector<std::string> all;   // of the whole name
  std::vector<std::string> core;  // without departments and countries between commas
  std::string order, core_order;  // both as printed: York University is not the University of York
  std::string country;            // between commas, behind another segment; empty: none
  std::string initials;           // of the words in their order: "mit"
};
[[nodiscard]] PlaceName place_name(std::string_view printed);

enum class PlaceRelation : std::uint8_t {
  kSame,       // the same words, in one order but for parts between commas
  kReordered,  // the same in another order, perhaps but for a department or a country
  kSameCore,   // the same but for a department or a country
  kSlip,       // a word of seven letters or more differs in one
  kInitials,   // one is the other's initials
  kMore,       // one has a word more
  kUnlike,
};
[[nodiscard]] PlaceRelation compare_places(const PlaceName& a, const PlaceName& b);

// Entities are numbered as in `egos`, which must outlive it, as must `facts`. Thread-safe.
class Places {
 public:
  Places(const TemporalFacts& facts, const Egos& egos, int type);
  // As People has them.
  [[nodiscard]] Index names() const { return size_; }
  void compare(Index name, double show, std::vector<Index>& others,
               std::vector<MergeCandidate>& out) const;
  // Names that have too little in common are a conflict. Equal names were told apart by ids, others
  // by countries that differ.
  [[nodiscard]] Bar bar(Index a, Index b) const;
  [[nodiscard]] std::string evidence(const MergeCandidate& one) const;
  [[nodiscard]] const Blocks& blocks() const { return blocks_; }

 private:
  [[nodiscard]] std::vector<Blocks::Key> keys() const;

  const TemporalFacts* facts_;
  const Egos* egos_;
  Index begin_, size_;
  std::vector<PlaceName> names_;
  Blocks blocks_;
};

}  // namespace cupel
