// cupel tune: search the settings of a protocol's models, with the same budget for each.
#include <algorithm>
#include <cmath>
#include <memory>

#include <nlohmann/json.hpp>

#include "cupel/api/study_words.h"
#include "cupel/api/tuning.h"
#include "cupel/base/error.h"
#include "cupel/base/json_text.h"
#include "cupel/cli/cards/cards.h"
#include "cupel/cli/command.h"
#include "cupel/cli/options.h"
#include "cupel/cli/output.h"
#include "cupel/cli/shards.h"
#include "cupel/cli/text.h"
#include "cupel/cli/work.h"

namespace cupel::cli {
namespace {

struct Arguments {
  WorkArguments work;
  TuneOptions tune;
  std::string out, pilot;
};

std::string settings_line(const Settings& settings) {
  std::vector<std::string> parts;
  for (const auto& [name, value] : settings)
    parts.push_back(fmt::format("{}={}", name, to_text(value)));
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string shown(const TuneResult& result, double score) {
  return fmt::format("{:.2f}", result.scale.unit * score);
}

int complete_trials(const TuneModel& model) {
  return static_cast<int>(
      std::count_if(model.trials.begin(), model.trials.end(),
                    [](const TuneTrial& trial) { return trial.score.has_value(); }));
}

constexpr std::size_t kMostTrialsShown = 10;  // of a model

// Every trial that has a score, best first, then those that have none yet.
std::string trials_text(const TuneResult& result) {
  std::string out;
  for (const TuneModel& model : result.models) {
    std::vector<const TuneTrial*> order;
    for (const TuneTrial& trial : model.trials) order.push_back(&trial);
    std::stable_sort(order.begin(), order.end(), [&](const TuneTrial* a, const TuneTrial* b) {
      if (!a->score || !b->score) return a->score.has_value() && !b->score;
      return result.scale.is_better(*a->score, *b->score);
    });
    Columns columns("rrrw");
    columns.row({"TRIAL", "SCORE", "RUNS", "SETTINGS"});
    for (std::size_t i = 0; i < std::min(order.size(), kMostTrialsShown); ++i) {
      const TuneTrial& trial = *order[i];
      std::string runs = grouped(trial.runs);
      if (trial.runs < trial.expected) runs += " of " + grouped(trial.expected);
      std::string settings = settings_line(trial.settings);
      if (trial.by_dataset.size() > 1) {
        std::vector<std::string> scores;
        for (std::size_t d = 0; d < trial.by_dataset.size(); ++d)
          scores.push_back(std::isnan(trial.by_dataset[d]) ? "none"
                                                           : shown(result, trial.by_dataset[d]));
        settings += fmt::format(" ({})", fmt::join(scores, ", "));
      }
      columns.row({grouped(trial.number), trial.score ? shown(result, *trial.score) : "", runs,
                   std::move(settings)});
    }
    out += fmt::format("\nTrials of {}\n{}", model.model, columns.text());
    if (order.size() > kMostTrialsShown)
      out += fmt::format("  and {} more (--json lists all)\n",
                         grouped(static_cast<std::int64_t>(order.size() - kMostTrialsShown)));
  }
  if (result.datasets.size() > 1)
    out += "\n" + wrap("In brackets: by data set, in the order above.");
  return out;
}

// What is best on each data set, where that was asked for.
std::string by_dataset_text(const TuneResult& result) {
  if (!result.by_dataset) return "";
  Columns columns("llrw");
  columns.row({"MODEL", "DATA SET", "BEST", "SETTINGS"});
  for (const TuneModel& model : result.models) {
    for (std::size_t d = 0; d < result.datasets.size(); ++d) {
      if (model.best_on[d] < 0) {
        columns.row({model.model, result.datasets[d], "", "no trial is complete"});
        continue;
      }
      const TuneTrial& best = model.trials[static_cast<std::size_t>(model.best_on[d])];
      columns.row({model.model, result.datasets[d], shown(result, best.by_dataset[d]),
                   settings_line(best.settings)});
    }
  }
  return "\nOn each data set\n" + columns.text();
}

std::string result_text(const TuneResult& result, const std::string& toml) {
  std::string out = wrap(fmt::format(
      "{}: {} search on {}; {} from number {} on, {} each. Mean validation {}{}.", result.protocol,
      result.method, fmt::join(result.datasets, ", "), counted(result.splits, "split"),
      result.first_split, counted(result.inits, "init"), result.metric,
      result.scale.in_percent() ? " in percent" : ""));
  out += "\n";
  Columns columns("lrrw");
  columns.row({"MODEL", "TRIALS", "BEST", "SETTINGS"});
  for (const TuneModel& model : result.models) {
    const int complete = complete_trials(model);
    std::string trials = grouped(complete);
    if (complete < static_cast<int>(model.trials.size()))
      trials += " of " + grouped(static_cast<std::int64_t>(model.trials.size()));
    if (model.best < 0) {
      columns.row({model.model, trials, "", "no trial is complete"});
      continue;
    }
    const TuneTrial& best = model.trials[static_cast<std::size_t>(model.best)];
    columns.row({model.model, trials, shown(result, *best.score), settings_line(best.settings)});
  }
  return out + columns.text() + by_dataset_text(result) + trials_text(result) +
         "\nFor the protocol file:\n\n" + toml;
}

// Writes what was found; returns the exit code.
int write_out(const Arguments& arguments, Tuning& tuning, const WorkReport& done) {
  if (done.summary.interrupted) {
    print_note(fmt::format("{} is not written before all trials are done", arguments.out));
    return done.exit_code;
  }
  const std::string changes = tuning.changes();
  if (changes.empty()) {
    print_error(fmt::format("{} is not written, as no trial is complete", arguments.out));
    return std::max<int>(done.exit_code, kRunsFailed);
  }
  write_tuned(arguments.out, arguments.work.protocol, changes);
  print_note("wrote " + arguments.out);
  return done.exit_code;
}

int perform(const Arguments& arguments) {
  const WorkArguments& common = arguments.work;
  const Protocol protocol = load_protocol(common.protocol);
  TuneOptions tune = arguments.tune;
  tune.datasets = split_list(common.datasets);
  tune.models = split_list(common.models);
  const ExecuteOptions options = common.execute_options();
  StatusLine status;
  Tuning tuning({.protocol = protocol,
                 .tune = std::move(tune),
                 .sources = telling_sources(common.data.folder(), status),
                 .data_folder = common.data.folder(),
                 .store = common.store_path(protocol.name),
                 .only_look = common.dry_run});
  status.clear();
  if (!arguments.out.empty()) tuning.check_tuned(arguments.out, common.protocol);
  if (common.dry_run) {
    const Pilot pilot =
        pilot_of(arguments.pilot, tuning.plan(), tuning.look(), tuning.executor(), options);
    const PlanEstimate estimate = tuning.estimate(options, pilot);
    print_out(common.json ? json_text(estimate_json(estimate)) : estimate_text(estimate));
    return kDone;
  }
  announce_programs(tuning.pending(options));
  const WorkReport done = work(options, tuning.store_path(), [&](const ExecuteOptions& watched) {
    return tuning.execute(watched);
  });
  const TuneResult result = tuning.result();
  const std::string toml = tuning.toml();
  print_out(common.json ? json_text(tune_json(result)) : result_text(result, toml));
  return arguments.out.empty() ? done.exit_code : write_out(arguments, tuning, done);
}

Action declare(Syntax& syntax) {
  auto arguments = std::make_shared<Arguments>();
  add_protocol(syntax, arguments->work);
  syntax.count("--budget", arguments->tune.budget, "Trials for each model");
  syntax.text("--method", "METHOD", arguments->tune.method, "grid or random");
  syntax.count("--splits", arguments->tune.splits, "Splits of each trial");
  syntax.count("--inits", arguments->tune.inits, "Initialisations on each split");
  syntax.flag("--by-dataset", arguments->tune.by_dataset,
              "The best settings of each data set, not of all together");
  add_work(syntax, arguments->work);
  add_pilot(syntax, arguments->pilot);
  syntax.text("--out", "FILE", arguments->out,
              "Also write a protocol to this new TOML file: it extends\nPROTOCOL by the best "
              "settings, and `cupel run FILE` runs\nthem");
  syntax.footer(
      wrap("What is not given is as the protocol's [tune] says. Trials are scored on validation "
           "nodes of splits that no table uses, but where the protocol has no others; they never "
           "meet a test label. The same command resumes."));
  return [arguments] { return perform(*arguments); };
}

}  // namespace

extern const Command command_tune;
const Command command_tune = {Topic::kRuns, "tune", "Search settings, the same budget for all",
                              declare};

}  // namespace cupel::cli
