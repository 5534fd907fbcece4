#include "cupel/api/tuning.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "cupel/base/error.h"
#include "cupel/base/options_json.h"
#include "cupel/base/paths.h"
#include "cupel/base/write_file.h"
#include "cupel/lab/protocol/extend.h"
#include "cupel/lab/protocol/write_toml.h"

namespace cupel {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

// The text of a file that is not there yet.
std::string tuned_file(const fs::path& path, const std::string& base, const std::string& changes) {
  if (is_there(path))
    fail("{}: is there already, and may be a protocol of yours; give another path", path.string());
  const fs::path folder = absolute_path(path).parent_path();
  const std::string out =
      fmt::format("extends = {}\n\n{}", toml_value(base_from(base, folder)), changes);
  try {
    (void)parse_source({.name = path.stem().string(),
                        .label = path.filename().string(),
                        .text = out,
                        .published = std::nullopt,
                        .folder = folder,
                        .place = path.string()});
  } catch (const Error& error) {
    fail("{}: cannot be a protocol that holds what is found: {}", path.string(), error.what());
  }
  return out;
}

// Numbers of trials; null for none.
Json number_of(const TuneModel& model, int trial) {
  return trial >= 0 ? Json(model.trials[static_cast<std::size_t>(trial)].number) : Json();
}

}  // namespace

Tuning::Tuning(TuningRequest request)
    : protocol_(std::move(request.protocol)),
      opener_(request.store, request.only_look),
      plan_(make_tune_plan(protocol_, request.tune, request.sources)),
      executor_(make_executor(
          hidden_from_programs(request.data_folder, opener_.path(), request.hidden))) {}

PlanEstimate Tuning::estimate(const ExecuteOptions& options, const Pilot& pilot) {
  return estimate_plan(plan_.plan, opener_.look(), *executor_, options, pilot);
}

Pending Tuning::pending(const ExecuteOptions& options) {
  return pending_runs(plan_.plan, opener_.look(), options.retry, options.shard);
}

ExecuteSummary Tuning::execute(const ExecuteOptions& options) {
  Store& store = opener_.store();
  return cupel::execute(pending(options), store, *executor_, options);
}

TuneResult Tuning::result() { return tune_result(plan_, opener_.look()); }

std::string Tuning::toml() { return tune_toml(result(), protocol_); }

std::string Tuning::changes() { return tuned_changes(result(), protocol_); }

void Tuning::check_tuned(const fs::path& path, const std::string& base) const {
  check_writable(path);
  // What is found will speak of the same rows and data sets as any trial.
  TuneResult found = plan_.empty;
  for (TuneModel& model : found.models) {
    model.trials.front().score = 0;
    model.trials.front().by_dataset.assign(found.datasets.size(), 0);
    model.best = found.by_dataset ? -1 : 0;
    model.best_on.assign(found.datasets.size(), 0);
  }
  (void)tuned_file(path, base, tuned_changes(found, protocol_));
}

void write_tuned(const fs::path& path, const std::string& base, const std::string& changes) {
  if (changes.empty())
    fail("{}: is not written, as no trial of any row is complete", path.string());
  write_file(path, tuned_file(path, base, changes));
}

Json tune_json(const TuneResult& result) {
  Json models = Json::array();
  for (const TuneModel& model : result.models) {
    Json trials = Json::array();
    for (const TuneTrial& trial : model.trials) {
      Json settings = Json::object();
      for (const auto& [name, value] : trial.settings) settings[name] = to_json(value);
      trials.push_back({{"number", trial.number},
                        {"settings", settings},
                        {"by_dataset", trial.by_dataset},
                        {"runs", trial.runs},
                        {"expected_runs", trial.expected},
                        {"score", trial.score ? Json(*trial.score) : Json()}});
    }
    Json best_on = Json::array();
    for (const int trial : model.best_on) best_on.push_back(number_of(model, trial));
    models.push_back({{"model", model.model},
                      {"best", number_of(model, model.best)},
                      {"best_by_dataset", best_on},
                      {"trials", trials}});
  }
  return {{"protocol", result.protocol},
          {"method", result.method},
          {"metric", result.metric},
          {"budget", result.budget},
          {"seed", result.seed},
          {"by_dataset", result.by_dataset},
          {"datasets", result.datasets},
          {"first_split", result.first_split},
          {"splits", result.splits},
          {"inits", result.inits},
          {"models", models}};
}

}  // namespace cupel
