// Molecules as lines of SMILES with labels: the csv files of MoleculeNet (Wu et al. 2018).
#pragma once

#include <filesystem>

#include "cupel/data/dataset.h"

namespace cupel {

// Whether the file's first line names a column of SMILES: "smiles", "mol", "molecule" or
// "canonical_smiles", in any case. The file is csv, plain or gzip-compressed.
// False, not an Error, for what is no such file or cannot be read.
[[nodiscard]] bool is_smiles_csv(const std::filesystem::path& path);

// Graphs in the order of the lines, with the features and scaffolds of molecules/molecule.h.
//
// Labels: the column named "label", "class", "target" or "y" (any case), one for each molecule,
// which may have more than two classes; else every column that holds nothing but 0, 1 and nothing:
// one such column without gaps gives two classes, several (or gaps) give tasks. Other columns
// (numbers of rows, texts, measurements) are not read.
//
// A molecule that RDKit refuses is left out, as OGB and MoleculeNet do, and Dataset::history says
// how many and from which lines; a file without a molecule left is an error.
[[nodiscard]] Dataset read_smiles_csv(const std::filesystem::path& path);

}  // namespace cupel
