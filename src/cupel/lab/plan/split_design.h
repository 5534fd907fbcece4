// What a split scheme says of how its members depend on one another.
#pragma once

#include "cupel/data/split/split.h"

namespace cupel {

// How the splits of a table depend on one another, as far as their scheme says.
struct SplitDesign {
  int first = 0;             // number of the split that runs call 0
  int folds = 0;             // of a cross-validation: split s is of repetition s / folds. 0: none
  double test_to_train = 0;  // examples tested to those trained and validated on; 0: not known
  bool shared = false;       // stored with the data or in a file: the published runs had the same
};

// How the splits of a scheme depend on one another. Shares of the examples are known of folds and
// of random parts in percent; of other schemes they depend on the data, or have little to say (of a
// few examples of each class, nearly all others are tested).
[[nodiscard]] SplitDesign design_of(const SplitScheme& scheme);

}  // namespace cupel
