// Writing an npz file with the names of PyTorch Geometric, see pyg_npz.h.
#pragma once

#include <filesystem>

#include "cupel/data/dataset.h"

namespace cupel {

// x float32 (dense), edge_index int64 (2 x arcs, ascending), edge_weight float32 where an arc has
// another value than 1, y int64 (nodes; the class names where all are whole numbers in their
// shortest form that ascend, else 0, 1, ...; -1 for no label), and masks as bools: nodes, or nodes
// x splits where there are several; stopping_mask where a split has such a part, as WikiCS has.
// Reading the file gives back the same content_hash where features are dense and parts of splits
// ascend. Deterministic bytes for one version of zlib; a temporary file is renamed at the end.
// Throws Error for arrays beyond 4 GiB.
void write_pyg_npz(const Dataset& dataset, const std::filesystem::path& path);

}  // namespace cupel
