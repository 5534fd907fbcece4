// What a node of a molecule starts from: learnt rows for the attributes of its atom.
#pragma once

#include <string>

#include "cupel/learn/layers/graph_inputs.h"

namespace cupel {

// Rows of the tables of an atom's nine attributes: atomic number, chirality, degree, formal charge,
// hydrogens, radical electrons, hybridisation, aromatic, in a ring.
inline constexpr Index kAtomTables[9] = {119, 4, 12, 12, 10, 6, 6, 2, 2};

// nodes x width: the sum of a learnt row (Glorot uniform) for each of the first nine columns of
// `composition`, which are whole numbers, and of linear(the others), if there are any. Throws Error
// where a column is missing or a number is no row of its table.
[[nodiscard]] Value encode_atoms(Builder& b, GraphInputs& in, const std::string& composition,
                                 Index width, double l2);

}  // namespace cupel
