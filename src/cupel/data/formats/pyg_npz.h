// An npz file with the names of torch_geometric.data.Data: x, edge_index, edge_weight (optional),
// y, train_mask, val_mask, test_mask, stopping_mask (optional); node_graph.h has their shapes.
#pragma once

#include "cupel/data/dataset.h"
#include "cupel/data/formats/npz.h"
#include "cupel/data/formats/read_mode.h"

namespace cupel {

// The data set as stored, named after the file. Throws Error naming file, member, value and way
// out.
[[nodiscard]] Dataset read_pyg_npz(const NpzFile& file, ReadMode mode = ReadMode::kForUse);

}  // namespace cupel
