// Writing the npz format of Platonov et al. 2023, see heterophilous.h.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "cupel/data/dataset.h"

namespace cupel {

// Members and types are those of the released files: float32 node_features, int64 node_labels and
// edges, bool masks, and stopping_masks where a split has such a part. Rows of `edges` ascend; an
// arc of value k becomes k rows. Labels are the class names where all of them are whole numbers of
// 0 or more in their shortest form, else 0, 1, ... in the order of the classes. Reading the file
// gives back the same content_hash where features are dense and parts of splits ascend. Splits are
// written as they are: overlaps stay. Deterministic bytes for one version of zlib; a temporary file
// is renamed at the end. Throws Error for values of arcs that are no whole numbers of 1 or more,
// which the format cannot hold, or that sum to too many arcs, and for arrays beyond 4 GiB.
void write_heterophilous_npz(const Dataset& dataset, const std::filesystem::path& path);

// The labels as that file holds them, one per class.
[[nodiscard]] std::vector<std::int64_t> stored_labels(const Dataset& dataset);

// How many arcs such a file has, whose format has no values. Throws Error as above.
[[nodiscard]] Offset arcs_without_values(const Csr& graph, const std::filesystem::path& path);

// Whether a stored split has a part that stops training.
[[nodiscard]] bool has_stopping(const Dataset& dataset);

}  // namespace cupel
