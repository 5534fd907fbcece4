#include "cupel/lab/run/results.h"

#include <algorithm>
#include <map>

#include "cupel/base/error.h"
#include "cupel/lab/run/results_loader.h"

namespace cupel {
namespace {

// How many inits the requests ask of a split: they are rectangles from the first split and init.
int inits_of(const StoredCell& cell, int split_index) {
  int most = 0;
  for (const auto& [splits, inits] : cell.asked) {
    if (split_index < splits) most = std::max(most, inits);
  }
  return most;
}

CellResults load_cell(const Store& store, const StoredCell& cell) {
  CellResults out;
  out.dataset = cell.dataset;
  out.model = cell.model;
  out.metric = cell.metric;
  out.protocol_n = cell.full_splits * cell.full_inits;
  std::map<std::pair<int, int>, RunRecord> runs;
  for (StoredRun& run : store.runs(cell.family))
    runs.emplace(std::pair(run.split, run.init), std::move(run.record));
  int splits = 0;
  for (const auto& asked : cell.asked) splits = std::max(splits, asked.first);
  for (int split = 0; split < splits; ++split) {
    const int inits = inits_of(cell, split);
    out.expected_n += inits;
    for (int init = 0; init < inits; ++init) {
      const auto found = runs.find({cell.first_split + split, cell.deterministic ? 0 : init});
      if (found != runs.end()) out.runs.push_back({split, init, found->second});
    }
  }
  return out;
}

// Columns or rows: those of the protocol that were asked for, then those added, as they came.
std::vector<std::string> in_order(const std::vector<std::string>& protocol,
                                  const std::vector<std::string>& found) {
  std::vector<std::string> out;
  for (const std::string& name : protocol) {
    if (std::count(found.begin(), found.end(), name)) out.push_back(name);
  }
  for (const std::string& name : found) {
    if (!std::count(out.begin(), out.end(), name)) out.push_back(name);
  }
  return out;
}

Results load(const Store& store, const Protocol& protocol) {
  const std::vector<StoredCell> cells = store.cells(protocol.version);
  Results out;
  out.protocol = protocol.name;
  out.title = protocol.title;
  out.published = protocol.published;
  for (const TableSpec& spec : protocol.tables) {
    TableResults table;
    table.id = spec.id;
    table.title = spec.title;
    table.kind = spec.kind;
    table.source = spec.source;
    const std::string& read = spec.kind == "scores" ? spec.id : spec.source;
    std::vector<std::string> datasets, models;
    for (const StoredCell& cell : cells) {
      if (cell.table != read) continue;
      datasets.push_back(cell.dataset);
      models.push_back(cell.model);
    }
    if (datasets.empty()) continue;
    table.datasets = in_order(spec.datasets, datasets);
    table.models = in_order(spec.models, models);
    if (spec.kind != "scores") {
      // A derived table speaks of the protocol's own rows and columns only.
      std::erase_if(table.datasets, [&](const std::string& name) {
        return !std::count(spec.datasets.begin(), spec.datasets.end(), name);
      });
      std::erase_if(table.models, [&](const std::string& name) {
        return !std::count(spec.models.begin(), spec.models.end(), name);
      });
      if (table.datasets.empty() || table.models.empty()) continue;
    } else {
      for (const std::string& dataset : table.datasets) {
        for (const std::string& model : table.models) {
          for (const StoredCell& cell : cells) {
            if (cell.table == read && cell.dataset == dataset && cell.model == model)
              table.cells.push_back(load_cell(store, cell));
          }
        }
      }
    }
    out.tables.push_back(std::move(table));
  }
  if (out.tables.empty()) {
    fail(
        "{}: the store has nothing of this version of protocol '{}'; run it (what is there already "
        "is "
        "not done again)",
        store.path().string(), protocol.name);
  }
  return out;
}

}  // namespace

Results load_results(const Store& store, const Protocol& protocol) { return load(store, protocol); }

Results load_results(const Store& store, const std::string& name) {
  const std::vector<StoredProtocol> protocols = store.protocols();
  std::vector<std::string> names;
  for (const StoredProtocol& kept : protocols) {
    names.push_back(kept.name);
    if (!name.empty() && !same_name(name, kept.name)) continue;
    const bool published = !kept.published_text.empty();
    return load(store,
                parse_protocol(kept.name, kept.name + ".toml", kept.text,
                               published ? std::optional(kept.published_text) : std::nullopt));
  }
  if (names.empty()) fail("{}: the store has no results yet", store.path().string());
  fail("{}: the store has nothing of protocol '{}'; it has: {}", store.path().string(), name,
       fmt::join(names, ", "));
}

}  // namespace cupel
