// Entities as people name them: by number and name.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cupel/data/facts/facts.h"
#include "cupel/data/resolve/merged_names.h"

namespace cupel {

// Not thread-safe: names are gathered when an id does not fit for the first time. Keeps pointers to
// what it is made of.
class EntityFinder {
 public:
  EntityFinder(const TemporalFacts& facts, const MergedNames& merged)
      : facts_(facts), merged_(merged) {}

  struct Found {
    Index entity = -1;
    bool was_merged = false;  // the name is that of one that went into it
    std::string problem;      // not empty: why there is none, as the rest of a sentence
  };
  // `id`: nothing if it is not said. `type` is a place in facts.types; nothing if any will do.
  [[nodiscard]] Found find(std::optional<std::int64_t> id, std::string_view name,
                           std::optional<std::uint8_t> type);

 private:
  static constexpr Index kSeveral = -2;
  struct Names {
    TextIds keys;  // type and name
    std::vector<Index> entities;
    void add(std::string_view key, Index entity);
    [[nodiscard]] Index find(std::string_view key) const;  // -1: none
  };
  [[nodiscard]] Index look_up(const Names& names, std::string_view name,
                              std::optional<std::uint8_t> type) const;
  void gather();

  const TemporalFacts& facts_;
  const MergedNames& merged_;
  Names now_, former_;
  bool gathered_ = false;
};

}  // namespace cupel
