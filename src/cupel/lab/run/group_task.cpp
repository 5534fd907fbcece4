#include "cupel/lab/run/group_task.h"

#include "cupel/data/split/split.h"
#include "cupel/learn/task_kind.h"

namespace cupel {

Task task_of(const RunGroup& group, Threads threads) {
  const Family& family = *group.family;
  SplitScheme scheme = family.split;
  scheme.first = 0;
  scheme.count = group.split + 1;
  const auto& data = family.dataset->data;
  return family.task->make({.data = data,
                            .scheme = scheme,
                            .split = make_split(data->data(), scheme, group.split),
                            .settings = family.task_settings,
                            .key = task_key(*family.dataset, family.split, group.split),
                            .scored = family.scores_test,
                            .threads = threads});
}

}  // namespace cupel
