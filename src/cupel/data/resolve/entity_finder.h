// Entities as people name them: by number, name, and a place where they stand as authors.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "cupel/data/facts/academic.h"
#include "cupel/data/facts/facts.h"
#include "cupel/data/resolve/merged_names.h"

namespace cupel {

// Not thread-safe: names and authorships are gathered when they are first asked for. Keeps pointers
// to what it is made of.
class EntityFinder {
 public:
  EntityFinder(const TemporalFacts& facts, const Authorships& authorships,
               const MergedNames& merged)
      : facts_(facts), authorships_(authorships), merged_(merged) {}

  struct Found {
    Index entity = -1;
    bool was_merged = false;  // the name is that of one that went into it
    std::string problem;      // not empty: why there is none, as the rest of a sentence
    Index former = -1;        // where there is one of the name: what another one went into
  };
  // `id`: nothing if it is not said. `type` is a place in facts.types; nothing if any will do.
  // `authorship` as of authorship_text(), or empty. It goes before the name alone. An id tells only
  // namesakes apart who are no authors, as ids change from folder to folder. A name that is not
  // there to the letter is compared as `cupel build` does (compared_name), whose folders keep the
  // name that came first.
  [[nodiscard]] Found find(std::optional<std::int64_t> id, std::string_view name,
                           std::optional<std::uint8_t> type, std::string_view authorship);

 private:
  static constexpr Index kSeveral = -2;
  struct Names {
    TextIds keys;  // type and name
    std::vector<Index> entities;
    void add(std::string_view key, Index entity);
    [[nodiscard]] Index find(std::string_view key) const;  // -1: none
  };
  // Names that entities have and those that went have had, by one form of them.
  struct Book {
    std::string (*form)(std::string_view);
    bool gathered = false;
    Names now = {}, former = {};
  };
  [[nodiscard]] Index look_up(const Names& names, std::string_view name,
                              std::optional<std::uint8_t> type) const;
  void gather(Book& book);
  void gather_authorships();
  // Whether an author has the name in that form.
  [[nodiscard]] bool names_author(const Book& book, std::string_view name,
                                  std::optional<std::uint8_t> type);
  // The author there, if the name is or was his; else -1.
  [[nodiscard]] Index author_at(std::string_view authorship, std::string_view name);

  const TemporalFacts& facts_;
  const Authorships& authorships_;
  const MergedNames& merged_;
  Book printed_{[](std::string_view name) { return std::string(name); }};
  Book compared_{compared_name};
  TextIds papers_;
  std::map<std::pair<Index, Index>, Index> author_of_;     // by paper and position
  std::vector<bool> is_author_;                            // of each entity; empty: not gathered
  std::unordered_map<Index, std::vector<Index>> rows_of_;  // of an entity, among merged names
};

// Where an author stands, which stays as it is when a folder is built anew with more papers:
// "0 of P18-1001", for the first author of that paper.
[[nodiscard]] std::string authorship_text(const Authorships& authorships, std::size_t row);

}  // namespace cupel
