// Who is who in truth, to judge merges by.
//
// A mention is one place where an entity is named: an authorship of a scientist, or a fact of an
// institution. Gold gives mentions persons (or institutions); found groups are held against them by
// cluster_scores.h.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "cupel/data/facts/academic.h"
#include "cupel/data/facts/facts.h"

namespace cupel {

// Persons by name, by place in a paper, or both; those of a place come first. Not thread-safe while
// it grows.
class Gold {
 public:
  enum class Of { kScientists, kInstitutions };

  explicit Gold(Of of = Of::kScientists) : of_(of) {}
  Of of() const { return of_; }
  // Whether names tell whose a mention is, and not its place alone.
  [[nodiscard]] bool goes_by_name() const { return unlisted_are_persons || names_.size() > 0; }
  // Mentions of names that are not listed are of a person of that name, or not known at all.
  bool unlisted_are_persons = true;
  std::map<std::string, std::int64_t> counts;

  // Names are compared as `cupel build` does (compared_name). False if another person has the name
  // already; such a name belongs to none of them from then on.
  bool add_name(std::string_view name, std::string_view person);
  // Positions count from 0. False if another person has the place already.
  bool add_place(std::string_view paper, std::int64_t position, std::string_view person);

  // The person of each mention, -1 where it is not known, and the entity that it names.
  struct Mentions {
    std::vector<Index> person, entity;
    std::int64_t by_place = 0, by_name = 0, by_own_name = 0, unknown = 0;
    // Listed, but not in the facts.
    std::int64_t absent_places = 0, absent_names = 0;
    std::string first_absent;  // in words: "author 0 of paper 'W1'"; empty: there is none
  };
  [[nodiscard]] Mentions mentions(const TemporalFacts& facts, const Authorships& authorships) const;

 private:
  static constexpr Index kSeveral = -2;
  [[nodiscard]] Index person_of_place(Index paper, Index position) const;
  void tell_absent(const std::vector<bool>& names, std::vector<std::uint64_t> places,
                   Mentions& out) const;

  Of of_;
  TextIds persons_, names_, papers_;
  std::vector<Index> person_of_name_;
  std::unordered_map<std::uint64_t, Index> person_of_place_;  // by paper and position
};

// Reads a file, plain or compressed, of one of these forms, which its header or first line tells:
//   paper,position,person          authorships; those that are not listed are not known
//   name,person                    one person may have several lines; a name that two persons have
//                                  belongs to none; names not listed are persons of their own
//   alias,name                     (DBLP) two names of one person; lines chain
//   org_name,canonical_org_name    (with country) names of institutions; the same
//   name_variants.yaml             of the ACL Anthology: names of persons, see name_variants.h
// Further columns are not looked at, and columns may stand in any order. Authorships that are
// listed twice for two persons are an Error. Memory: the texts, and 60 bytes a line.
// Throws Error naming file and line.
[[nodiscard]] Gold read_gold(const std::filesystem::path& path);

// Adds the authorships to which the ACL Anthology's XML gives an id=, which tells namesakes apart:
// all *.xml and *.xml.gz of the folder. Those of an id that name_variants.yaml has are of its
// person, whatever name is printed. Throws Error naming the file.
void add_anthology_ids(Gold& gold, const std::filesystem::path& folder);

}  // namespace cupel
