#include "cupel/cli/cards/trials.h"

#include <algorithm>
#include <map>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "cupel/cli/text.h"
#include "cupel/data/catalog/catalog.h"
#include "cupel/learn/score/metrics.h"

namespace cupel::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostShown = 10;  // of a model on a data set

// A trial on one data set. Its identity has no name of the data, only their hash.
struct Trial {
  std::string model, dataset;
  Json settings;
  StoredTrial stored;
  MetricScale scale;  // of its metric
};

std::string dataset_name(const StoredTrial& trial, const std::string& content) {
  if (!trial.dataset.empty()) return trial.dataset;
  const Recipe* recipe = recipe_of_content(content);
  return recipe != nullptr ? recipe->name : "data " + content.substr(0, 12);
}

std::vector<Trial> trials_of(const Store& store) {
  std::vector<Trial> out;
  for (StoredTrial& stored : store.trials()) {
    const Json identity = Json::parse(stored.identity);
    const Json& model = identity.at("model");
    Trial trial;
    trial.model = model.at("name").get<std::string>();
    if (model.contains("program")) trial.model = model["program"].value("command", trial.model);
    trial.dataset = dataset_name(stored, identity.at("dataset").at("content").get<std::string>());
    trial.settings = model.at("settings");
    trial.scale = scale_of_metric(identity.at("metric").get<std::string>());
    trial.stored = std::move(stored);
    out.push_back(std::move(trial));
  }
  std::stable_sort(out.begin(), out.end(), [](const Trial& a, const Trial& b) {
    const auto &mine = a.stored.mean_valid_score, &other = b.stored.mean_valid_score;
    const auto place = [](const Trial& trial) {
      return std::tie(trial.model, trial.dataset, trial.scale.unit);
    };
    if (place(a) != place(b)) return place(a) < place(b);
    if (!mine || !other) return mine.has_value() && !other;
    return a.scale.is_better(*mine, *other);
  });
  return out;
}

// The settings in which the trials of a model differ.
std::string settings_text(const Trial& trial, const std::vector<Trial>& all) {
  std::vector<std::string> parts;
  for (const auto& [name, value] : trial.settings.items()) {
    const bool differs = std::any_of(all.begin(), all.end(), [&, &at = name](const Trial& other) {
      return other.model == trial.model && other.settings.value(at, Json()) != trial.settings[at];
    });
    if (differs) parts.push_back(fmt::format("{}={}", name, value.dump()));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

}  // namespace

std::string trials_text(const Store& store) {
  const std::vector<Trial> trials = trials_of(store);
  if (trials.empty()) return "";
  Columns columns("llrrrw");
  columns.row({"MODEL", "DATA SET", "RUNS", "FAILED", "VALIDATION", "SETTINGS THAT DIFFER"});
  std::map<std::pair<std::string, std::string>, std::size_t> shown;
  std::size_t left = 0;
  for (const Trial& trial : trials) {
    if (++shown[{trial.model, trial.dataset}] > kMostShown) {
      ++left;
      continue;
    }
    const auto& score = trial.stored.mean_valid_score;
    columns.row({trial.model, trial.dataset, grouped(trial.stored.runs),
                 grouped(trial.stored.failed),
                 score ? fmt::format("{:.2f}", trial.scale.unit * *score) : "",
                 settings_text(trial, trials)});
  }
  const bool ranks =
      std::ranges::any_of(trials, [](const Trial& trial) { return !trial.scale.in_percent(); });
  std::string out = fmt::format(
      "\nTrials of searches: mean validation score in percent{}, best "
      "first\n",
      ranks ? " (ranks as they are)" : "");
  out += columns.text();
  if (left > 0) out += fmt::format("  and {} more (--json lists all)\n", grouped(left));
  return out;
}

Json trials_json(const Store& store) {
  Json out = Json::array();
  for (const Trial& trial : trials_of(store)) {
    const auto& score = trial.stored.mean_valid_score;
    out.push_back({{"model", trial.model},
                   {"dataset", trial.dataset},
                   {"settings", trial.settings},
                   {"family", trial.stored.family},
                   {"runs", trial.stored.runs},
                   {"failed", trial.stored.failed},
                   {"valid_score", score ? Json(*score) : Json()}});
  }
  return out;
}

}  // namespace cupel::cli
