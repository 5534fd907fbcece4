// Which store says what of a run that ended in different ways.
#pragma once

#include <string>
#include <vector>

#include "cupel/lab/store/store.h"

namespace cupel {

// One way in which a run ended, and the paths of the stores that say so.
struct ContradictionSide {
  RunRecord record;
  std::vector<std::string> stores;
};

struct Contradiction {
  std::string id;  // of the run
  std::vector<ContradictionSide> sides;
};

// The conflicts of `store` that are among `ids` (sorted), by id, and which of `sources`, the stores
// that it was merged from, say what. A side without a source was there before. Throws Error if a
// source cannot be read.
[[nodiscard]] std::vector<Contradiction> contradictions(const Store& store,
                                                        const std::vector<std::string>& ids,
                                                        const std::vector<std::string>& sources);

}  // namespace cupel
