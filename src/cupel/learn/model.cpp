#include "cupel/learn/model.h"

#include "cupel/base/names.h"
#include "cupel/base/registry.h"

namespace cupel {

#include "model_registry.inc"

const std::vector<const ModelEntry*>& models() {
  static const std::vector<const ModelEntry*> all =
      sorted_entries(model_registry(), &ModelEntry::name);
  return all;
}

const ModelEntry* find_model(const std::string& name) {
  for (const ModelEntry* entry : models())
    if (same_name(entry->name, name)) return entry;
  return nullptr;
}

}  // namespace cupel
