// The card of a store: what it holds, cell by cell, and which runs went wrong.
#include <array>

#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "cupel/api/merge.h"
#include "cupel/base/json_text.h"
#include "cupel/cli/cards/cards.h"
#include "cupel/cli/cards/conflicts.h"
#include "cupel/cli/cards/trials.h"
#include "cupel/cli/text.h"
#include "cupel/lab/results/load.h"

namespace cupel::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostFailuresShown = 20;
constexpr std::size_t kShortId = 12;
constexpr std::array kStatuses = {RunStatus::kOk, RunStatus::kDiverged, RunStatus::kFailed,
                                  RunStatus::kTimeout};

bool went_wrong(const RunRecord& record) {
  return record.status == RunStatus::kFailed || record.status == RunStatus::kTimeout;
}

// A cell with its runs. Cells of several tables may share them.
struct FilledCell {
  StoredCell cell;
  std::vector<StoredRun> runs;
};

std::vector<FilledCell> cells_of(const Store& store, const StoredProtocol& protocol) {
  std::vector<FilledCell> out;
  for (const StoredCell& cell : store.cells(protocol.version))
    out.push_back({cell, runs_asked_of(store, cell)});
  return out;
}

// "sage, layers=3".
std::string model_text(const StoredCell& cell) {
  return cell.configuration.empty() ? cell.model : cell.model + ", " + cell.configuration;
}

Json cell_json(const FilledCell& filled) {
  Json runs = Json::array();
  for (const StoredRun& run : filled.runs) {
    const auto& score = run.record.test_score;
    runs.push_back({{"id", run.record.id},
                    {"split", run.split},
                    {"init", run.init},
                    {"status", to_text(run.record.status)},
                    {"test_score", score ? Json(*score) : Json()}});
  }
  return {{"table", filled.cell.table},   {"dataset", filled.cell.dataset},
          {"model", filled.cell.model},   {"configuration", filled.cell.configuration},
          {"metric", filled.cell.metric}, {"runs", runs}};
}

void add_cell(const FilledCell& filled, Columns& cells, Columns& failures, std::size_t& failed) {
  std::vector<std::string> row = {filled.cell.table, filled.cell.dataset, model_text(filled.cell)};
  for (const RunStatus status : kStatuses) {
    row.push_back(
        grouped(std::count_if(filled.runs.begin(), filled.runs.end(),
                              [&](const StoredRun& run) { return run.record.status == status; })));
  }
  cells.row(std::move(row));
  for (const StoredRun& run : filled.runs) {
    if (!went_wrong(run.record) || ++failed > kMostFailuresShown) continue;
    failures.row({run.record.id.substr(0, kShortId), filled.cell.dataset, model_text(filled.cell),
                  grouped(run.split), grouped(run.init), brief(run.record.message)});
  }
}

}  // namespace

std::string store_card(const Store& store, bool json) {
  if (json) {
    Json protocols = Json::array();
    for (const StoredProtocol& protocol : store.protocols()) {
      Json cells = Json::array();
      for (const FilledCell& filled : cells_of(store, protocol)) cells.push_back(cell_json(filled));
      protocols.push_back(
          {{"name", protocol.name}, {"version", protocol.version}, {"cells", cells}});
    }
    return json_text(Json{{"kind", "store"},
                          {"path", store.path().string()},
                          {"runs", store.run_count()},
                          {"unsealed", store.unsealed_count()},
                          {"conflicts", conflicts_json(store.conflicts())},
                          {"protocols", protocols},
                          {"trials", trials_json(store)}});
  }
  std::string out = labelled("Store", store.path().string());
  out += labelled("Runs", grouped(store.run_count()) + ", those of searches included");
  if (const std::int64_t unsealed = store.unsealed_count(); unsealed > 0)
    out += labelled("Unsealed", grouped(unsealed) +
                                    ", from before runs were sealed: edits of them "
                                    "may go unseen");
  if (const auto conflicts = store.conflicts(); !conflicts.empty())
    out += labelled("Conflicts", counted(static_cast<std::int64_t>(conflicts.size()), "run") +
                                     " that ended in different ways in stores that were "
                                     "merged: in no table until done again") +
           fmt::format("{}\n", fmt::join(conflict_lines(conflicts, store.path().string()), "\n"));
  for (const StoredProtocol& protocol : store.protocols()) {
    Columns cells("lllrrrr"), failures("lllrrw");
    cells.row({"TABLE", "DATA SET", "MODEL", "OK", "DIVERGED", "FAILED", "TIMED OUT"});
    failures.row({"RUN", "DATA SET", "MODEL", "SPLIT", "INIT", ""});
    std::size_t failed = 0;
    for (const FilledCell& filled : cells_of(store, protocol))
      add_cell(filled, cells, failures, failed);
    out += fmt::format("\nProtocol {}, version {}\n{}", protocol.name,
                       protocol.version.substr(0, kShortId), cells.text());
    if (failed > 0) out += "\nRuns of it without a score\n" + failures.text();
    if (failed > kMostFailuresShown)
      out += fmt::format("  and {} more (--json lists all)\n", failed - kMostFailuresShown);
  }
  out += trials_text(store);
  return out + "\n" +
         wrap(
             "`cupel show RUN --store FILE` prints a run and all that it depends on; --json lists "
             "the id of every run.");
}

}  // namespace cupel::cli
