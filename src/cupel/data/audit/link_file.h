// Files of splits of links as somebody made them, faults and all.
//
//   {"unit": "pair", "splits": [{"train": [[0, 4], ...], "valid": [...], "test": [...],
//                                "messages": {"valid": [...], "test": [...]},
//                                "negatives": {"valid": [...], "test": [...]}}, ...]}
// The form of formats/split_json.h, which refuses what an audit is to tell of: pairs in two parts,
// pairs twice, loops. Beside the parts may stand the arcs that carry messages when validation and
// when test is asked, or one list for both, and the pairs that the links of a part are ranked
// against, one pool for each part.
#pragma once

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "cupel/data/graph/pairs.h"

namespace cupel {

struct LinkFileSplit {
  std::array<std::vector<Pair>, 3> parts;  // in the order of the file, either way round
  // When validation (0) and when test (1) is asked; nothing where the file does not say.
  std::array<std::optional<std::vector<Pair>>, 2> messages = {}, negatives = {};
};

struct LinkFile {
  std::string path;  // as given, for messages
  bool directed = false;
  std::vector<LinkFileSplit> splits;  // at least one
};

// Throws Error naming file, split, list and value: not JSON of this shape, what is no node of
// 0 .. nodes - 1, an empty part, or splits of nodes or graphs.
[[nodiscard]] LinkFile read_link_file(const std::filesystem::path& path, Index nodes);

}  // namespace cupel
