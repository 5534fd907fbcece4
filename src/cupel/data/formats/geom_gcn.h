// Folders of text files as Geom-GCN stores them (Pei et al., ICLR 2020): the WebKB and actor
// graphs.
#pragma once

#include <filesystem>

#include "cupel/data/dataset.h"
#include "cupel/data/formats/read_mode.h"

namespace cupel {

// Whether the folder has out1_graph_edges.txt. Never throws.
[[nodiscard]] bool is_geom_gcn_folder(const std::filesystem::path& folder);

// Reads
//   out1_graph_edges.txt          a header, then SOURCE <tab> TARGET: arcs
//   out1_node_feature_label.txt   a header, then NODE <tab> FEATURES <tab> LABEL, in any order; all
//                                 of 0 ... n-1 once. FEATURES are either 0 or 1 for every feature,
//                                 as many in every line, or the numbers of those that are 1
//   NAME_split_0.6_0.2_K.npz      for K = 0, 1, ... the split K: train_mask, val_mask, test_mask,
//                                 a flag for each node; there may be none
// Features are sparse, arcs as they are (loops, both directions), repeats merged. Throws Error in
// one sentence that names file, line or member, value and way out.
[[nodiscard]] Dataset read_geom_gcn(const std::filesystem::path& folder,
                                    ReadMode mode = ReadMode::kForUse);

}  // namespace cupel
