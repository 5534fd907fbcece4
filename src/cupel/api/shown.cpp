#include "cupel/api/shown.h"

#include <algorithm>
#include <system_error>
#include <vector>

#include <nlohmann/json.hpp>

#include "cupel/api/dataset_account.h"
#include "cupel/base/names.h"
#include "cupel/base/regular_file.h"
#include "cupel/lab/protocol/protocol.h"

namespace cupel {
namespace {

namespace fs = std::filesystem;

// The protocol of the program that has this name; empty if there is none.
std::string protocol_named(const std::string& name) {
  const std::vector<std::string> known = protocol_names();
  const auto found = std::ranges::find_if(
      known, [&](const std::string& protocol) { return same_name(protocol, name); });
  return found == known.end() ? "" : *found;
}

// Whether the program has something of that name.
bool find_of_program(const std::string& name, Shown& out) {
  if (name.find('/') != std::string::npos) return false;
  out.recipe = find_recipe(name);
  if (out.recipe != nullptr) {
    out.protocol = protocol_named(out.recipe->name);
    return true;
  }
  out.model = find_model(name);
  if (out.model != nullptr) return true;
  out.protocol = protocol_named(name);
  if (!out.protocol.empty()) return true;
  out.generator = parse_generator_call(name);
  return out.generator.generator != nullptr;
}

}  // namespace

Shown shown_by(const std::string& name) {
  Shown out;
  if (fs::path(name).extension() == ".toml") {
    out.protocol = name;
    return out;
  }
  if (find_of_program(name, out)) return out;
  std::error_code error;
  out.is_store = file_starts_with(name, "SQLite format 3");
  out.is_path = !out.is_store && (name.find('/') != std::string::npos || fs::exists(name, error));
  return out;
}

nlohmann::ordered_json card_json(const Dataset& dataset, const std::string& source,
                                 const fs::path& place, const fs::path& folder) {
  const Shown shown = source.empty() ? Shown() : shown_by(source);
  if (shown.recipe != nullptr)
    return recipe_json(*shown.recipe, folder, account_of(dataset, shown.recipe->preparation));
  if (shown.generator.generator != nullptr)
    return generator_json(shown.generator,
                          account_of(dataset, shown.generator.generator->preparation));
  const bool built = dataset.facts && !source.empty();
  return file_json(
      source.empty() ? dataset.name : source,
      account_of(dataset, default_preparation(place.empty() ? source : place.string())),
      built ? read_build_account(place) : BuildAccount());
}

}  // namespace cupel
