// Classes that are given as texts, and features of nodes that have none.
#pragma once

#include <string>
#include <vector>

#include "cupel/data/dataset.h"

namespace cupel {

// Sets labels and class_names from one text per node, "" for no label. Classes are numbered by
// ascending value if all texts are whole numbers (equal values by text), else by ascending text.
// Throws Error naming `where` if all are "".
void set_text_labels(Dataset& dataset, const std::vector<std::string>& labels,
                     const std::string& where);

// The nodes x nodes unit matrix: every node has a feature of its own.
[[nodiscard]] Csr identity_features(Index nodes);

}  // namespace cupel
