#include "cupel/api/load.h"

#include <memory>

#include "cupel/base/error.h"
#include "cupel/base/regular_file.h"
#include "cupel/data/catalog/catalog.h"
#include "cupel/data/facts/facts.h"
#include "cupel/data/facts/facts_folder.h"
#include "cupel/data/formats/edge_list.h"
#include "cupel/data/formats/plain_file.h"
#include "cupel/data/generate/generator.h"

namespace cupel {
namespace {

namespace fs = std::filesystem;

// A file that is no archive, is not called one, and is in no other format.
bool is_edge_list(const std::string& name) {
  std::error_code error;
  if (is_known_name(name) || !fs::is_regular_file(name, error) ||
      fs::path(name).extension() == ".npz")
    return false;
  return !file_starts_with(name, "PK") && !plain_file_reader(name);
}

}  // namespace

bool is_known_name(const std::string& name_or_path) {
  return name_or_path.find('/') == std::string::npos &&
         (find_recipe(name_or_path) != nullptr ||
          parse_generator_call(name_or_path).generator != nullptr);
}

fs::path existing_data_folder(const std::string& given) {
  if (given.empty()) return data_folder(std::nullopt);
  std::error_code error;
  if (!fs::is_directory(given, error)) fail("--data: there is no folder '{}'", given);
  return data_folder(given);
}

Dataset load_graph(const std::string& name_or_path, const fs::path& folder, ReadMode mode,
                   Threads threads) {
  return is_edge_list(name_or_path) ? read_edge_list(name_or_path, threads)
                                    : load_dataset(name_or_path, folder, mode);
}

bool is_path_of_facts(const std::string& path) {
  std::error_code ignored;
  const bool folder = !is_known_name(path) && fs::is_directory(path, ignored);
  return (folder || is_edge_list(path)) && is_facts(path);
}

std::optional<fs::path> place_of_facts(const std::string& name_or_path, const fs::path& folder) {
  if (auto place = facts_place(name_or_path, folder)) return place;
  if (is_path_of_facts(name_or_path)) return name_or_path;
  return {};
}

Dataset load_any(const std::string& name_or_path, const fs::path& folder, ReadMode mode,
                 Threads threads) {
  if (facts_place(name_or_path, folder)) {
    const Recipe& recipe = *find_recipe(name_or_path);
    return load_recipe(recipe, folder / recipe.name, mode);
  }
  if (is_path_of_facts(name_or_path))
    return dataset_of(std::make_shared<const TemporalFacts>(read_facts(name_or_path)));
  return load_graph(name_or_path, folder, mode, threads);
}

}  // namespace cupel
