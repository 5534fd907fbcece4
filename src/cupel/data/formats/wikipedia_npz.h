// The Wikipedia article networks as graphmining.ai distributes them (Rozemberczki et al., 2021):
// the other version of squirrel and chameleon, with other edges than the one of SNAP that Geom-GCN
// made its classes for (Platonov et al., ICLR 2023, appendix D).
#pragma once

#include "cupel/data/dataset.h"
#include "cupel/data/formats/npz.h"
#include "cupel/data/formats/read_mode.h"

namespace cupel {

// Whether the file has features, edges and target.
[[nodiscard]] bool is_wikipedia_npz(const NpzFile& file);

// features (nodes x features), edges (edges, 2), target (one number per node), and train_mask,
// val_mask, test_mask (a flag per node) where there are any. What is to be predicted there is a
// number, monthly traffic or its logarithm; here it is cut into five classes of equal size as
// Geom-GCN did: class k has the nodes above k of the quantiles 1/5, 2/5, 3/5, 4/5 (linear
// interpolation, as NumPy's). Equal targets are of one class. Throws Error naming file, member and
// value.
[[nodiscard]] Dataset read_wikipedia_npz(const NpzFile& file, ReadMode mode = ReadMode::kForUse);

}  // namespace cupel
