// GraphML (http://graphml.graphdrawing.org), as NetworkX, igraph, Gephi and yEd write it: one graph
// of nodes, edges and their data.
//
//   label      the node attribute named label, class or y (any case; the first of these that there
//              is): a text, or nothing for a node without a label
//   features   all other node attributes of a numeric type (boolean, int, long, float, double), in
//              the order of their keys; attributes of other types are not read. Without one every
//              node has its own feature, the unit matrix
//   weight     the edge attribute of a numeric type named weight, optional
//
// A key's default stands where a node or an edge has no value of its own.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cupel/data/dataset.h"
#include "cupel/data/formats/read_mode.h"

namespace cupel {

// Whether the file begins as an XML document with the element graphml.
[[nodiscard]] bool is_graphml(const std::filesystem::path& path);

// The data set as stored, named after the file: one arc from the source to the target of every
// edge, whether edges are directed or not. Nodes keep the order of the file. Throws Error naming
// file, line, value and way out: not well-formed, a document type (with which entities could be
// defined), a second or nested graph, a hyperedge, a number that is not finite.
// `label` names another attribute that holds the classes.
[[nodiscard]] Dataset read_graphml(const std::filesystem::path& path,
                                   ReadMode mode = ReadMode::kForUse,
                                   const std::string& label = "");

// Names in the file that a data set does not hold: phrases as of NamesLeftOut.
[[nodiscard]] std::vector<std::string> graphml_left_out(const std::filesystem::path& path,
                                                        const std::string& label = "");

}  // namespace cupel
