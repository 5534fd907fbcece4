// What stands around each entity: co-authors, institutions, capabilities, papers, years.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cupel/data/facts/academic.h"
#include "cupel/data/facts/facts.h"

namespace cupel {

// A list of ascending numbers, each once, for each of `size()` things.
class Lists {
 public:
  Lists() = default;
  // Of pairs (thing, number); they are put in order and those told again are dropped.
  Lists(Index things, std::vector<std::pair<Index, Index>> pairs);
  [[nodiscard]] std::span<const Index> operator[](Index i) const {
    const auto at = static_cast<std::size_t>(i);
    return std::span(items_).subspan(from_[at], from_[at + 1] - from_[at]);
  }
  [[nodiscard]] Index size() const { return static_cast<Index>(from_.size()) - 1; }

 private:
  std::vector<std::uint64_t> from_{0};
  std::vector<Index> items_;
};

// How many numbers two ascending lists share; calls take(number) for each.
template <class Take>
void for_shared(std::span<const Index> a, std::span<const Index> b, const Take& take) {
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    if (a[i] == b[j]) {
      take(a[i]);
      ++i, ++j;
    } else {
      ++(a[i] < b[j] ? i : j);
    }
  }
}

// Entities have numbers of their own here, which depend on nothing but what is known of them: they
// ascend by type, then name, then a hash of the names, years and papers around them. However facts,
// papers and entities are numbered, the same entity has the same number; those that nothing tells
// apart may change places.
struct Egos {
  std::vector<Index> entity;      // of each number here, the one in the facts
  std::vector<Index> type_begin;  // of each type, its first; the end of the last
  Lists co_authors;               // scientists, as papers say, or facts where there are none
  // The same, where names are one but for what is printed first ("Park, Olga", "Olga Park"): one
  // scientist stands for all of the name. Empty: there are no such names.
  Lists co_authors_by_name;
  Lists papers;                           // of scientists
  Lists institutions, staff;              // of scientists, of institutions
  Lists capabilities, experts;            // the same
  std::vector<std::int64_t> first, last;  // years of facts; first > last: not known
  std::map<std::string, std::int64_t> counts;

  [[nodiscard]] Index begin(int type) const { return type_begin[static_cast<std::size_t>(type)]; }
  [[nodiscard]] Index end(int type) const { return type_begin[static_cast<std::size_t>(type) + 1]; }
  // Co-authors as they are counted.
  [[nodiscard]] const Lists& circles() const {
    return co_authors_by_name.size() == 0 ? co_authors : co_authors_by_name;
  }
};

// A paper of more authors says little about who is who; its authors are not taken as co-authors
// (but are told apart all the same).
inline constexpr std::int64_t kMostCoAuthors = 100;

// Relations are known by the types of their ends: "scientist", "institution", "capability". Memory:
// 28 bytes a fact while it runs; then 40 bytes an entity, 4 a co-author (8 where names are printed
// in several ways), link and authorship.
[[nodiscard]] Egos gather_egos(const TemporalFacts& facts, const Authorships& authorships);
// The place of a type in facts.types, or -1.
[[nodiscard]] int type_named(const TemporalFacts& facts, std::string_view name);

}  // namespace cupel
