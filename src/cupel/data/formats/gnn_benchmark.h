// The npz format of Shchur et al. 2018 (github.com/shchur/gnn-benchmark).
//
//   adj_data, adj_indices, adj_indptr, adj_shape      adjacency, SciPy CSR
//   attr_data, attr_indices, attr_indptr, attr_shape  features, SciPy CSR; or attr_matrix, dense
//   labels                                            a class number per node; or
//   labels_data, ..._indices, ..._indptr, ..._shape   one-hot, SciPy CSR
//   class_names                                       optional: name of class 0, 1, ...
//   idx_train, idx_val, idx_test                      optional: one stored split, node numbers; or
//   idx_train_0, idx_val_0, idx_test_0, ..._1, ...    several (an extension of ours)
// The same arrays may lie in a folder, one .npy file each: features and labels are optional there,
// and so is adj_data, without which every arc has the value 1.
// Other members are ignored. Repeated CSR entries are summed. See docs/formats.md.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "cupel/data/dataset.h"
#include "cupel/data/formats/npz.h"
#include "cupel/data/formats/read_mode.h"

namespace cupel {

// The data set as stored, named after the file. Throws Error naming file, member and value.
[[nodiscard]] Dataset read_gnn_benchmark_npz(const NpzFile& file,
                                             ReadMode mode = ReadMode::kForUse);

// Writes such a folder, so that read_dataset gives back the same content_hash provided every class
// has a node. Beside the data set it takes what features, labels and splits take, and nothing for
// the adjacency. The folder appears as a whole. Throws Error if there is one already that is not
// empty.
void write_gnn_benchmark_folder(const Dataset& dataset, const std::filesystem::path& path);

// Appends a matrix as PREFIX_data, ..._indices, ..._indptr and ..._shape, which
// scipy.sparse.csr_matrix((data, indices, indptr), shape) takes as they are. A pattern's data are
// ones.
void add_csr_members(std::vector<std::pair<std::string, NpyArray>>& members,
                     const std::string& prefix, const Csr& m);

}  // namespace cupel
