#include "cupel/lab/plan/sources.h"

#include "cupel/base/error.h"
#include "cupel/data/facts/facts_folder.h"
#include "cupel/data/prepare/prepare.h"
#include "cupel/learn/model.h"
#include "cupel/learn/task_kind.h"

namespace cupel {

namespace fs = std::filesystem;

namespace {

// Where facts over time lie, and the recipe by which they are read; none: by their format.
struct FactsPlace {
  fs::path path;
  const Recipe* recipe = nullptr;
};

FactsPlace facts_at(const std::string& name, const fs::path& data_folder) {
  if (is_data_path(name)) return {name};
  const fs::path at = data_folder / name;
  const Recipe* const recipe = find_recipe(name);
  std::error_code ignored;
  // A file of that name is the user's own.
  if (recipe != nullptr && is_over_time(*recipe) && !fs::is_regular_file(at, ignored))
    return {data_folder / recipe->name, recipe};
  return {at};
}

std::optional<Absent> absent_facts(const std::string& name, const fs::path& data_folder) {
  const FactsPlace place = facts_at(name, data_folder);
  if (place.recipe != nullptr) return absent_recipe(*place.recipe, place.path);
  std::optional<Absent> out = absent_path(place.path.string());
  if (!out || is_data_path(name)) return out;
  return Absent{
      name, fmt::format("{}: the task is about facts over time, and there is no {}; put them "
                        "there, as `cupel build expert` makes them or as they were published, or "
                        "name them by a path",
                        name, place.path.string())};
}

}  // namespace

PlanSources plan_sources(const std::filesystem::path& data_folder) {
  PlanSources out;
  out.load = [data_folder](const std::string& name) {
    std::error_code ignored;
    if (is_data_path(name) && fs::is_directory(name, ignored) && is_facts(name))
      fail("{}: holds facts over time, and the task is about a graph; take task = \"events\"",
           name);
    return load_dataset(name, data_folder);
  };
  out.load_facts = [data_folder](const std::string& name) {
    if (const auto absent = absent_facts(name, data_folder)) fail("{}", absent->text);
    const FactsPlace place = facts_at(name, data_folder);
    if (place.recipe != nullptr) return load_recipe(*place.recipe, place.path);
    Dataset out = dataset_of(std::make_shared<const TemporalFacts>(read_facts(place.path)));
    if (!is_data_path(name)) out.name = name;
    return out;
  };
  out.absent = [data_folder](const std::string& name, Unit unit) {
    return unit == Unit::kFact ? absent_facts(name, data_folder)
                               : absent_dataset(name, data_folder);
  };
  out.prepare = [](const std::string& name, Dataset stored, const std::vector<std::string>& steps) {
    // A user's own file may be called like a data set of the catalog, and need not have its facts.
    std::error_code ignored;  // a generator's name with its settings may be longer than a file's
    const bool path = is_data_path(name) || std::filesystem::exists(name, ignored);
    const Recipe* recipe = path ? nullptr : find_recipe(name);
    Dataset prepared = prepare(std::move(stored), steps);
    if (recipe != nullptr && recipe->preparation == steps) check_facts(*recipe, prepared);
    return prepared;
  };
  out.model = [](const ModelRow& row, const TaskKind& task) {
    const ModelEntry* entry = find_model(row.model);
    if (entry == nullptr) {
      std::vector<std::string> known;
      for (const ModelEntry* model : models()) known.push_back(model->name);
      fail("{}: no model is called '{}'{}", row.where, row.model, near_or_all(row.model, known));
    }
    std::vector<OptionSpec> options = entry->options;
    if (entry->trainable != nullptr)
      options.insert(options.end(), task.model_settings.begin(), task.model_settings.end());
    return ResolvedModel{entry->name, entry, Options(row.where, options, row.settings),
                         entry->trainable == nullptr && !entry->draws};
  };
  return out;
}

}  // namespace cupel
