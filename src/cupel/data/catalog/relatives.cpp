#include "cupel/data/catalog/relatives.h"

#include <system_error>

namespace cupel {
namespace {

namespace fs = std::filesystem;

const Recipe* named_recipe(const std::string& name_or_path) {
  return name_or_path.find('/') == std::string::npos ? find_recipe(name_or_path) : nullptr;
}

}  // namespace

const Recipe* recipe_of(const std::string& name_or_path, const std::string& content_hash) {
  if (const Recipe* recipe = named_recipe(name_or_path)) return recipe;
  for (const Recipe& recipe : recipes()) {
    if (!recipe.content_hash.empty() && recipe.content_hash == content_hash) return &recipe;
  }
  return nullptr;
}

std::optional<Dataset> load_directed_version(const Recipe& recipe, const fs::path& folder) {
  const Recipe* directed = find_recipe(recipe.name + "-directed");
  if (directed == nullptr || !recipe_present(*directed, folder / directed->name)) return {};
  return load_recipe(*directed, folder / directed->name, ReadMode::kForAudit);
}

std::vector<fs::path> source_paths(const std::string& name_or_path, const fs::path& folder) {
  if (const Recipe* recipe = named_recipe(name_or_path)) {
    std::vector<fs::path> out = {folder / recipe->name};
    for (const RecipeFile& file : recipe->files) out.push_back(out.front() / file.name);
    return out;
  }
  std::vector<fs::path> out = {name_or_path};
  std::error_code ignored;
  if (!fs::is_directory(name_or_path, ignored)) return out;
  for (fs::directory_iterator at(name_or_path, ignored), end; !ignored && at != end;
       at.increment(ignored))
    out.push_back(at->path());
  return out;
}

}  // namespace cupel
