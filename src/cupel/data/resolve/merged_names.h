// Names of entities that went into others, so that whoever used them can find these.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cupel/data/facts/facts.h"

namespace cupel {

struct MergedNames {
  TextTable names;
  std::vector<Index> entities;  // of each: what it is part of now
  [[nodiscard]] bool empty() const { return entities.empty(); }
  void add(std::string_view name, Index entity) {
    names.add(name);
    entities.push_back(entity);
  }
};

// merged.csv of a folder: type,former_name,entity. Empty if there is none. Throws Error naming file
// and line if an entity is not there or not of the type.
[[nodiscard]] MergedNames read_merged_names(const std::filesystem::path& folder,
                                            const TemporalFacts& facts);
[[nodiscard]] std::string merged_csv(const MergedNames& merged, const TemporalFacts& facts);

}  // namespace cupel
