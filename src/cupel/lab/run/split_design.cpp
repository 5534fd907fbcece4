// What a split scheme says of how its members depend on one another.
#include "cupel/lab/run/results_loader.h"

namespace cupel {

SplitDesign design_of(const SplitScheme& scheme) {
  SplitDesign out;
  out.first = scheme.first;
  out.shared = scheme.kind == "stored" || scheme.kind == "file";
  if (scheme.kind == "stratified-kfold" && scheme.folds > 1) {
    out.folds = scheme.folds;
    out.test_to_train = 1.0 / (scheme.folds - 1);
  } else if (scheme.kind == "random" || scheme.kind == "stratified") {
    const int learnt_from = scheme.train + scheme.valid;
    if (learnt_from > 0) out.test_to_train = (100.0 - learnt_from) / learnt_from;
  }
  return out;
}

}  // namespace cupel
