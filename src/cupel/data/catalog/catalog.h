// The catalog: recipes of known data sets, and finding and loading data by name or path.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cupel/data/dataset.h"

namespace cupel {

struct RecipeFile {
  std::string name;                 // inside the data set's folder
  std::string sha256;               // "" where not known
  std::vector<std::string> mirrors; // full URLs, tried in order
};

// What is known of a data set before it is read. One TOML file each in recipes/.
struct Recipe {
  std::string name;                  // "amazon-photo"
  std::vector<std::string> aliases;  // "amazon_electronics_photo", ...
  std::string title, description, format, licence, citation;
  std::vector<RecipeFile> files;
  std::vector<std::string> preparation;           // default steps, for cards and fact checks
  std::string content_hash;                       // of the raw data set, "" where not known
  std::map<std::string, std::int64_t> raw_facts;  // nodes, arcs, features, classes
  std::map<std::string, std::int64_t> facts;      // after `preparation`: nodes, edges, ...
};

// Sorted by name.
[[nodiscard]] const std::vector<Recipe>& recipes();
// By name or alias; case and '_' / '-' do not matter. nullptr if unknown.
[[nodiscard]] const Recipe* find_recipe(const std::string& name);

// Where data lives: `--data`, else $CUPEL_DATA, else the user's cache folder.
[[nodiscard]] std::filesystem::path data_folder(const std::optional<std::string>& option);

// The data set that `name_or_path` means, as stored. A path (contains a '/' or exists) is read by its
// format; a name is looked up in the catalog and read from `folder`. Facts and hashes of the recipe are
// asserted. Throws Error: unknown name (with the nearest), file absent (how to fetch it), bad content.
[[nodiscard]] Dataset load_dataset(const std::string& name_or_path, const std::filesystem::path& folder);

// Throws Error if the prepared data set does not have the recipe's facts.
void check_facts(const Recipe& recipe, const Dataset& prepared);

}  // namespace cupel
