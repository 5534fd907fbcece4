// A folder of MLflow's file store: one experiment, a run of it for each run behind the cells of
// score tables, with parameters, metrics and tags. `--backend-store-uri` of MLflow is the folder.
//
//   EXPERIMENT/meta.yaml, tags/
//   EXPERIMENT/RUN/meta.yaml, params/, metrics/ (lines "time value step"), tags/, artifacts/
//
// Scores are fractions, as stored. A run that stands in several cells (of the same table, by other
// metrics or groups) is one run with several metrics. Runs that failed or timed out are FAILED.
// Cupel keeps how long a run took and not when: all begin at 0, and end after their seconds.
#include <fmt/format.h>

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>

#include "cupel/base/hash.h"
#include "cupel/base/json_text.h"
#include "cupel/judge/report/plain_key.h"
#include "cupel/judge/report/print.h"
#include "cupel/judge/report/report.h"
#include "cupel/judge/report/yaml.h"

namespace cupel {
namespace {

using Json = nlohmann::json;
using report::plain_key;
using report::yaml_quoted;

// Numbers of MLflow's RunStatus.
constexpr int kFinished = 3, kFailed = 4;

// One run with the cells of a table that it stands in.
struct Exported {
  const TableResults* table;
  std::vector<std::pair<const CellResults*, const PlacedRun*>> places;

  const CellResults& cell() const { return *places.front().first; }
  const PlacedRun& placed() const { return *places.front().second; }
  const RunRecord& record() const { return placed().record; }
};

// By place, since one run of a model that draws nothing stands at every initialisation.
std::vector<Exported> exported_runs(const Results& results) {
  std::vector<Exported> out;
  for (const TableResults& table : results.tables) {
    std::map<std::tuple<std::string, std::string, int, int>, std::size_t> known;
    for (const CellResults& cell : table.cells) {
      for (const PlacedRun& run : cell.runs) {
        const auto [at, is_new] =
            known.emplace(std::tuple(cell.dataset, cell.model, run.split, run.init), out.size());
        if (is_new) out.push_back({&table, {}});
        out[at->second].places.emplace_back(&cell, &run);
      }
    }
  }
  return out;
}

std::string experiment_id(const Results& results) {
  constexpr std::uint64_t kMost = 1'000'000'000'000'000'000;  // 18 digits, as MLflow's own
  return std::to_string(
      std::stoull(sha256("experiment/" + results.protocol).substr(0, 16), nullptr, 16) % kMost);
}

std::string run_id(const Results& results, const Exported& run) {
  Hasher hash;
  hash.field(results.protocol).field(run.table->id).field(run.cell().dataset);
  hash.field(run.cell().model).field(std::int64_t{run.placed().split});
  hash.field(std::int64_t{run.placed().init}).field(run.record().id);
  return hash.hex().substr(0, 32);
}

// The files of one run. MLflow's keys are names of files.
class RunFolder {
 public:
  RunFolder(const PutFile& put, std::string path) : put_(put), path_(std::move(path)) {}
  void param(const std::string& key, const std::string& value) { file("params", key, value); }
  void tag(const std::string& key, const std::string& value) { file("tags", key, value); }
  void metric(const std::string& key, double value) {
    if (std::isfinite(value)) put_(file_of("metrics", key), fmt::format("0 {} 0\n", value));
  }
  void meta(const std::string& text) { put_(path_ + "/meta.yaml", text); }
  void artifact(const std::string& name, const std::string& text) {
    put_(path_ + "/artifacts/" + name, text);
  }

 private:
  // No key stands twice; an empty value is no value.
  void file(const char* kind, const std::string& key, const std::string& value) {
    if (!value.empty()) put_(file_of(kind, key), printable(value));
  }
  // Keys that differ in what names of files lack have files of their own.
  std::string file_of(const char* kind, const std::string& key) {
    std::string out = fmt::format("{}/{}/{}", path_, kind, plain_key(key));
    if (!taken_.insert(out).second) out += "_" + sha256(key).substr(0, 8);
    return out;
  }

  const PutFile& put_;
  std::string path_;
  std::set<std::string> taken_;
};

// What the run's result depends on: each leaf of the JSON under the keys that lead to it.
void put_leaves(const Json& value, const std::string& key, RunFolder& run) {
  if (value.is_object()) {
    for (const auto& [name, inner] : value.items()) put_leaves(inner, key + "." + name, run);
  } else {
    run.param(key, value.is_string() ? value.get<std::string>()
                                     : value.dump(-1, ' ', false, Json::error_handler_t::replace));
  }
}

void put_params(const Results& results, const Exported& one, const Json& identity, RunFolder& run) {
  run.param("protocol", results.protocol);
  run.param("table", one.table->id);
  run.param("dataset", one.cell().dataset);
  run.param("model", one.cell().model);
  if (one.cell().choice) run.param("configuration", one.placed().configuration);
  run.param("split", std::to_string(one.placed().split));
  run.param("init", std::to_string(one.placed().init));
  if (identity.is_object() && identity.contains("family"))
    put_leaves(identity["family"], "family", run);
}

void put_metrics(const Exported& one, RunFolder& run) {
  const RunRecord& record = one.record();
  // By name, as a metric that is kept beside may be that of a cell as well.
  std::map<std::string, double> all;
  for (const auto& [name, score] : record.other_scores) all["test_" + name] = score;
  for (const auto& [cell, placed] : one.places) {
    if (placed->record.test_score) all["test_" + cell->measure.word()] = *placed->record.test_score;
  }
  if (record.valid_score) {
    all["valid_" + record.metric] = *record.valid_score;
    all["valid_loss"] = record.valid_loss;
  }
  if (record.epochs > 0) all["epochs"] = record.epochs;
  if (record.best_epoch >= 0) all["best_epoch"] = record.best_epoch;
  all["seconds"] = record.seconds;
  if (record.memory_bytes > 0) all["memory_bytes"] = static_cast<double>(record.memory_bytes);
  for (const auto& [name, value] : all) run.metric(name, value);
}

void put_run(const Results& results, const Exported& one, const std::string& experiment,
             const PutFile& put) {
  const RunRecord& record = one.record();
  const std::string id = run_id(results, one);
  const std::string name = fmt::format("{} on {}, split {}, init {}", one.cell().model,
                                       one.cell().dataset, one.placed().split, one.placed().init);
  const bool failed = record.status == RunStatus::kFailed || record.status == RunStatus::kTimeout;
  RunFolder run(put, experiment + "/" + id);
  run.meta(fmt::format(
      "artifact_uri: ''\nend_time: {}\nentry_point_name: ''\nexperiment_id: '{}'\n"
      "lifecycle_stage: active\nrun_id: '{}'\nrun_name: {}\nrun_uuid: '{}'\nsource_name: ''\n"
      "source_type: 4\nsource_version: ''\nstart_time: 0\nstatus: {}\ntags: []\nuser_id: cupel\n",
      std::llround(std::isfinite(record.seconds) ? record.seconds * 1000 : 0), experiment, id,
      yaml_quoted(name), id, failed ? kFailed : kFinished));
  run.tag("mlflow.runName", name);
  run.tag("mlflow.user", "cupel");
  run.tag("cupel.run", record.id);
  run.tag("cupel.status", to_text(record.status));
  run.tag("cupel.message", record.message);
  run.tag("cupel.isolation", record.isolation);
  const Json identity = Json::parse(record.identity, nullptr, false);
  put_params(results, one, identity, run);
  put_metrics(one, run);
  // MLflow takes a folder for a run only if it has artifacts.
  run.artifact("identity.json", json_text(identity.is_discarded() ? Json::object() : identity));
}

// They are no runs of the experiment, as nobody knows what came out. Cells by several metrics have
// the same runs.
std::size_t runs_in_conflict(const Results& results) {
  std::map<std::tuple<std::string, std::string, std::string>, std::size_t> counts;
  for (const TableResults& table : results.tables)
    for (const CellResults& cell : table.cells)
      counts[{table.id, cell.dataset, cell.model}] = cell.conflicts.size();
  std::size_t out = 0;
  for (const auto& [place, count] : counts) out += count;
  return out;
}

void put_store(const Report&, const Results& results, const PutFile& put) {
  const std::string experiment = experiment_id(results);
  const std::string name = results.protocol.empty() ? "unnamed" : results.protocol;
  put(experiment + "/meta.yaml",
      fmt::format("artifact_location: ''\ncreation_time: 0\nexperiment_id: '{}'\n"
                  "last_update_time: 0\nlifecycle_stage: active\nname: {}\n",
                  experiment, yaml_quoted(name)));
  if (!results.title.empty())
    put(experiment + "/tags/mlflow.note.content", printable(results.title));
  if (const std::size_t count = runs_in_conflict(results); count > 0)
    put(experiment + "/tags/cupel.runs_in_conflict", std::to_string(count));
  for (const Exported& run : exported_runs(results)) put_run(results, run, experiment, put);
}

}  // namespace

extern const Format format_mlflow;
const Format format_mlflow = {"mlflow", "", "a folder as MLflow's file store, a run per run",
                              nullptr, put_store};

}  // namespace cupel
