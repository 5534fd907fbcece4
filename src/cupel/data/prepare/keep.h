// Keeping some examples of a data set and everything that belongs to them.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "cupel/data/dataset.h"

namespace cupel {

// What went with the examples.
struct Gone {
  std::vector<std::string> classes;  // names of those without an example
  std::vector<int> splits;           // numbers of stored splits that lost all of a part
};

// Both take ids that ascend, and keep their order. The classes that stay are renumbered in order;
// stored splits follow the examples that remain.

// Of a data set of one graph: the graph induced on the nodes.
Gone keep_nodes(Dataset& dataset, std::span<const Index> nodes);

// Of a set of graphs: whole graphs, with their attributes.
Gone keep_graphs(Dataset& dataset, std::span<const Index> graphs);

}  // namespace cupel
