#include "cupel/judge/prediction/samples.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "cupel/base/error.h"
#include "cupel/data/catalog/catalog.h"
#include "cupel/judge/prediction/features.h"

namespace cupel {
namespace {

std::optional<EffectivenessRows> rows_of(const std::optional<EffectivenessPart>& part) {
  if (!part) return std::nullopt;
  return EffectivenessRows{{part->gnn}, {part->baseline}};
}

std::optional<double> value_of(const std::optional<EffectivenessPart>& part) {
  return part ? std::optional(part->value.effectiveness) : std::nullopt;
}

// The cells of one data set in one table, without runs.
Results cells_of(const Results& results, const DatasetEffectiveness& of) {
  Results out;
  out.protocol = results.protocol;
  for (const TableResults& table : results.tables) {
    if (table.id != of.table) continue;
    out.tables.push_back(table);
    auto& cells = out.tables.back().cells;
    std::erase_if(cells, [&](const CellResults& cell) { return cell.dataset != of.dataset; });
  }
  return out;
}

// Effectiveness of each split that has all parts which the data set has.
std::map<int, double> effectiveness_by_split(const Results& results,
                                             const DatasetEffectiveness& of) {
  EffectivenessRequest request;
  request.structure = rows_of(of.structure);
  request.attributes = rows_of(of.attributes);
  request.metric = of.measure.word();
  request.table = of.table;
  const Results all = cells_of(results, of);
  std::set<int> splits;
  for (const TableResults& table : all.tables)
    for (const CellResults& cell : table.cells)
      for (const PlacedRun& run : cell.runs) splits.insert(run.split);
  std::map<int, double> out;
  for (const int split : splits) {
    Results one = all;
    for (TableResults& table : one.tables)
      for (CellResults& cell : table.cells)
        std::erase_if(cell.runs, [&](const PlacedRun& run) { return run.split != split; });
    const EffectivenessReport report = assess_effectiveness(one, request);
    for (const DatasetEffectiveness& found : report.datasets) {
      if (found.dataset != of.dataset || found.structure.has_value() != of.structure.has_value() ||
          found.attributes.has_value() != of.attributes.has_value())
        continue;
      out[split] = *dataset_effectiveness(value_of(found.structure), value_of(found.attributes),
                                          Parts::kMean);
    }
  }
  return out;
}

// How the protocol writes a data set of the results.
std::string written_name(const TableSpec& table, const std::string& name) {
  for (const std::string& reference : table.datasets) {
    const Recipe* recipe = find_recipe(reference);
    if (same_name(reference, name) || (recipe != nullptr && same_name(recipe->name, name)) ||
        std::filesystem::path(reference).stem() == name)
      return reference;
  }
  return name;
}

const TableSpec& table_of(const Protocol& protocol, const std::string& id) {
  const TableSpec* table = protocol.find_table(id);
  if (table == nullptr)
    fail("prediction: protocol '{}' has no table '{}', of which there are results; name another",
         protocol.name, id);
  return *table;
}

void add_samples(PredictionData& out, const DatasetEffectiveness& of,
                 const std::map<int, double>& effectiveness, const Protocol& protocol,
                 const PlanSources& sources, Threads threads) {
  const TableSpec& table = table_of(protocol, of.table);
  const Dataset dataset = dataset_of(protocol, of.table, of.dataset, sources);
  if (!dataset.graphs)
    fail(
        "prediction: '{}' is one graph, and effectiveness is predicted from properties of many; "
        "name sets of graphs with --datasets",
        of.dataset);
  const GraphProperties properties = graph_properties(dataset, threads);
  SplitScheme scheme = resolved_scheme(table.split, dataset);
  // Splits of results are counted from the scheme's first, and those of make_split() from 0.
  const int first = std::exchange(scheme.first, 0);
  for (const auto& [number, value] : effectiveness) {
    scheme.count = first + number + 1;
    const Split split = make_split(dataset, scheme, first + number);
    std::vector<Index> graphs = split.train;
    graphs.insert(graphs.end(), split.valid.begin(), split.valid.end());
    const PredictionFeatures features = prediction_features(dataset, properties, graphs);
    out.samples.push_back({of.dataset, number, {features.begin(), features.end()}, value});
  }
}

}  // namespace

Dataset dataset_of(const Protocol& protocol, const std::string& table, const std::string& name,
                   const PlanSources& sources) {
  const TableSpec& spec = table_of(protocol, table);
  const std::string written = written_name(spec, name), reference = protocol.reference(written);
  return sources.prepare(reference, sources.load(reference), protocol.preparation(spec, written));
}

PredictionData prediction_data(const Results& results, const Protocol& protocol,
                               const EffectivenessRequest& request, const PlanSources& sources,
                               Threads threads) {
  EffectivenessReport report = assess_effectiveness(results, request);
  // Whoever is the most effective must not say in which order random draws meet data sets.
  std::ranges::sort(report.datasets, {}, &DatasetEffectiveness::dataset);
  std::vector<std::pair<const DatasetEffectiveness*, std::map<int, double>>> found;
  PredictionData out;
  for (const DatasetEffectiveness& of : report.datasets) {
    if (!of.effectiveness) {
      out.notes.push_back(fmt::format("{} is left out, it has no effectiveness", of.dataset));
      continue;
    }
    found.emplace_back(&of, effectiveness_by_split(results, of));
    const auto used = static_cast<int>(found.back().second.size());
    if (used < of.splits)
      out.notes.push_back(
          fmt::format("{} splits of {} are left out, on which a part has no effectiveness",
                      of.splits - used, of.dataset));
  }
  // Before data are read for nothing.
  std::vector<std::string> usable;
  for (const auto& [of, splits] : found)
    if (!splits.empty()) usable.push_back(of->dataset);
  check_prediction_datasets(usable);
  for (const auto& [of, splits] : found)
    if (!splits.empty()) add_samples(out, *of, splits, protocol, sources, threads);
  return out;
}

}  // namespace cupel
