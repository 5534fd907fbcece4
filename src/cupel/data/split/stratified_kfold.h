// Stratified k-fold assessment, as scikit-learn's StratifiedKFold(shuffle=True) followed by
// train_test_split(stratify=...) allocates it; the draws are those of our keyed streams.
#pragma once

#include <vector>

#include "cupel/base/random.h"
#include "cupel/data/dataset.h"

namespace cupel {

// Which fold each example is tested in, -1 where it has no label. Sizes of folds differ by at most
// one, as do the numbers of examples of a class in them. `repetition` draws other folds from the
// same key. Requires 2 <= folds; a fold may have no example of a class with fewer than `folds`.
[[nodiscard]] std::vector<Index> stratified_folds(const std::vector<Index>& labels, Index classes,
                                                  int folds, StreamKey key,
                                                  std::uint32_t repetition);

// Test: the examples of `fold`. Of the others, ceil(valid percent) for validation, of each class
// its share to less than one. Parts ascend.
[[nodiscard]] Split stratified_kfold_split(const std::vector<Index>& labels, Index classes,
                                           int folds, int valid, StreamKey key,
                                           std::uint32_t repetition, int fold);

}  // namespace cupel
