// A set of graphs as tables with a header, for readers that take no others.
#pragma once

#include <filesystem>

#include "cupel/data/dataset.h"

namespace cupel {

// Adds to a folder of write_tu_dataset() the same content, with numbers from 0:
//   graphs.csv   graph,label; or graph,task0,task1,... of 0, 1 and nothing (not known)
//   nodes.csv    node,graph and, where there are some, label,a0,a1,...: the column of features that
//                is 1, and attributes
//   arcs.csv     source,target,a0,a1,...: both arcs of an edge
//   splits.json  (where splits are stored)
// Throws Error as write_tu_dataset() does.
void write_set_tables(const Dataset& dataset, const std::filesystem::path& folder);

}  // namespace cupel
