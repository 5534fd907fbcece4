// Runs that ended in different ways in stores that were merged.
#pragma once

#include <string>
#include <vector>

#include "cupel/lab/store/store.h"

namespace cupel::cli {

// Each run by its id, and each way in which it ended with the stores that say so, where `store` is
// the one that keeps them all. The first 20 of them.
[[nodiscard]] std::vector<std::string> conflict_lines(const std::vector<StoredConflict>& conflicts,
                                                      const std::string& store);

}  // namespace cupel::cli
