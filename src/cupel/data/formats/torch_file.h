// Files of torch.save, in the zip form that PyTorch has written since version 1.6: the pickle
// NAME/data.pkl (read as data, pickle.h), and the bytes of its tensors in NAME/data/N.
//
// Read are one graph of PyTorch Geometric: a torch_geometric.data.Data of any version since 1.6,
// the processed file of a data set of one graph, which is a tuple of such a thing (or of its dict)
// and of slices, or a dict of tensors with Data's names. NumPy arrays may stand for tensors.
#pragma once

#include <filesystem>

#include "cupel/data/dataset.h"
#include "cupel/data/formats/read_mode.h"
#include "cupel/data/formats/zip.h"

namespace cupel {

[[nodiscard]] bool is_torch_file(const ZipArchive& archive);

// The data set as stored, named after the file; node_graph.h has what is read of it. Throws Error
// naming the file, what was found and the way out.
[[nodiscard]] Dataset read_torch_file(const ZipArchive& archive, ReadMode mode = ReadMode::kForUse);

}  // namespace cupel
