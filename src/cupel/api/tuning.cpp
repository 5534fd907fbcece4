#include "cupel/api/tuning.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "cupel/base/options_json.h"

namespace cupel {

using Json = nlohmann::ordered_json;

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
    const bool any = model.best >= 0;
    models.push_back(
        {{"model", model.model},
         {"best", any ? Json(model.trials[static_cast<std::size_t>(model.best)].number) : Json()},
         {"trials", trials}});
  }
  return {{"protocol", result.protocol},
          {"method", result.method},
          {"metric", result.metric},
          {"budget", result.budget},
          {"datasets", result.datasets},
          {"first_split", result.first_split},
          {"splits", result.splits},
          {"inits", result.inits},
          {"models", models}};
}

}  // namespace cupel
