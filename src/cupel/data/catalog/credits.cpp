#include "cupel/data/catalog/credits.h"

#include <fmt/format.h>

#include <filesystem>
#include <optional>
#include <utility>

#include "cupel/base/paths.h"
#include "cupel/data/catalog/catalog.h"
#include "cupel/data/facts/facts_folder.h"
#include "cupel/data/formats/format.h"
#include "cupel/data/generate/generator.h"

namespace cupel {
namespace {

namespace fs = std::filesystem;

// Facts that were read from such a folder, and not by a name of the catalog.
bool is_of_folder(const std::string& name_or_path, const Dataset& dataset) {
  if (name_or_path.empty()) return false;
  const bool is_path = name_or_path.find('/') != name_or_path.npos || !find_recipe(name_or_path);
  return dataset.facts && is_path && is_facts_folder(name_or_path);
}

// The file or folder that was read; nothing where the data was made.
std::optional<fs::path> place_of(const Origin& origin) {
  const std::string& name = origin.name_or_path;
  if (name.empty()) return {};
  if (name.find('/') != name.npos) return name;
  if (const Recipe* recipe = find_recipe(name)) {
    const fs::path folder = origin.folder / recipe->name;
    const bool one = recipe->files.size() == 1 && is_there(folder / recipe->files.front().name);
    return one ? folder / recipe->files.front().name : folder;
  }
  if (parse_generator_call(name).generator != nullptr) return {};
  return name;
}

}  // namespace

Credits credits_of(const std::string& name_or_path) {
  if (name_or_path.empty() || name_or_path.find('/') != std::string::npos) return {};
  if (const Recipe* recipe = find_recipe(name_or_path))
    return {recipe->title, recipe->description, recipe->licence, recipe->citation};
  const GeneratorCall call = parse_generator_call(name_or_path);
  if (call.generator == nullptr) return {};
  return {name_or_path, call.generator->description, "", call.generator->citation};
}

std::vector<std::string> left_behind(const Origin& origin, const Dataset& dataset) {
  std::vector<std::string> out;
  if (!dataset.facts) {
    const std::optional<fs::path> place = place_of(origin);
    return place ? left_out(*place, origin.label) : out;
  }
  if (!is_of_folder(origin.name_or_path, dataset)) return out;
  for (const auto& [file, what] : {std::pair{"provenance.json", "how the folder was made"},
                                   std::pair{"decisions.csv", "which names were decided to be one"},
                                   std::pair{"merged.csv", "which names became one"}}) {
    if (is_there(fs::path(origin.name_or_path) / file))
      out.push_back(fmt::format("{} ({})", file, what));
  }
  return out;
}

std::shared_ptr<const Authorships> authorships_of(const std::string& name_or_path,
                                                  const Dataset& dataset) {
  if (!is_of_folder(name_or_path, dataset)) return nullptr;
  auto out = std::make_shared<const Authorships>(read_authorships(name_or_path, *dataset.facts));
  return out->paper.empty() ? nullptr : out;
}

}  // namespace cupel
