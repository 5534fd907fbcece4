#include "cupel/api/fetched.h"

#include <algorithm>
#include <utility>

#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "cupel/base/error.h"
#include "cupel/base/names.h"
#include "cupel/base/words.h"
#include "cupel/lab/plan/selection.h"
#include "cupel/lab/plan/sources.h"
#include "cupel/lab/plan/strata.h"
#include "cupel/learn/task_kind.h"

namespace cupel {
namespace {

namespace fs = std::filesystem;

bool names_protocol(const std::string& name) {
  return is_data_path(name) || fs::path(name).extension() == ".toml" ||
         has_name(protocol_names(), name);
}

void add_recipe(const Recipe* recipe, FetchList& out) {
  if (!std::count(out.recipes.begin(), out.recipes.end(), recipe)) out.recipes.push_back(recipe);
}

// References of all data sets that the tables need.
std::vector<std::string> needed_of(const Protocol& protocol,
                                   const std::vector<std::string>& tables) {
  Selection selection;
  selection.tables = tables;
  check_selection(protocol, selection);
  std::vector<std::string> out;
  for (const std::string& name : wanted_datasets(protocol, selection))
    out.push_back(protocol.reference(name));
  for (const TableSpec* table : wanted_tables(protocol, selection)) {
    for (const std::string& name : table->datasets)
      if (const auto graph = stratum_graph(protocol, *table, name))
        out.push_back(protocol.reference(*graph));
  }
  return out;
}

void add_protocol(const Protocol& protocol, const std::vector<std::string>& tables,
                  const fs::path& data_folder, FetchList& out) {
  const PlanSources sources = plan_sources(data_folder);
  const Unit unit = find_task_kind(protocol.task)->unit;
  for (const std::string& reference : needed_of(protocol, tables)) {
    const auto absent = sources.absent(reference, unit);
    const Recipe* const recipe = is_data_path(reference) ? nullptr : find_recipe(reference);
    if (absent && !absent->fetched)
      out.left.push_back(absent->text);
    else if (recipe != nullptr)
      add_recipe(recipe, out);
  }
}

[[noreturn]] void unknown_name(const std::string& name) {
  std::vector<std::string> known = protocol_names();
  for (const Recipe& recipe : recipes()) known.push_back(recipe.name);
  fail("'{}' is neither a data set of the catalog nor a protocol{}", name,
       near_text(name, known, "`cupel list datasets` and `cupel list protocols` show the names"));
}

}  // namespace

FetchList fetch_list(const std::vector<std::string>& names, const std::vector<std::string>& tables,
                     const fs::path& data_folder) {
  FetchList out;
  bool any_protocol = false;
  for (const std::string& name : names) {
    if (const Recipe* const recipe = find_recipe(name)) {
      add_recipe(recipe, out);
      continue;
    }
    if (!names_protocol(name)) unknown_name(name);
    any_protocol = true;
    add_protocol(load_protocol(name), tables, data_folder, out);
  }
  if (!tables.empty() && !any_protocol)
    fail("--tables: are those of a protocol, and {} is none; name a protocol, or leave it out",
         fmt::join(names, ", "));
  return out;
}

std::vector<FetchedOf> fetch_all(const FetchList& list, const fs::path& data_folder,
                                 const FetchOptions& options, const FetchCallback& progress) {
  std::vector<FetchedOf> out;
  for (const Recipe* recipe : list.recipes)
    for (FetchedFile& file : fetch(*recipe, data_folder, options, progress))
      out.push_back({recipe, std::move(file)});
  return out;
}

std::string fetch_text(const FetchProgress& progress) {
  switch (progress.stage) {
    case FetchProgress::Stage::kWaiting:
      return fmt::format("{}: another process is getting it", progress.file);
    case FetchProgress::Stage::kVerifying:
      return fmt::format("{}: verifying", progress.file);
    case FetchProgress::Stage::kDownloading:
      break;
  }
  const std::string done = byte_text(static_cast<double>(progress.done));
  if (progress.total <= 0) return fmt::format("{}: {}", progress.file, done);
  return fmt::format("{}: {} of {}", progress.file, done,
                     byte_text(static_cast<double>(progress.total)));
}

nlohmann::ordered_json fetched_json(const std::vector<FetchedOf>& fetched) {
  using Json = nlohmann::ordered_json;
  Json out = Json::array();
  for (const auto& [recipe, file] : fetched)
    out.push_back({{"dataset", recipe->name},
                   {"path", file.path.string()},
                   {"bytes", file.bytes},
                   {"mirror", file.mirror.empty() ? Json() : Json(file.mirror)}});
  return out;
}

}  // namespace cupel
