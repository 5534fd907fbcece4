// A split as three flags for each node: train_mask, val_mask, test_mask.
#pragma once

#include "cupel/data/dataset.h"
#include "cupel/data/formats/npz.h"

namespace cupel {

// Whether the file has any of the three.
[[nodiscard]] bool has_flag_masks(const NpzFile& file);

// Throws Error naming the array that is missing or has not a flag for each of `nodes` nodes. That
// parts are disjoint is not checked here.
[[nodiscard]] Split read_flag_masks(const NpzFile& file, Index nodes);

}  // namespace cupel
