// The released form of Wiki-CS (Mernyei and Cangea 2020, github.com/pmernyei/wiki-cs-dataset): a
// folder with data.json and, beside it, metadata.json.
//
//   features                               [nodes][features], numbers
//   labels                                 [nodes], class numbers; -1: no label
//   links                                  [nodes][any], targets of the arcs from each node
//   train_masks, stopping_masks,           [splits][nodes], true or false (1 or 0); stopping_masks
//     val_masks                            may be absent, or all masks
//   test_mask                              [nodes], of all splits
// Every mask may have either form, under either name (train_mask, test_masks): one of [nodes]
// belongs to all splits. Links are read as stored: one arc for each entry, self-links and all;
// entries of a list that are equal become one arc whose value is their number.
#pragma once

#include <filesystem>

#include "cupel/data/dataset.h"
#include "cupel/data/formats/read_mode.h"

namespace cupel {

// Whether there is a regular file that begins as an object of JSON does. Never throws.
[[nodiscard]] bool is_json_object(const std::filesystem::path& path);

// Whether the folder has such a data.json. Never throws.
[[nodiscard]] bool is_wiki_cs_folder(const std::filesystem::path& folder);

// Reads the file, and metadata.json of its folder if it is named data.json: names of classes, and
// that it tells of the same nodes (wiki_cs_metadata.h). Keys may come in any order. Parts of splits
// ascend. The data set is named after the folder, or after a file of another name.
//
// Memory: the data set's, its labels and lists once more, and 1 MiB; at most 4 bytes for each byte
// of the file. Throws Error in one sentence that names file, place, value and way out.
[[nodiscard]] Dataset read_wiki_cs(const std::filesystem::path& path,
                                   ReadMode mode = ReadMode::kForUse);

}  // namespace cupel
