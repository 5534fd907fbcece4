#include "cupel/lab/plan/split_design.h"

#include "cupel/data/split/split_kind.h"

namespace cupel {

SplitDesign design_of(const SplitScheme& scheme) {
  SplitDesign out;
  out.first = scheme.first;
  const SplitKind& kind = split_kind(scheme.kind);
  out.shared = kind.shared;
  if (!kind.folds.empty()) {
    out.folds = static_cast<int>(scheme.options().integer(kind.folds));
    out.test_to_train = 1.0 / (out.folds - 1);
  } else if (kind.test_percent != nullptr) {
    const int tested = kind.test_percent(scheme.options());
    if (tested < 100) out.test_to_train = static_cast<double>(tested) / (100 - tested);
  }
  return out;
}

}  // namespace cupel
