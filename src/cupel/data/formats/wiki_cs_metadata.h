// metadata.json beside the data.json of Wiki-CS: what its numbers stand for.
//
//   labels   {"0": name, ...}: the name of every class number
//   nodes    optional: of every node, in the order of data.json, `id` (of the wiki page), `title`,
//            `label` (the name), `outlinks` (ids, as many as the node has links), `tokens` (texts)
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "cupel/base/matrix.h"

namespace cupel {

// What data.json says of each node.
struct WikiCsNodes {
  std::span<const std::int64_t> labels;
  std::span<const Offset> starts;  // nodes + 1: of the lists of links
};

// The names of the classes 0, 1, ... Throws Error naming file, place and value if the file is
// malformed or disagrees with data.json about the number of nodes, the label of one or the number
// of its links. Titles and tokens are checked and not kept. Memory: 4 bytes for each node, the
// different names of labels, and 1 MiB.
[[nodiscard]] std::vector<std::string> read_wiki_cs_metadata(const std::filesystem::path& path,
                                                             const WikiCsNodes& nodes);

}  // namespace cupel
