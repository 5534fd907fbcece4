#include "cupel/judge/report/page/uses.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

namespace cupel::page {
namespace {

using Json = nlohmann::ordered_json;

std::string text_at(const Json& object, const char* name) {
  const auto found = object.find(name);
  return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

std::optional<DatasetUse> use_of(const std::string& identity) {
  const Json run = Json::parse(identity, nullptr, false);
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

void add_use(UsedDataset& seen, DatasetUse use, const std::string& table) {
  auto known = std::find_if(seen.uses.begin(), seen.uses.end(), [&](const DatasetUse& one) {
    return one.content == use.content && one.preparation == use.preparation &&
           one.split == use.split;
  });
  if (known == seen.uses.end()) known = seen.uses.insert(known, std::move(use));
  if (std::find(known->tables.begin(), known->tables.end(), table) == known->tables.end())
    known->tables.push_back(table);
}

}  // namespace

std::vector<UsedDataset> used_datasets(const Results& results) {
  std::vector<UsedDataset> all;
  for (const TableResults& table : results.tables) {
    for (const CellResults& cell : table.cells) {
      if (cell.runs.empty()) continue;
      auto seen = std::find_if(all.begin(), all.end(),
                               [&](const UsedDataset& one) { return one.name == cell.dataset; });
      if (seen == all.end())
        seen = all.insert(all.end(), UsedDataset{cell.dataset, cell.classes, {}});
      if (auto use = use_of(cell.runs.front().record.identity))
        add_use(*seen, std::move(*use), table.id);
    }
  }
  return all;
}

}  // namespace cupel::page
