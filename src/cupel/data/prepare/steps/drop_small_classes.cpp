// The examples of classes that have more than a few.
#include <algorithm>

#include "cupel/base/error.h"
#include "cupel/data/labels.h"
#include "cupel/data/prepare/step.h"

namespace cupel {
namespace {

void apply(Dataset& dataset, Index limit) {
  if (dataset.has_tasks()) {
    fail(
        "{}: step 'drop-small-classes:{}' needs one class for each graph, but there are {} tasks; "
        "leave the step out",
        dataset.name, limit, dataset.tasks());
  }
  std::vector<Index> members(dataset.class_names().size(), 0);
  for (const Index label : dataset.labels()) {
    if (label != kNoLabel) ++members[label];
  }
  const Index largest = members.empty() ? 0 : *std::ranges::max_element(members);
  if (largest == 0) {
    fail("{}: step 'drop-small-classes:{}' goes by class, and there are no labels; give y",
         dataset.name, limit);
  }
  if (largest <= limit) {
    fail(
        "{}: step 'drop-small-classes:{}' leaves no {}, the largest class has {}; choose a smaller "
        "number",
        dataset.name, limit, dataset.graphs ? "graph" : "node", largest);
  }
  const auto stays = [&](Index i) {
    return !is_labelled(dataset, i) || members[dataset.labels()[i]] > limit;
  };
  keep_where(dataset, stays, "");
}

}  // namespace

extern const StepKind step_drop_small_classes;
const StepKind step_drop_small_classes = {
    .name = "drop-small-classes",
    .doc = "N: drop the nodes (or graphs) of classes with N or fewer members",
    .place = 50,
    .apply = apply,
    .takes_number = true};

}  // namespace cupel
