#include "cupel/learn/task_kind.h"

namespace cupel {

#define CUPEL_ENTRY(stem) extern const TaskKind task_##stem;
#include "task_registry.inc"
#undef CUPEL_ENTRY

const std::vector<const TaskKind*>& task_kinds() {
  static const std::vector<const TaskKind*> all = {
#define CUPEL_ENTRY(stem) &task_##stem,
#include "task_registry.inc"
#undef CUPEL_ENTRY
  };
  return all;
}

const TaskKind* find_task_kind(const std::string& name) {
  for (const TaskKind* kind : task_kinds())
    if (kind->name == name) return kind;
  return nullptr;
}

}  // namespace cupel
