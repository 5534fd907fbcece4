// Arcs that are there several times: as repeated columns, or by a value that says how often.
#pragma once

#include <string>

#include "cupel/base/matrix.h"

namespace cupel {

// Whether a row has a column twice. Columns ascend.
[[nodiscard]] bool has_parallel_arcs(const Csr& graph);

// How many arcs the values stand for: as many as are stored where there are no values. Throws Error
// for a value that is no whole number from `least` on, and for a sum that nobody counted: above a
// million and ten times the stored arcs. `who` begins the sentence ("a.npz: this format writes"),
// `way_out` ends it.
[[nodiscard]] Offset parallel_arcs(const Csr& graph, float least, const std::string& who,
                                   const std::string& way_out);

}  // namespace cupel
