#include "cupel/judge/report/page/uses.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <tuple>

namespace cupel::page {
namespace {

using Json = nlohmann::ordered_json;

std::string text_at(const Json& object, const char* name) {
  const auto found = object.find(name);
  return found != object.end() && found->is_string() ? found->get<std::string>() : "";
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
  if (cell.runs.empty()) return {};
  const Json run = Json::parse(cell.runs.front().record.identity, nullptr, false);
  if (!run.is_object() || !run.contains("family") || !run["family"].is_object()) return {};
  const Json& family = run["family"];
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
