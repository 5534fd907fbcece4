// Writing sets of graphs as TUDataset text, see tu_dataset.h.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cupel/data/dataset.h"

namespace cupel {

// Writes FOLDER/PREFIX_A.txt and its like, PREFIX being the folder's name; the folder is made where
// it is not there (its parent must be), and files of that prefix in it are replaced. Both arcs of
// an edge have a line, nodes ascend. Classes are written under their names where these are whole
// numbers that ascend, else as 0, 1, ...; node labels as the number of the feature column.
// PREFIX_graph_labels.txt is written last: without it nothing takes the folder for a data set.
//
// Reading the folder gives back the same content_hash provided every class and every node label
// occurs. Throws Error for what the format cannot hold: features that are not one-hot, more than
// one stored split, no edge in any graph (an empty file of arcs is taken for one that was cut off);
// and where the folder's name cannot be told, as the current one was removed.
void write_tu_dataset(const Dataset& dataset, const std::filesystem::path& folder);

// What the classes are written as, one text each.
[[nodiscard]] std::vector<std::string> tu_label_texts(const Dataset& dataset);

// The column of features that is 1, for each node; none where there are no features. Throws Error
// that begins with the folder where they are not one-hot.
[[nodiscard]] std::vector<Index> tu_node_labels(const Dataset& dataset,
                                                const std::filesystem::path& folder);

}  // namespace cupel
