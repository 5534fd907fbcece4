// The Planetoid files of Yang, Cohen and Salakhutdinov, "Revisiting semi-supervised learning with
// graph embeddings" (ICML 2016): ind.NAME.KIND, Python pickles (read as data, pickle.h).
//
//   x, tx, allx       features of the training nodes, of the test nodes, and of all that are not
//                     tested (the first rows of which are x): SciPy CSR matrices or arrays
//   y, ty, ally       their classes, one-hot
//   graph             a dict from each node to the list of its neighbours
//   test.index        text: the node that each row of tx is, one number a line
//
// The stored split is the fixed one of the paper: the rows of x for training, the 500 rows of allx
// after them for validation (as many as there are, if fewer), the nodes of test.index for testing.
// Nodes between the smallest and the largest test node that test.index leaves out (CiteSeer has 15)
// have no feature and no label.
#pragma once

#include <filesystem>
#include <optional>

#include "cupel/data/dataset.h"
#include "cupel/data/formats/read_mode.h"

namespace cupel {

// "FOLDER/ind.NAME" of a folder that has ind.NAME.graph. Throws Error if it has several.
[[nodiscard]] std::optional<std::filesystem::path> planetoid_stem(
    const std::filesystem::path& folder);
// The same of the path of one of its files; nothing if it has no such name.
[[nodiscard]] std::optional<std::filesystem::path> planetoid_stem_of_file(
    const std::filesystem::path& path);

// The data set NAME. An arc for every entry of the graph's lists, as stored; a neighbour that is
// listed k times is an arc of value k. Throws Error naming file and value.
[[nodiscard]] Dataset read_planetoid(const std::filesystem::path& stem,
                                     ReadMode mode = ReadMode::kForUse);

}  // namespace cupel
