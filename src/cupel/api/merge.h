// One store from the stores of many machines.
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "cupel/lab/store/store.h"

namespace cupel {

struct MergedStores {
  struct Source {
    std::filesystem::path path;
    MergeSummary summary;
  };
  std::string store;  // that took the others in, as it was named
  std::int64_t runs = 0;
  std::vector<Source> sources;
  // What was decided between them, in sentences, each once: which values of a protocol were kept,
  // and by which name.
  std::vector<std::string> notes;
  // Cells that were not taken: "STORE: CELL".
  std::vector<std::string> cells_not_taken;
  // All that the store has, from before too, so that who merges twice is told twice.
  std::vector<StoredConflict> conflicts;

  // Nothing was left out, and nothing contradicts.
  [[nodiscard]] bool holds() const { return cells_not_taken.empty() && conflicts.empty(); }
};

// Takes stores into `out`, which is made if need be; a folder stands for the stores in it, by name.
// All are looked at before anything is written, and stay as they are. Throws Error for an `out`
// that is no file or one of the sources, for a folder without stores, for a store that is damaged,
// and as Store::merge() does; a store that would have been made is not there then. Several threads
// may merge, each into a store of its own.
[[nodiscard]] MergedStores merge_stores(const std::vector<std::string>& in, const std::string& out);

// As `cupel merge --json` prints it.
[[nodiscard]] nlohmann::ordered_json merged_json(const MergedStores& merged);

[[nodiscard]] nlohmann::ordered_json conflicts_json(const std::vector<StoredConflict>& conflicts);

}  // namespace cupel
