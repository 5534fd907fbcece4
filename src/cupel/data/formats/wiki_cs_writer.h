// Writing the released form of Wiki-CS (wiki_cs_json.h): data.json, metadata.json, statistics.json,
// with the keys, their order and the layout of the released files.
//
// Texts are given in pieces of some 64 KiB, so that no more of them is in memory; the same content
// gives the same bytes. Requires a data set of one graph whose nodes have classes.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "cupel/data/dataset.h"
#include "cupel/data/formats/json_pieces.h"

namespace cupel {

// The list of links of a node: its targets, in their order, repeats and self-links kept. What is
// returned is read before the next call.
using WikiLinks = std::function<std::span<const Index>(std::size_t node)>;

// Features, labels (-1: none) and splits of the data set, and these links. Masks have a list for
// each split, all false where a split has no such part; test_mask is one list if all
// splits have the same test nodes, else there are test_masks. Floats have as many digits as they
// need to be read back.
void put_wiki_cs_data(const Dataset& dataset, const WikiLinks& links, const PutText& put);

// An article, as long as it is looked at.
struct WikiNode {
  std::int64_t id = 0;  // of its page
  std::string_view title;
  Index label = 0;                         // number of its class
  std::span<const std::int64_t> outlinks;  // ids, in the order of its links
  std::string_view tokens;                 // without blanks in them, a blank behind each
};

// The names of the classes, and nodes in the order of data.json. node(k) is asked once for each k,
// ascending.
void put_wiki_cs_metadata(std::span<const std::string> class_names, std::size_t nodes,
                          const std::function<WikiNode(std::size_t)>& node, const PutText& put);

// The names of the classes alone.
void put_wiki_cs_class_names(std::span<const std::string> class_names, const PutText& put);

// Sizes of the classes, and how they are linked. With L_ij links from n_i nodes of class i to n_j
// of class j: connectivity_matrix has L_ij / (n_i n_j), inside_connectivity is sum_i L_ii / sum_i
// n_i^2, inter_connectivity is sum_{i != j} L_ij / sum_{i != j} n_i n_j; null where there is
// nothing to divide by. Every entry of a list counts, repeats and self-links too, and nodes without
// a label count in the total alone. Requires names that differ, and labels in [-1, classes).
void put_wiki_cs_statistics(std::span<const std::string> class_names, std::span<const Index> labels,
                            const WikiLinks& links, const PutText& put);

// Makes the folder, with data.json, in which an arc of value k is k entries, ascending, and
// metadata.json with the names of classes. read_wiki_cs() then gives back the same content_hash
// where features are dense, every class has a node and parts of splits ascend. Throws Error for
// values of arcs that are no whole numbers of 1 or more.
void write_wiki_cs(const Dataset& dataset, const std::filesystem::path& folder);

}  // namespace cupel
