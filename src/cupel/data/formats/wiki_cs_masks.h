// Masks of splits as Wiki-CS's data.json holds them.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "cupel/data/dataset.h"
#include "cupel/data/formats/json_pull.h"
#include "cupel/data/formats/read_mode.h"

namespace cupel {

// The four parts, in the order of the released file.
inline constexpr std::size_t kWikiCsParts = 4;
inline constexpr std::array<const char*, kWikiCsParts> kWikiCsMasks = {"train", "stopping", "val",
                                                                       "test"};

// One member of the file: a flag for each node, or such a list for each split.
struct WikiCsMask {
  std::string key;                         // "train_masks"; "": not given
  bool several = false;                    // a list for each split
  std::int64_t rows = 0;                   // lists there were; ids has kMostSplits of them at most
  std::int64_t flags = 0;                  // of the first list
  std::int64_t other_row = -1, other = 0;  // the first list of another length, and that length
  std::vector<std::vector<Index>> ids;     // of the flags that are set, ascending
};

// Reads the value of `key`. Throws Error as JsonPull does.
[[nodiscard]] WikiCsMask read_wiki_cs_mask(JsonPull& json, const std::string& key);

// Sets the stored splits. For use, a part that is empty in all of them leaves none: so 5 % of small
// classes come out, rounded down. Throws Error naming `file` if masks do not fit the data set's
// nodes or each other, one is missing, and, for use, if parts overlap or are empty.
void set_wiki_cs_splits(const std::string& file, std::array<WikiCsMask, kWikiCsParts> masks,
                        ReadMode mode, Dataset& dataset);

}  // namespace cupel
