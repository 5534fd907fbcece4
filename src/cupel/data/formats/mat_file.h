// MAT-files of version 5, as MATLAB's save -v6 and -v7 and SciPy's savemat write them: numeric and
// logical matrices, dense or sparse, plain or compressed.
//
// What is not a matrix of real numbers (texts, cells, structures, objects, complex numbers) is
// skipped. Version 7.3 is HDF5 and refused, and so are version 4 and files of big-endian machines.
// Nothing is allocated from a size that is only claimed: memory grows with what is really unpacked.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cupel/base/matrix.h"

namespace cupel {

// A matrix in MATLAB's order, column after column.
struct MatVariable {
  std::string name;
  std::string where;  // "FILE: variable 'NAME'", for messages
  std::int64_t rows = 0, cols = 0;
  bool sparse = false;
  std::vector<double> values;         // dense: rows * cols; sparse: one per entry
  std::vector<std::int64_t> row_of;   // sparse: per entry, in [0, rows)
  std::vector<std::int64_t> col_ptr;  // sparse: cols + 1, ascending from 0
};

// Whether the file begins as one of version 5 or 7.3.
[[nodiscard]] bool is_mat_file(const std::filesystem::path& path);

// All matrices of the file, in its order. Throws Error naming file, variable or position, and what
// is wrong.
[[nodiscard]] std::vector<MatVariable> read_mat_file(const std::filesystem::path& path);

// Finite as floats. A sparse one by rows, columns ascending; entries that repeat are summed, and
// `repeats` is set to how many were added to another.
[[nodiscard]] Csr sparse_matrix(const MatVariable& variable, Offset* repeats = nullptr);
[[nodiscard]] Matrix dense_matrix(const MatVariable& variable);

}  // namespace cupel
