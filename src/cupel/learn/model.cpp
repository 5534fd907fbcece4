#include "cupel/learn/model.h"

#include <algorithm>

#include "cupel/base/names.h"

namespace cupel {

#define CUPEL_ENTRY(stem) extern const ModelEntry model_##stem;
#include "model_registry.inc"
#undef CUPEL_ENTRY

const std::vector<const ModelEntry*>& models() {
  static const std::vector<const ModelEntry*> all = [] {
    std::vector<const ModelEntry*> entries = {
#define CUPEL_ENTRY(stem) &model_##stem,
#include "model_registry.inc"
#undef CUPEL_ENTRY
    };
    std::sort(entries.begin(), entries.end(),
              [](const ModelEntry* a, const ModelEntry* b) { return a->name < b->name; });
    return entries;
  }();
  return all;
}

const ModelEntry* find_model(const std::string& name) {
  for (const ModelEntry* entry : models())
    if (same_name(entry->name, name)) return entry;
  return nullptr;
}

}  // namespace cupel
