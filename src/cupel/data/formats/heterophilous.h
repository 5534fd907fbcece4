// The npz format of Platonov et al. 2023 (github.com/yandex-research/heterophilous-graphs).
//
//   node_features                        dense, nodes x features
//   node_labels                          a class number per node
//   edges                                edges x 2, node numbers
//   train_masks, val_masks, test_masks   optional: splits x nodes, bool; or one split of nodes
//   stopping_masks                       optional beside them, an extension: Split::stopping
// Undirected graphs are stored with each edge once, and are read as stored: one arc per row of
// `edges`. Preparation symmetrises. Repeated rows become one arc whose value is their number.
#pragma once

#include "cupel/data/dataset.h"
#include "cupel/data/formats/npz.h"
#include "cupel/data/formats/read_mode.h"

namespace cupel {

// The data set as stored, named after the file. Parts of splits ascend. Throws Error naming file,
// member and value.
[[nodiscard]] Dataset read_heterophilous_npz(const NpzFile& file,
                                             ReadMode mode = ReadMode::kForUse);

}  // namespace cupel
