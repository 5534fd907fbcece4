#include "cupel/data/prepare/step.h"

#include <algorithm>
#include <tuple>

#include "cupel/base/error.h"
#include "cupel/base/registry.h"
#include "cupel/data/prepare/keep.h"

namespace cupel {

#include "step_registry.inc"

const std::vector<const StepKind*>& step_kinds() {
  static const std::vector<const StepKind*> all = sorted_entries(
      step_registry(), [](const StepKind* kind) { return std::tie(kind->place, kind->name); });
  return all;
}

void keep_where(Dataset& dataset, const std::function<bool(Index)>& stays,
                const std::string& leaves_none) {
  std::vector<Index> kept;
  for (Index i = 0; i < dataset.examples(); ++i) {
    if (stays(i)) kept.push_back(i);
  }
  if (kept.empty()) fail("{}: {}", dataset.name, leaves_none);
  dataset.graphs ? keep_graphs(dataset, kept) : keep_nodes(dataset, kept);
}

}  // namespace cupel
