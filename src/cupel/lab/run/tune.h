// The search for settings: every model gets the same number of trials, on splits that no table
// uses, and is selected by validation accuracy alone.
//
// A trial is one configuration, run on every data set, split and initialisation of the search. Its
// runs are kept in the same store under identities of their own ("scores":"valid"): the runs of a
// search never meet a test label, so there is no test score to look at. A search resumes like
// everything else, and a larger budget continues a smaller one.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cupel/lab/plan/plan.h"
#include "cupel/lab/protocol/protocol.h"
#include "cupel/lab/run/scheduler.h"
#include "cupel/lab/store/store.h"
#include "cupel/learn/score/scale.h"

namespace cupel {

// What of [tune] is wanted or changed. Empty and 0 mean as the protocol says.
struct TuneOptions {
  std::vector<std::string> models, datasets;
  std::string method;  // "grid" or "random"
  int budget = 0, splits = 0, inits = 0;
  bool by_dataset = false;
};

// The first `budget` configurations that a search tries, all different: of a grid in an order
// shuffled by `seed` (all of them, if they are no more than that), else drawn by `seed`. Numbers
// drawn from a range have four significant digits.
[[nodiscard]] std::vector<Settings> trial_settings(const SearchSpace& space,
                                                   const std::string& method, int budget,
                                                   std::uint32_t seed);

struct TuneTrial {
  int number = 0;                  // from 1, by model
  Settings settings;               // those searched
  std::vector<double> by_dataset;  // mean validation score, as far as the runs are there
  std::vector<bool> complete_on;   // by data set: all of its runs have one
  int runs = 0, expected = 0;      // with a validation score
  std::optional<double> score;     // mean over data sets; absent while or because runs are missing
};

struct TuneModel {
  std::string model;  // row name
  std::vector<TuneTrial> trials;
  int best = -1;  // index into trials; the first of equals; -1: no trial is complete
  std::vector<int> best_on = {};  // the same on each data set alone
};

struct TuneResult {
  std::string protocol, version, method, metric;
  MetricScale scale;  // of the metric
  int budget = 0, splits = 0, inits = 0, first_split = 0;
  std::uint32_t seed = 0;
  bool by_dataset = false;  // settings are to be the best ones of each data set
  std::vector<std::string> datasets;
  std::vector<TuneModel> models = {};
};

struct TunePlan {
  // Cells of a table "tune" whose rows are trials: "gcn#1". For pending_runs and estimate_plan; it
  // is not registered in a store.
  Plan plan;
  TuneResult empty;  // the trials, without scores
};

// Throws Error: no [tune] section, an unknown model or data set, settings that a model refuses.
[[nodiscard]] TunePlan make_tune_plan(const Protocol& protocol, const TuneOptions& options,
                                      const PlanSources& sources);

// Where the search stands.
[[nodiscard]] TuneResult tune_result(const TunePlan& plan, const Store& store);

// The best settings as sections to paste over those of the protocol file, with the search and its
// scores as comments. Settings that were not searched are repeated from the protocol. Where data
// sets were to have settings of their own, those that have stand in [[models.ROW.on]], and other
// data sets get what is best on all together.
[[nodiscard]] std::string tune_toml(const TuneResult& result, const Protocol& protocol);

// The same as what a protocol says that extends the one that was searched (extend.h): the settings
// that were searched and nothing else. A row without a trial that is complete, on any data set if
// each has its own, stays as it is. Empty if no row has one.
[[nodiscard]] std::string tuned_changes(const TuneResult& result, const Protocol& protocol);

}  // namespace cupel
