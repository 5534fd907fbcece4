#include "cupel/learn/task_kind.h"

namespace cupel {

#include "task_registry.inc"

const std::vector<const TaskKind*>& task_kinds() {
  static const std::vector<const TaskKind*> all = task_registry();
  return all;
}

const TaskKind* find_task_kind(const std::string& name) {
  for (const TaskKind* kind : task_kinds())
    if (kind->name == name) return kind;
  return nullptr;
}

}  // namespace cupel
