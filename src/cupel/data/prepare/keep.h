// Keeping some examples of a data set and everything that belongs to them.
#pragma once

#include <span>

#include "cupel/data/dataset.h"

namespace cupel {

// Both take ids that ascend, and keep their order. Classes left without an example go, and the
// others are renumbered in order (not where examples have tasks instead of a class); stored splits
// follow the examples that remain, and a split that loses all of a part is dropped.

// Of a data set of one graph: the graph induced on the nodes.
void keep_nodes(Dataset& dataset, std::span<const Index> nodes);

// Of a set of graphs: whole graphs, with their attributes.
void keep_graphs(Dataset& dataset, std::span<const Index> graphs);

}  // namespace cupel
