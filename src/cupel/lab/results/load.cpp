#include "cupel/lab/results/load.h"

#include <algorithm>
#include <map>
#include <set>

#include "cupel/base/error.h"
#include "cupel/lab/plan/choose.h"
#include "cupel/lab/plan/split_design.h"
#include "cupel/lab/protocol/configurations.h"
#include "cupel/lab/protocol/of_program.h"
#include "cupel/lab/results/asked.h"
#include "cupel/lab/store/sqlite.h"
#include "cupel/learn/score/metrics.h"

namespace cupel {
namespace {

constexpr std::size_t kShortVersion = 12;  // digits, as cards show them

// All that was asked of a cell, whichever configuration it was asked of. A run that does not depend
// on the initialisation counts once.
AskedRuns asked_runs(const std::vector<const StoredCell*>& configurations) {
  AskedRuns out;
  for (const StoredCell* cell : configurations) {
    for (const auto& [splits, inits] : cell->asked)
      out.add(splits, cell->deterministic ? std::min(inits, 1) : inits);
  }
  return out;
}

// The place in a cell of a run that the store keeps.
RunPlace place_of(const StoredCell& cell, int split, int init) {
  return {split - cell.first_split, init};
}

// Runs of the cell's family that are in its part.
std::vector<StoredRun> stored_at(const Store& store, const StoredCell& cell,
                                 const AskedRuns& asked) {
  std::vector<StoredRun> out = store.runs(cell.family);
  std::erase_if(out, [&](const StoredRun& run) {
    return !asked.contains(place_of(cell, run.split, run.init));
  });
  return out;
}

std::vector<PlacedRun> runs_at(const Store& store, const StoredCell& cell, const AskedRuns& asked) {
  std::vector<PlacedRun> out;
  for (StoredRun& run : stored_at(store, cell, asked)) {
    const RunPlace place = place_of(cell, run.split, run.init);
    out.push_back({place.first, place.second, std::move(run.record)});
  }
  return out;
}

Candidate candidate_of(const Store& store, const StoredCell& cell, Store::ScoreKind kind,
                       const AskedRuns& asked) {
  Candidate out{cell.configuration, {}};
  for (const auto& [kept, score] : store.scores(cell.family, kind)) {
    const RunPlace place = place_of(cell, kept.first, kept.second);
    if (asked.contains(place)) out.scores[place] = score;
  }
  return out;
}

// Runs of a cell that stores disagree about.
std::vector<RunInConflict> conflicts_at(const Store& store, const StoredCell& cell,
                                        const AskedRuns& asked) {
  std::vector<RunInConflict> out;
  for (const StoredConflict& conflict : store.conflicts(cell.family)) {
    const RunPlace place = place_of(cell, conflict.split, conflict.init);
    if (asked.contains(place))
      out.push_back({place.first, place.second, conflict.id, cell.configuration});
  }
  return out;
}

// Configurations in the order of the protocol's grid.
void sort_by_grid(std::vector<const StoredCell*>& cells, const std::vector<Configuration>& grid) {
  std::map<std::string, std::size_t> place;
  for (const Configuration& configuration : grid)
    place.emplace(to_text(configuration), place.size());
  std::stable_sort(cells.begin(), cells.end(), [&](const StoredCell* a, const StoredCell* b) {
    return place[a->configuration] < place[b->configuration];
  });
}

CellResults load_cell(const Store& store, const Protocol& protocol,
                      std::vector<const StoredCell*> configurations) {
  const StoredCell& first = *configurations.front();
  const AskedRuns all = asked_runs(configurations);
  const ModelRow* row = protocol.find_model(first.model);
  const auto grid = grid_of(row_on(protocol, *row, first.dataset));
  const bool chooses = grid.size() > 1 || !grid.front().empty();
  // A run of a model without randomness is there once, to choose and to be assessed.
  const int select = chooses && !first.deterministic ? row->select_inits : 0;
  const AskedRuns asked = all.of_inits(select);
  const AskedRuns choosing = select > 0 ? all.of_inits(0, select) : all;
  CellResults out;
  out.dataset = first.dataset;
  out.model = first.model;
  out.measure = {first.metric};
  out.classes = first.classes;
  out.expected_n = asked.count();
  out.deterministic = first.deterministic;
  for (const StoredCell* cell : configurations)
    std::ranges::move(conflicts_at(store, *cell, all), std::back_inserter(out.conflicts));
  if (!chooses) {
    out.runs = runs_at(store, first, asked);
    return out;
  }
  sort_by_grid(configurations, grid);
  CellChoice choice;
  choice.by = row->choose_by;
  choice.grid = static_cast<int>(grid.size());
  const auto kind = choice.by == "test-score" ? Store::ScoreKind::kTest : Store::ScoreKind::kValid;
  std::vector<Candidate> candidates;
  for (const StoredCell* cell : configurations)
    candidates.push_back(candidate_of(store, *cell, kind, choosing));
  const std::set<RunPlace> compared = choosing.stand_in(candidates);
  const MetricScale scale = scale_of_metric(out.measure.metric);
  const Chosen chosen = choose(candidates, compared, scale);
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    choice.configurations.push_back({candidates[i].name,
                                     static_cast<int>(candidates[i].scores.size()),
                                     chosen.complete[i], chosen.means[i]});
    choice.complete += chosen.complete[i];
  }
  choice.compared = static_cast<int>(chosen.compared.size());
  const auto runs_of = [&](std::size_t i) {
    std::vector<PlacedRun> runs = runs_at(store, *configurations[i], asked);
    for (PlacedRun& run : runs) run.configuration = candidates[i].name;
    return runs;
  };
  if (choice.by == "valid-score-by-split") {
    const std::map<int, std::size_t> by_split = choose_by_split(candidates, compared, scale);
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      for (PlacedRun& run : runs_of(i)) {
        const auto found = by_split.find(run.split);
        if (found != by_split.end() && found->second == i) out.runs.push_back(std::move(run));
      }
      const auto splits =
          std::ranges::count_if(by_split, [&](const auto& one) { return one.second == i; });
      if (splits > 0)
        choice.chosen += fmt::format("{}{} on {} splits", choice.chosen.empty() ? "" : ", ",
                                     candidates[i].name, splits);
    }
    std::ranges::sort(out.runs, {}, [](const PlacedRun& r) { return RunPlace(r.split, r.init); });
  } else if (chosen.index >= 0) {
    const auto at = static_cast<std::size_t>(chosen.index);
    choice.chosen = candidates[at].name;
    out.runs = runs_of(at);
  } else {
    // Nothing to show but what went wrong.
    out.runs = runs_of(0);
    std::erase_if(out.runs, [](const PlacedRun& run) {
      return run.record.status == RunStatus::kOk || run.record.status == RunStatus::kDiverged;
    });
  }
  out.choice = std::move(choice);
  return out;
}

// Runs that went well and have no score of the kind that is wanted.
void drop_unscored(std::vector<PlacedRun>& runs) {
  std::erase_if(runs, [](const PlacedRun& run) {
    return !run.record.test_score &&
           (run.record.status == RunStatus::kOk || run.record.status == RunStatus::kDiverged);
  });
}

// A cell as it is on the nodes of a group, or on the others. A run whose test set has none of these
// nodes, or that was scored before they were asked for, is left out.
CellResults on_stratum(const CellResults& cell, const std::string& name, const std::string& id,
                       bool inside) {
  CellResults out = cell;
  out.measure.group = inside ? name : kOtherNodes;
  for (PlacedRun& run : out.runs) {
    if (!run.record.test_score) continue;
    const auto& strata = run.record.strata;
    const auto found = std::find_if(strata.begin(), strata.end(),
                                    [&](const StratumScore& s) { return s.stratum == id; });
    run.record.test_score.reset();
    if (found != strata.end()) run.record.test_score = inside ? found->inside : found->outside;
  }
  drop_unscored(out.runs);
  return out;
}

// A cell by another metric, of runs that have a score by it.
CellResults by_metric(const CellResults& cell, const std::string& metric) {
  CellResults out = cell;
  out.measure = {metric};
  for (PlacedRun& run : out.runs) {
    if (!run.record.test_score) continue;
    run.record.test_score.reset();
    for (const auto& [name, score] : run.record.other_scores)
      if (name == metric) run.record.test_score = score;
  }
  drop_unscored(out.runs);
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

// Adds the rows that are quoted on a data set of the table.
void add_quoted(const TableResults& table, const Results& results,
                std::vector<std::string>& models) {
  for (const PublishedValue& value : results.published)
    if (value.table == table.id && value.mean && results.quoted.contains(value.model) &&
        std::ranges::count(table.datasets, value.dataset) > 0)
      models.push_back(value.model);
}

// "; it holds 12 runs of a search ...", or "".
std::string search_text(const Store& store) {
  const std::vector<StoredTrial> trials = store.trials();
  if (trials.empty()) return "";
  int runs = 0;
  for (const StoredTrial& trial : trials) runs += trial.runs;
  return fmt::format("; it holds {} run{} of {} trial{} of a search, which `cupel show {}` lists",
                     runs, runs == 1 ? "" : "s", trials.size(), trials.size() == 1 ? "" : "s",
                     store.path().string());
}

// What to say where there is no table of a protocol.
std::string nothing_of(const Store& store, const Protocol& protocol) {
  for (const StoredProtocol& kept : store.protocols()) {
    if (kept.name != protocol.name || kept.version == protocol.version) continue;
    return fmt::format(
        "the store has nothing of protocol '{0}' as it is now (version {1}), but results of it as "
        "it was (version {2}); `cupel report {3} --protocol {0}@{2}` reports those, and running it "
        "does what the new version asks for, and nothing twice",
        protocol.name, protocol.version.substr(0, kShortVersion),
        kept.version.substr(0, kShortVersion), store.path().string());
  }
  return fmt::format(
      "the store has nothing of protocol '{}'{}; run it (what is there already is not done again)",
      protocol.name, search_text(store));
}

// How well `wanted` names the protocol: by its name, or its name, '@' and the beginning of its
// version; 2 to the letter, 1 but for upper and lower case, 0 not at all.
int naming(const std::string& wanted, const StoredProtocol& kept) {
  const auto by = [&](const std::string& name) {
    return name == kept.name ? 2 : same_name(name, kept.name) ? 1 : 0;
  };
  const std::size_t at = wanted.rfind('@');  // a name may have one too
  if (at == std::string::npos || !kept.version.starts_with(wanted.substr(at + 1)))
    return by(wanted);
  return std::max(by(wanted), by(wanted.substr(0, at)));
}

// A cell names a row of its protocol, as it did when it was asked for.
void check_rows(const Store& store, const Protocol& protocol,
                const std::vector<StoredCell>& cells) {
  for (const StoredCell& cell : cells) {
    if (protocol.find_model(cell.model) != nullptr) continue;
    throw DamagedFile(fmt::format(
        "{}: the store has a cell of row '{}', which protocol '{}' does not have; somebody changed "
        "the store, so take a copy from before",
        store.path().string(), cell.model.substr(0, 80), protocol.name));
  }
}

// Rows of one column stand beside each other, and are compared split by split.
void check_columns(const Store& store, const std::vector<StoredCell>& cells) {
  std::map<std::pair<std::string, std::string>, const StoredCell*> first;
  for (const StoredCell& cell : cells) {
    const StoredCell& other = *first.try_emplace({cell.table, cell.dataset}, &cell).first->second;
    if (other.content == cell.content) continue;
    fail(
        "{}: rows '{}' and '{}' of '{}' in table '{}' were computed on different data of that "
        "name, and cannot stand beside each other; run the protocol again, which leaves out what "
        "is of other data",
        store.path().string(), other.model, cell.model, cell.dataset, cell.table);
  }
}

Results load(const Store& store, const Protocol& protocol) {
  const std::vector<StoredCell> cells = store.cells(protocol.version);
  check_rows(store, protocol, cells);
  check_columns(store, cells);
  Results out;
  out.protocol = protocol.name;
  out.title = protocol.title;
  out.of_program = is_of_program(protocol.text);
  out.published = protocol.published;
  for (const ModelRow& row : protocol.models) {
    if (!row.reading_of.empty()) out.reading_of[row.name] = row.reading_of;
    if (row.quoted) out.quoted.insert(row.name);
  }
  for (const TableSpec& spec : protocol.tables) {
    TableResults table;
    table.id = spec.id;
    table.title = spec.title;
    table.kind = spec.kind;
    table.source = spec.source;
    table.delta = spec.delta;
    table.protocol_rows = static_cast<int>(std::ranges::count_if(
        spec.models, [&](const std::string& row) { return !out.quoted.contains(row); }));
    table.design = design_of(spec.split);
    const std::string& read = spec.kind == "scores" ? spec.id : spec.source;
    std::vector<std::string> datasets, models;
    for (const StoredCell& cell : cells) {
      if (cell.table != read) continue;
      datasets.push_back(cell.dataset);
      models.push_back(cell.model);
    }
    if (datasets.empty()) continue;
    table.datasets = in_order(spec.datasets, datasets);
    if (spec.kind == "scores") add_quoted(table, out, models);
    table.models = in_order(spec.models, models);
    if (spec.kind != "scores") {
      // A derived table speaks of the protocol's own rows and columns only.
      std::erase_if(table.datasets, [&](const std::string& name) {
        return !std::count(spec.datasets.begin(), spec.datasets.end(), name);
      });
      const std::vector<std::string> found = table.models;
      table.models.clear();
      for (const std::string& name : spec.models) {
        const bool there = std::any_of(found.begin(), found.end(), [&](const std::string& row) {
          return row == name ||
                 (spec.kind == "readings" && protocol.find_model(row)->reading_of == name);
        });
        if (there) table.models.push_back(name);
      }
      if (table.datasets.empty() || table.models.empty()) continue;
    } else {
      table.strata = spec.strata;
      for (const std::string& dataset : table.datasets) {
        for (const std::string& model : table.models) {
          std::vector<const StoredCell*> configurations;
          for (const StoredCell& cell : cells) {
            if (cell.table == read && cell.dataset == dataset && cell.model == model)
              configurations.push_back(&cell);
          }
          if (configurations.empty()) continue;
          const std::string stratum = configurations.front()->stratum;
          CellResults cell = load_cell(store, protocol, configurations);
          cell.added = std::ranges::find(spec.datasets, dataset) == spec.datasets.end() &&
                       !protocol.paths.contains(dataset);
          cell.looks = store.looks(protocol.version, {read, dataset, model});
          if (spec.strata.empty()) {
            table.cells.push_back(cell);
          } else {
            for (const bool inside : {true, false})
              table.cells.push_back(on_stratum(cell, spec.strata, stratum, inside));
          }
          for (const std::string& metric : spec.also)
            if (metric != cell.measure.metric) table.cells.push_back(by_metric(cell, metric));
        }
      }
    }
    out.tables.push_back(std::move(table));
  }
  if (out.tables.empty()) {
    fail("{}: {}", store.path().string(), nothing_of(store, protocol));
  }
  return out;
}

}  // namespace

Results load_results(const Store& store, const Protocol& protocol) { return load(store, protocol); }

std::vector<StoredRun> runs_asked_of(const Store& store, const StoredCell& cell) {
  return stored_at(store, cell, asked_runs({&cell}));
}

Protocol stored_protocol(const Store& store, const std::string& name) {
  const std::vector<StoredProtocol> all = store.protocols();
  for (const int least : {2, 1}) {
    for (const StoredProtocol& kept : all) {
      if (!name.empty() && naming(name, kept) < least) continue;
      const bool published = !kept.published_text.empty();
      return parse_protocol(kept.name, kept.name + ".toml", kept.text,
                            published ? std::optional(kept.published_text) : std::nullopt);
    }
  }
  std::vector<std::string> names;
  for (const StoredProtocol& kept : all)
    names.push_back(fmt::format("{}@{}", kept.name, kept.version.substr(0, kShortVersion)));
  if (names.empty())
    fail("{}: the store has no table yet{}", store.path().string(), search_text(store));
  fail("{}: the store has nothing of protocol '{}'; it has: {}", store.path().string(), name,
       fmt::join(names, ", "));
}

Results load_results(const Store& store, const std::string& name) {
  return load(store, stored_protocol(store, name));
}

}  // namespace cupel
