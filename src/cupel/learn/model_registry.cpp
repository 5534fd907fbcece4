#include <fmt/ranges.h>

#include <algorithm>

#include "cupel/base/error.h"
#include "cupel/base/names.h"
#include "cupel/learn/models/model.h"

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

void check_examples(const ModelEntry& model, const TaskView& task) {
  const bool graphs = task.graphs().has_value();
  if (task.tasks() > 0 && model.trainable == nullptr)
    fail(
        "model '{}' learns one label, and data set '{}' has {} binary tasks; take a model that is "
        "trained by gradients",
        model.name, task.name(), task.tasks());
  if (graphs == (model.examples == Examples::kGraphs)) return;
  const auto what = [](bool of_graphs) { return of_graphs ? "graphs" : "nodes of one graph"; };
  std::vector<std::string> fitting;
  for (const ModelEntry* entry : models())
    if ((entry->examples == Examples::kGraphs) == graphs) fitting.push_back(entry->name);
  fail("model '{}' classifies {}, and the examples of data set '{}' are {}; take one of {}",
       model.name, what(!graphs), task.name(), what(graphs), fmt::join(fitting, ", "));
}

}  // namespace cupel
