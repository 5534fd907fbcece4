// Splits in JSON files: those of Errica et al., "A fair comparison of graph neural networks for
// graph classification" (ICLR 2020; data_splits/ of their code), and users' own.
//
//   [{"test": [...], "model_selection": [{"train": [...], "validation": [...]}, ...]}, ...]
//   [{"train": [...], "valid": [...], "test": [...]}, ...]
//     where "stopping": [...] may stand beside "train" (Split::stopping)
//   {"splits": [...]}  with either list in it
//   {"unit": "pair", "splits": [{"train": [[0, 4], ...], "valid": ..., "test": ...}, ...]}
// Numbers of examples (graphs or nodes) from 0, or pairs of nodes, [source, target]. "valid",
// "validation" and "val" mean the same; other keys are an error. A fold with several model
// selections gives one split for each of them, in order. Beside "splits" may stand "unit" ("node",
// "graph" or "pair") and, with pairs, "directed" (false: [4, 0] is [0, 4]) and "new_links" (true:
// pairs may be links that the graph does not have).
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cupel/data/dataset.h"
#include "cupel/data/graph/pairs.h"
#include "cupel/data/unit.h"

namespace cupel {

struct PairSplit {
  std::vector<Pair> train, valid, test;  // each ascends; source < target unless directed
};

struct SplitFile {
  std::string path;           // as given, for messages
  std::optional<Unit> unit;   // as the file says it
  std::vector<Split> splits;  // train and valid in the order of the file, test ascends
  // Of pairs, instead: `splits` then are their places among the links of a data set, where somebody
  // has looked them up (ids_of() of split/link_split.h).
  std::vector<PairSplit> pair_splits;
  bool directed = false, new_links = false;
  // The form with model selections: k folds, which name every example that the file is for.
  bool kfold = false;
  std::string content;  // hash of the splits: what runs on them depend on

  bool of_pairs() const { return unit == Unit::kPair; }
};

// Throws Error naming file, fold, part and value: not JSON of this shape, a value that is no whole
// number from 0, an empty part, an example in two parts of a split, a pair of a node with itself.
[[nodiscard]] SplitFile read_split_json(const std::filesystem::path& path);

// Throws Error naming the file and the numbers, unless the splits are of as many examples: no id is
// beyond them, and k folds name all of them; or if the file says that it is of another unit. Of
// files of examples.
void check_fits(const SplitFile& file, const Dataset& dataset);

// The text of a file with these splits of examples.
[[nodiscard]] std::string split_json(const std::vector<Split>& splits);
// The same of pairs, whose ids are places in `links`.
[[nodiscard]] std::string split_json(const std::vector<Split>& splits, const PairList& links,
                                     bool new_links);

}  // namespace cupel
