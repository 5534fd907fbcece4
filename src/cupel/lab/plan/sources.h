// Where a plan gets data sets and models from.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cupel/data/catalog/catalog.h"
#include "cupel/data/unit.h"
#include "cupel/lab/plan/family.h"

namespace cupel {

// Tests put their own here. Functions throw Error.
struct PlanSources {
  std::function<Dataset(const std::string& name_or_path)> load;
  // The same of facts over time, for tasks that are about them.
  std::function<Dataset(const std::string& name_or_path)> load_facts = {};
  // Gets what `load` gave, with the name it was loaded by.
  std::function<Dataset(const std::string& name_or_path, Dataset,
                        const std::vector<std::string>& steps)>
      prepare;
  // Not called for external models.
  std::function<ResolvedModel(const ModelRow&, const TaskKind&)> model;
  // What `load`, or of facts `load_facts`, would say is not there. Null: that everything is.
  std::function<std::optional<Absent>(const std::string& name_or_path, Unit)> absent = {};
  // Functions of this process that are models; null for a name that none has.
  std::function<std::shared_ptr<const ModelFunction>(const std::string& name)> function = {};
};

// The catalog (with `data_folder`), the preparation steps and the registry of models.
[[nodiscard]] PlanSources plan_sources(const std::filesystem::path& data_folder);

}  // namespace cupel
