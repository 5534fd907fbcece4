// The parts of a data set that more than one npz format holds, read and checked.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "cupel/data/dataset.h"
#include "cupel/data/formats/npz.h"
#include "cupel/data/formats/read_mode.h"

namespace cupel {

// Most nodes, features, classes of a data set: positions are 32-bit.
inline constexpr std::int64_t kMostRows = 0x7fffffff;

// From here on a float32 may stand for another whole number than the file's: classes that are read
// as float32 are below.
inline constexpr float kInexactWhole = 0x1p24f;

// SciPy's csr_matrix in the members PREFIX_shape, PREFIX_indptr, PREFIX_indices, PREFIX_data.
// Without the last every value is 1. Memory of a pattern: 4 bytes per entry and 16 per row. Columns
// of a row may come in any order; repeated ones are summed; all values are finite. `repeats` is set
// to the number of entries that were added to another.
[[nodiscard]] Csr read_csr(const NpzFile& file, const std::string& prefix,
                           Offset* repeats = nullptr);

// The same from arrays, wherever they come from. Names are for messages.
struct CsrArrays {
  NpyArray shape, starts, columns, data;
  std::string starts_name = "indptr", columns_name = "indices";
};
[[nodiscard]] Csr make_csr(CsrArrays arrays, Offset* repeats = nullptr);

// A dense two-dimensional array of finite numbers, in either memory order.
[[nodiscard]] Matrix make_dense(const NpyArray& array);
[[nodiscard]] Matrix read_dense(const NpzFile& file, const std::string& key);

// The column of the one entry of each row that is not 0; of a row without one, -1. Throws Error
// naming a row that has several.
[[nodiscard]] std::vector<std::int64_t> one_hot_columns(const Csr& labels,
                                                        const std::string& where);

// A member of (edges, 2) node numbers: sources and targets. Repeats are summed and counted.
[[nodiscard]] Csr read_edges(const NpzFile& file, const std::string& key, Index nodes,
                             Offset& repeats);

// Throws Error unless there is one feature row for each node, and at least one feature column
// (which an audit does without).
void check_features(const Features& features, Index nodes, const std::string& where, ReadMode mode);

// Throws Error unless the array of labels has one for each node.
void check_one_for_each(const NpyArray& labels, Index nodes);

// Sets labels and class_names. The distinct values become classes 0, 1, ... in ascending order. The
// name of class c is names[value] where names are given (one for each value), else the value
// itself. -1 says that a node has no label. Throws Error for other negative values, if there is not
// one per node, or if all are -1.
void set_labels(Dataset& dataset, std::span<const std::int64_t> values,
                const std::vector<std::string>& names, const std::string& where);

}  // namespace cupel
