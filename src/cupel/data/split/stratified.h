// Random splits in which every class has its share of every part.
#pragma once

#include <string>

#include "cupel/base/random.h"
#include "cupel/data/split/split.h"

namespace cupel {

// `train` percent of the nodes of each class, then `valid` percent, the rest test. Counts are
// rounded over the classes together: each part has its share of all nodes, and of each class, to
// less than two nodes. `member` draws another split from the same key. Parts ascend. Throws Error
// naming `where` if train + valid is not below 100.
[[nodiscard]] Split stratified_split(const std::vector<Index>& labels, Index classes, int train,
                                     int valid, StreamKey key, std::uint32_t member,
                                     const std::string& where);

// `count` splits of 50, 25 and 25 percent, as the data sets of Platonov et al. 2023 have ten of.
// Throws Error naming `where` and the class if a part of a split would have no node of it.
[[nodiscard]] std::vector<Split> stored_stratified_splits(const Dataset& dataset, int count,
                                                          StreamKey key, const std::string& where);

}  // namespace cupel
