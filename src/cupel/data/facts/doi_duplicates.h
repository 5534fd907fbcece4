// Records of several sources that tell the same paper, by their DOIs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cupel/data/facts/text_table.h"
#include "cupel/data/records/publication.h"

namespace cupel {

enum class DuplicateRule : std::uint8_t {
  kInputs,  // of different inputs
  kDoi,     // any with one DOI
  kKeep     // none
};

// All records are seen twice: see() each, settle(), then next() for each in the same order.
//
// The fullest record of a DOI is kept whole, and with it those with its id in its input, whose ids
// say already that they are one. Fuller is one with a year and an author, then one of more authors,
// then one that tells more affiliations of authors, then one with an abstract. If they are equally
// full, that of the input that is seen first is kept, then that of the smaller id, as bytes. What
// is kept so depends on the order within an input only where records without an id are alike.
// By kInputs, a DOI that one input has at several papers, which it tells apart by their ids, joins
// nothing: nobody knows which of them the other inputs tell.
// Memory: of each record 4 bytes, with a DOI its id, the DOI and some 90 bytes. Not thread-safe.
class DoiDuplicates {
 public:
  explicit DoiDuplicates(DuplicateRule rule) : rule_(rule) {}

  // `input`: whose ids are told apart from others'.
  void see(const Publication& paper, std::string_view input);
  // After the last record, once.
  void settle();

  // The record in whose favour one is left out.
  struct Fuller {
    std::string_view input;   // valid as long as this object
    bool other_year = false;  // both have a year, and these differ
  };
  // Of the next record; nothing if it is kept. Throws Error if there are more than were seen.
  [[nodiscard]] std::optional<Fuller> next();

  // DOIs that join nothing by kInputs, as one input has them at several papers.
  [[nodiscard]] std::int64_t unclear() const { return unclear_; }

 private:
  struct Entry {  // a record with a DOI
    Index doi = 0;
    Index kept = -1;  // the entry that is kept in its place
    std::int32_t year = 0, authors = 0, affiliations = 0;
    std::uint8_t input = 0;
    bool abstract = false;
  };
  [[nodiscard]] bool is_fuller(Index a, Index b) const;
  [[nodiscard]] bool is_told_twice(Index a, Index b) const;
  void settle_doi(const Index* begin, const Index* end);
  const Entry& at(Index entry) const { return entries_[static_cast<std::size_t>(entry)]; }

  DuplicateRule rule_;
  std::vector<std::string> inputs_;
  TextIds dois_;
  TextTable ids_;  // of each entry; empty: it has none
  std::vector<Entry> entries_;
  std::vector<Index> entry_of_;  // of each record, or -1
  std::size_t next_ = 0;
  std::int64_t unclear_ = 0;
};

}  // namespace cupel
