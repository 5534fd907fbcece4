// Where real plans get data sets and models from.
#include "cupel/base/error.h"
#include "cupel/data/catalog/catalog.h"
#include "cupel/data/prepare/prepare.h"
#include "cupel/lab/run/plan.h"
#include "cupel/learn/models/model.h"

namespace cupel {

PlanSources plan_sources(const std::filesystem::path& data_folder) {
  PlanSources out;
  out.load = [data_folder](const std::string& name) { return load_dataset(name, data_folder); };
  out.prepare = [](const std::string& name, Dataset stored, const std::vector<std::string>& steps) {
    // A user's own file may be called like a data set of the catalog, and need not have its facts.
    std::error_code ignored;  // a generator's name with its settings may be longer than a file's
    const bool path = name.find('/') != std::string::npos || std::filesystem::exists(name, ignored);
    const Recipe* recipe = path ? nullptr : find_recipe(name);
    Dataset prepared = prepare(std::move(stored), steps);
    if (recipe != nullptr && recipe->preparation == steps) check_facts(*recipe, prepared);
    return prepared;
  };
  out.model = [](const ModelRow& row) {
    const ModelEntry* entry = find_model(row.model);
    if (entry == nullptr) {
      std::vector<std::string> known;
      for (const ModelEntry* model : models()) known.push_back(model->name);
      const std::string near = nearest_name(row.model, known);
      fail("{}: no model is called '{}'{}", row.where, row.model,
           near.empty() ? fmt::format("; there are: {}", fmt::join(known, ", "))
                        : fmt::format("; did you mean '{}'?", near));
    }
    return ResolvedModel{entry->name, entry, Options(row.where, entry->options, row.settings),
                         entry->direct != nullptr};
  };
  return out;
}

}  // namespace cupel
