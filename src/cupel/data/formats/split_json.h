// Splits in JSON files: those of Errica et al., "A fair comparison of graph neural networks for
// graph classification" (ICLR 2020; data_splits/ of their code), and users' own.
//
//   [{"test": [...], "model_selection": [{"train": [...], "validation": [...]}, ...]}, ...]
//   [{"train": [...], "valid": [...], "test": [...]}, ...]
//   {"splits": [...]}  with either list in it
// Numbers of examples (graphs or nodes) from 0. "valid", "validation" and "val" mean the same;
// other keys are an error. A fold with several model selections gives one split for each of them,
// in order.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "cupel/data/dataset.h"

namespace cupel {

struct SplitFile {
  std::string path;           // as given, for messages
  std::vector<Split> splits;  // train and valid in the order of the file, test ascends
  // The form with model selections: k folds, which name every example that the file is for.
  bool kfold = false;
  std::string content;  // hash of the splits: what runs on them depend on
};

// Throws Error naming file, fold, part and value: not JSON of this shape, a value that is no whole
// number from 0, an empty part, an example in two parts of a split.
[[nodiscard]] SplitFile read_split_json(const std::filesystem::path& path);

// Throws Error naming the file and the numbers, unless the splits are of as many examples: no id is
// beyond them, and k folds name all of them.
void check_fits(const SplitFile& file, const Dataset& dataset);

}  // namespace cupel
