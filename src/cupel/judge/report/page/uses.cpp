#include "cupel/judge/report/page/uses.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <tuple>
#include <utility>

namespace cupel::page {
namespace {

using Json = nlohmann::ordered_json;

std::string text_at(const Json& object, const char* name) {
  const auto found = object.find(name);
  return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

// What the first run of a cell says of its family; an empty object where it says nothing.
Json family_of(const CellResults& cell) {
  if (cell.runs.empty()) return Json::object();
  Json run = Json::parse(cell.runs.front().record.identity, nullptr, false);
  if (!run.is_object() || !run.contains("family") || !run["family"].is_object())
    return Json::object();
  return std::move(run["family"]);
}

void add_use(UsedDataset& seen, DatasetUse use, const std::string& table) {
  auto known =
      std::ranges::find_if(seen.uses, [&](const DatasetUse& one) { return same_data(one, use); });
  if (known == seen.uses.end()) known = seen.uses.insert(known, std::move(use));
  if (std::find(known->tables.begin(), known->tables.end(), table) == known->tables.end())
    known->tables.push_back(table);
}

}  // namespace

bool same_data(const DatasetUse& a, const DatasetUse& b) {
  return std::tie(a.content, a.preparation, a.split) == std::tie(b.content, b.preparation, b.split);
}

std::optional<DatasetUse> use_of(const CellResults& cell) {
  const Json family = family_of(cell);
  const auto dataset = family.find("dataset");
  if (dataset == family.end() || !dataset->is_object()) return {};
  DatasetUse use{text_at(*dataset, "content"), {}, text_at(family, "split"), {}};
  if (const auto steps = dataset->find("preparation");
      steps != dataset->end() && steps->is_array()) {
    for (const Json& step : *steps)
      if (step.is_string()) use.preparation.push_back(step.get<std::string>());
  }
  return use;
}

std::optional<std::string> function_of(const CellResults& cell) {
  const Json family = family_of(cell);
  const Json::json_pointer program("/model/program");
  if (!family.contains(program)) return {};
  std::string name = text_at(family.at(program), "function");
  return name.empty() ? std::nullopt : std::optional(std::move(name));
}

std::vector<UsedDataset> used_datasets(const Results& results) {
  std::vector<UsedDataset> all;
  for (const TableResults& table : results.tables) {
    for (const CellResults& cell : table.cells) {
      if (cell.runs.empty()) continue;
      auto seen = std::find_if(all.begin(), all.end(),
                               [&](const UsedDataset& one) { return one.name == cell.dataset; });
      if (seen == all.end())
        seen = all.insert(all.end(), UsedDataset{cell.dataset, cell.classes, {}});
      if (auto use = use_of(cell)) add_use(*seen, std::move(*use), table.id);
    }
  }
  return all;
}

}  // namespace cupel::page
