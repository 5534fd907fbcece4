// Negatives from a csv file.
//
//   source,target                                   one pool for all positives
//   question_source,question_target,source,target   lists: one line for each negative of a positive
// Numbers of nodes from 0, as the prepared graph has them. Columns are in any order, lines too.
// Where direction means nothing, so does the order within a pair.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cupel/data/graph/pairs.h"

namespace cupel {

struct NegativeRow {
  Pair question;  // lists: its positive
  Pair pair;
  std::uint64_t line = 0;  // of the file, from 1
};

struct NegativeFile {
  std::string path;
  bool lists = false;
  std::vector<NegativeRow> rows;  // by question, then pair, then line
};

// Pairs of undirected links are turned to source < target. Throws Error naming file, line and
// value: other columns, what is no number of a node, a node with itself, a pair that the pool or
// its list has already; or if no negative is in the file.
[[nodiscard]] NegativeFile read_negatives(const std::filesystem::path& path, Index nodes,
                                          bool directed);

}  // namespace cupel
