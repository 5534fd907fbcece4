// What holds of every split, wherever it comes from.
#pragma once

#include <functional>
#include <string>

#include "cupel/data/dataset.h"
#include "cupel/data/unit.h"

namespace cupel {

// Throws Error naming `where`, the part and the id if the parts overlap, hold ids outside [0,
// count) or one of them is empty. Of pairs, ids are places in a PairList (links/pairs.h) of
// `count`.
void check_parts(const Split& split, Unit unit, Index count, const std::string& where);

// The same of a split of the data set's examples; also if one of them has no label. `called`: what
// the file calls an example, for messages; none: its number.
void check_split(const Dataset& dataset, const Split& split, const std::string& where,
                 const std::function<std::string(Index)>& called = {});

}  // namespace cupel
