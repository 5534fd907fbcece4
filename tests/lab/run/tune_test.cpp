#include "cupel/lab/run/tune.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <type_traits>

#include "cupel/lab/protocol/extend.h"
#include "cupel/lab/record/identity.h"
#include "cupel/lab/results/load.h"
#include "cupel/lab/run/pending.h"
#include "cupel/learn/train/trainer.h"
#include "error_of.h"
#include "lab/fake.h"

namespace cupel {
namespace {

using made::fake_sources;
using made::FakeExecutor;
using made::TempFolder;

// Sealed by type: what a trainer is built from has no way to labels other than these two members,
// and what it returns are scores.
template <class T>
concept HasTestLabels = requires(T t) {
  t.test_labels;
}
|| requires(T t) { t.labels(); }
|| requires(T t) { t.data(); };
static_assert(!HasTestLabels<TaskView>);
static_assert(HasTestLabels<ClassTask>);
static_assert(!std::is_constructible_v<Trainer, ClassTask, const ModelEntry&, Options, TrainRule>);
static_assert(!std::is_convertible_v<SealedLabels, std::vector<Index>>);
template <class T>
concept HasTestScore = requires(T t) {
  t.test_score;
};
static_assert(!HasTestScore<TuneTrial> && !HasTestScore<TrialOutcome> && HasTestScore<RunRecord>);

const char* kText = R"(
[data]
datasets = ["one", "three", "five"]
[split]
count = 10
[train]
inits = 3
[models.gcn]
hidden = 64
[models.mlp]
[models.fixed]
[tune]
budget = 6
datasets = ["one", "three"]
splits = 2
inits = 2
[tune.grid.gcn]
lr = [0.1, 0.2, 0.3]
hidden = [8, 16, 32, 64]
[tune.grid.fixed]
lr = [0.1, 0.2]
[tune.random.gcn]
lr = { log = [1e-3, 1e-1] }
hidden = [8, 16]
)";

Protocol protocol() { return parse_protocol("t", "t.toml", kText); }

TEST(Tune, TheGridIsWalkedOnceInAKeyedOrder) {
  const SearchSpace space = protocol().tune->grid[0];
  const auto all = trial_settings(space, "grid", 1000, 0);
  EXPECT_EQ(all.size(), 12u);
  EXPECT_EQ(std::set<Settings>(all.begin(), all.end()).size(), 12u);
  // A smaller budget is the beginning of a larger one.
  const auto some = trial_settings(space, "grid", 5, 0);
  EXPECT_EQ(some, std::vector<Settings>(all.begin(), all.begin() + 5));
  EXPECT_NE(trial_settings(space, "grid", 12, 1), all);
}

TEST(Tune, RandomTrialsFollowTheirRanges) {
  const SearchSpace space = protocol().tune->random[0];
  const auto all = trial_settings(space, "random", 400, 0);
  ASSERT_EQ(all.size(), 400u);
  const auto some = trial_settings(space, "random", 50, 0);
  EXPECT_EQ(some, std::vector<Settings>(all.begin(), all.begin() + 50));
  int low = 0, small = 0;
  for (const Settings& s : all) {
    const double lr = std::get<double>(s.at("lr"));
    EXPECT_GE(lr, 1e-3);
    EXPECT_LE(lr, 1e-1);
    low += lr < 1e-2;  // half of it, in logarithms
    small += s.at("hidden") == OptionValue(std::int64_t{8});
  }
  EXPECT_NEAR(low, 200, 50);  // five standard deviations
  EXPECT_NEAR(small, 200, 50);
}

// Looking through all trials for each draw would take hours.
TEST(Tune, ManyRandomTrialsAreDrawnOnce) {
  const SearchSpace space = protocol().tune->random[0];
  const auto all = trial_settings(space, "random", 30'000, 0);
  EXPECT_EQ(all.size(), 30'000u);
  EXPECT_EQ(std::set<Settings>(all.begin(), all.end()).size(), all.size());
}

// A store of a search alone has trials and no table, and says so where a table is asked for.
TEST(Tune, TheStoreKnowsItsTrials) {
  const TunePlan plan = make_tune_plan(protocol(), {}, fake_sources());
  TempFolder folder;
  Store store(folder / "s");
  EXPECT_TRUE(store.trials().empty());
  FakeExecutor executor;
  executor.on_run = [](const RunGroup& group, int init, const RunLimits&) {
    if (group.family->row == "gcn#2" && group.split == 10 && init == 0) fail("a llama");
  };
  execute(pending_runs(plan.plan, store), store, executor, {});
  const std::vector<StoredTrial> trials = store.trials();
  EXPECT_EQ(trials.size(), (6u + 2u) * 2u);
  std::map<std::string, const PlannedCell*> cells;
  for (const PlannedCell& cell : plan.plan.cells) cells[cell.family->id] = &cell;
  int runs = 0, failed = 0;
  for (const StoredTrial& trial : trials) {
    ASSERT_TRUE(cells.contains(trial.family));
    EXPECT_EQ(trial.identity, cells[trial.family]->family->identity);
    EXPECT_EQ(trial.dataset, "") << "a search keeps no names";
    double sum = 0;
    int scored = 0;
    for (const StoredRun& run : store.runs(trial.family)) {
      if (!run.record.valid_score) continue;
      sum += *run.record.valid_score;
      ++scored;
    }
    EXPECT_NEAR(trial.mean_valid_score.value(), sum / scored, 1e-12);
    EXPECT_EQ(trial.runs, scored + trial.failed);
    runs += trial.runs;
    failed += trial.failed;
  }
  EXPECT_EQ(runs, 6 * 8 + 2 * 4);
  EXPECT_EQ(failed, 2);  // on each data set
  for (const std::string& said : {error_of([&] { (void)load_results(store); }),
                                  error_of([&] { (void)load_results(store, protocol()); })}) {
    EXPECT_NE(said.find("56 runs of 16 trials of a search"), std::string::npos) << said;
    EXPECT_NE(said.find("cupel show "), std::string::npos) << said;
  }
  // Once a table has the data, their name is known.
  store.register_plan(make_plan(protocol(), {}, fake_sources()));
  for (const StoredTrial& trial : store.trials())
    EXPECT_EQ(trial.dataset, cells[trial.family]->dataset);
}

TEST(Tune, SelectsByValidationOnSplitsOfItsOwn) {
  const TunePlan plan = make_tune_plan(protocol(), {}, fake_sources());
  TempFolder folder;
  Store store(folder / "s");
  FakeExecutor executor;
  std::set<int> splits;
  executor.on_run = [&](const RunGroup& group, int, const RunLimits&) {
    splits.insert(group.split);
    EXPECT_FALSE(group.family->scores_test);
    EXPECT_NE(group.family->identity.find("\"scores\":\"valid\""), std::string::npos);
  };
  ExecuteOptions options;
  options.jobs = 1;
  const Pending pending = pending_runs(plan.plan, store);
  // gcn: 6 trials x 2 data sets x 2 splits x 2 inits; fixed has 2 trials and needs one init.
  EXPECT_EQ(pending.planned, 6 * 8 + 2 * 4);
  execute(pending, store, executor, options);
  EXPECT_EQ(splits, (std::set<int>{10, 11}));

  const TuneResult result = tune_result(plan, store);
  ASSERT_EQ(result.models.size(), 2u);
  ASSERT_EQ(result.models[0].trials.size(), 6u);
  // The oracle: the mean over the store's rows, by hand.
  double best = -1;
  int best_number = 0;
  for (const TuneTrial& trial : result.models[0].trials) {
    EXPECT_EQ(trial.runs, 8);
    double sum = 0;
    int runs = 0;
    for (const PlannedCell& cell : plan.plan.cells) {
      if (cell.model != fmt::format("gcn#{}", trial.number)) continue;
      for (const StoredRun& run : store.runs(cell.family->id)) {
        sum += *run.record.valid_score;
        ++runs;
      }
    }
    EXPECT_EQ(runs, 8);
    EXPECT_NEAR(*trial.score, sum / 8, 1e-12);
    if (sum / 8 > best + 1e-12) {
      best = sum / 8;
      best_number = trial.number;
    }
  }
  const TuneTrial& chosen =
      result.models[0].trials[static_cast<std::size_t>(result.models[0].best)];
  EXPECT_EQ(chosen.number, best_number);

  // Again: nothing to do. A larger budget: the new trials alone.
  EXPECT_EQ(pending_runs(plan.plan, store).groups.size(), 0u);
  TuneOptions more;
  more.budget = 8;
  EXPECT_EQ(pending_runs(make_tune_plan(protocol(), more, fake_sources()).plan, store).stored, 56);

  // What to paste reads, and says what was found.
  const std::string toml = tune_toml(result, protocol());
  const Protocol pasted = parse_protocol("p", "p.toml", "[data]\ndatasets=['one']\n" + toml);
  EXPECT_EQ(pasted.find_model("gcn")->settings, chosen.settings);
  EXPECT_NE(toml.find("6 trials a model"), std::string::npos) << toml;
}

TEST(Tune, AnIncompleteTrialIsNotChosen) {
  const TunePlan plan = make_tune_plan(protocol(), {{"gcn"}, {}, "", 2, 1, 1}, fake_sources());
  TempFolder folder;
  Store store(folder / "s");
  FakeExecutor executor;
  executor.on_run = [](const RunGroup& group, int, const RunLimits&) {
    if (group.family->row == "gcn#1" && group.family->dataset->name == "three") fail("no");
  };
  execute(pending_runs(plan.plan, store), store, executor, {});
  const TuneResult result = tune_result(plan, store);
  EXPECT_FALSE(result.models[0].trials[0].score);
  EXPECT_EQ(result.models[0].trials[0].runs, 1);
  EXPECT_EQ(result.models[0].best, 1);
}

TEST(Tune, AssessmentAndSearchShareNoRun) {
  const Protocol p = protocol();
  std::set<std::string> families;
  for (const PlannedCell& cell : make_plan(p, {}, fake_sources()).cells)
    families.insert(cell.family->id);
  for (const PlannedCell& cell : make_tune_plan(p, {}, fake_sources()).plan.cells)
    EXPECT_FALSE(families.contains(cell.family->id));
}

// A search asks what its protocol asks: what its runs on a split of both are known by differs in
// that nothing is scored on test, and in nothing else.
TEST(Tune, ASearchAsksWhatItsProtocolAsks) {
  for (const char* question :
       {"[links]\nnegatives = 'uniform:ratio=5'\n",
        "[links]\nnegatives = 'all'\nvalid_negatives = 'corrupt:count=9'\n"}) {
    const Protocol p = parse_protocol(
        "p", "p.toml",
        std::string("task = 'links'\nmetric = 'mrr'\n[data]\ndatasets = ['one']\n[split]\n"
                    "scheme = 'links'\ncount = 2\n[models.gcn]\nlr = 0.1\n[tune.grid.gcn]\n"
                    "lr = [0.1]\n") +
            question);
    Family assessed = *make_plan(p, {}, fake_sources()).cells.at(0).family;
    assessed.scores_test = false;
    seal(assessed);
    EXPECT_EQ(make_tune_plan(p, {}, fake_sources()).plan.cells.at(0).family->identity,
              assessed.identity);
  }
}

TEST(Tune, WhatRowsChooseOfTheRuleMayBeSearched) {
  const std::string text =
      "[data]\ndatasets = ['one']\n[split]\ncount = 2\n[models.gcn]\nlr = 0.1\n"
      "[models.gcn.choices]\nbatch_size = [32, 128]\n[[models.gcn.on]]\ndatasets = ['one']\n"
      "train = { batch_size = 16, patience = 3 }\n[tune.grid.gcn]\n";
  const Protocol p = parse_protocol("p", "p.toml", text + "batch_size = [32, 128]\n");
  const TunePlan plan = make_tune_plan(p, {}, fake_sources());
  std::set<int> sizes;
  for (const PlannedCell& cell : plan.plan.cells) {
    sizes.insert(cell.family->rule.batch_size);
    EXPECT_EQ(cell.family->rule.patience, 3);
  }
  EXPECT_EQ(sizes, (std::set<int>{32, 128}));

  TempFolder folder;
  Store store(folder / "s");
  execute(pending_runs(plan.plan, store), store, FakeExecutor(), {});
  const TuneResult result = tune_result(plan, store);
  const TuneModel& model = result.models.at(0);
  const Settings& best = model.trials.at(static_cast<std::size_t>(model.best)).settings;
  const std::string toml = tune_toml(result, p);
  const Protocol pasted = parse_protocol("p", "p.toml", "[data]\ndatasets = ['one']\n" + toml);
  const Plan again = make_plan(pasted, {}, fake_sources());
  ASSERT_EQ(again.cells.size(), 1u);
  EXPECT_EQ(OptionValue(std::int64_t{again.cells[0].family->rule.batch_size}),
            best.at("batch_size"))
      << toml;

  const std::string said = error_of([&] {
    (void)make_tune_plan(parse_protocol("p", "p.toml", text + "batch_size = [1]\n"), {},
                         fake_sources());
  });
  EXPECT_NE(said.find("[tune.grid.gcn]: batch_size cannot be 1"), std::string::npos) << said;
}

// Rows with choices and with data sets of their own, in every way in which these can come before
// what is said of the row.
constexpr const char* kSpecial = R"(
[data]
datasets = ["one", "three", "five"]
[split]
count = 10
[models.gcn]
choices = { "lr, hidden" = [[0.1, 8], [0.2, 16]], batch_size = [16, 64] }
[[models.gcn.on]]
datasets = ["five"]
lr = 0.7
train = { batch_size = 8, patience = 4 }
[[models.gcn.on]]
datasets = ["Three"]
choices = { lr = [0.5, 0.6] }
train = { patience = 3 }
[models.mlp]
lr = 0.3
[tune]
budget = 12
datasets = ["one", "three"]
splits = 2
[tune.grid.gcn]
lr = [0.1, 0.2, 0.3]
hidden = [8, 16]
batch_size = [32, 128]
)";

// Identities of the cells of a plan by row and data set, as if nothing were scored on test.
std::map<std::pair<std::string, std::string>, std::string> searched_identities(const Plan& plan) {
  std::map<std::pair<std::string, std::string>, std::string> out;
  for (const PlannedCell& cell : plan.cells) {
    EXPECT_EQ(cell.configuration, "") << "nothing is left to choose";
    Family family = *cell.family;
    family.scores_test = false;
    seal(family);
    EXPECT_TRUE(out.emplace(std::pair(cell.model, cell.dataset), family.identity).second);
  }
  return out;
}

// The oracle are the families of the search itself: those of its best trials are what is run.
TEST(Tune, WhatExtendsTheProtocolRunsWhatWasFound) {
  const Protocol p = parse_protocol("p", "p.toml", kSpecial);
  TempFolder folder;
  Store store(folder / "s");
  bool differ = false;
  for (const bool by_dataset : {false, true}) {
    TuneOptions options;
    options.by_dataset = by_dataset;
    const TunePlan plan = make_tune_plan(p, options, fake_sources());
    execute(pending_runs(plan.plan, store), store, FakeExecutor(), {});
    std::map<std::string, std::map<int, double>> scores;  // by data set and trial
    std::map<std::pair<std::string, int>, std::string> identities;
    for (const PlannedCell& cell : plan.plan.cells) {
      const int trial = std::stoi(cell.model.substr(cell.model.find('#') + 1));
      identities[{cell.dataset, trial}] = cell.family->identity;
      for (const StoredRun& run : store.runs(cell.family->id))
        scores[cell.dataset][trial] += *run.record.valid_score;
    }
    ASSERT_EQ(scores.size(), 2u);
    const auto best = [&](const std::vector<std::string>& datasets) {
      std::map<int, double> sums;
      for (const std::string& name : datasets)
        for (const auto& [trial, score] : scores[name]) sums[trial] += score;
      return std::ranges::max_element(sums, {}, [](const auto& one) { return one.second; })->first;
    };
    const int all = best({"one", "three"});
    differ = differ || best({"one"}) != all || best({"three"}) != all;

    const TuneResult result = tune_result(plan, store);
    const std::string changes = tuned_changes(result, p);
    const Protocol found = extend_protocol(p, "found", changes);
    const auto run = searched_identities(make_plan(found, {}, fake_sources()));
    for (const std::string name : {"one", "three"}) {
      const int trial = by_dataset ? best({name}) : all;
      EXPECT_EQ(run.at({"gcn", name}), identities.at({name, trial})) << changes;
    }
    // A data set that was not searched on has what is best on those that were.
    const auto settings = [](const std::string& identity, const char* key) {
      const std::size_t at = identity.find(fmt::format("\"{}\":", key));
      return identity.substr(at, identity.find_first_of(",}", at) - at);
    };
    for (const char* key : {"lr", "hidden", "batch_size"})
      EXPECT_EQ(settings(run.at({"gcn", "five"}), key), settings(identities.at({"one", all}), key));
    EXPECT_EQ(settings(run.at({"gcn", "five"}), "patience"), "\"patience\":4") << changes;
    EXPECT_NE(changes.find("12 trials a model by seed 0"), std::string::npos) << changes;
    EXPECT_NE(changes.find("p@" + p.version), std::string::npos) << changes;
    // The same as sections to paste.
    std::string text = kSpecial;
    text.erase(text.find("[models.gcn]"), text.find("[models.mlp]") - text.find("[models.gcn]"));
    text.erase(text.find("[tune]"));
    const auto pasted = searched_identities(
        make_plan(parse_protocol("p", "p.toml", text + tune_toml(result, p)), {}, fake_sources()));
    EXPECT_EQ(pasted, run) << tune_toml(result, p);
  }
  EXPECT_TRUE(differ) << "the data sets should have other best trials";
}

// Where no trial is complete on all data sets, those that have one get theirs alone.
TEST(Tune, ADataSetOfItsOwnNeedsNoOther) {
  const Protocol p = parse_protocol("p", "p.toml", kSpecial);
  TuneOptions options;
  options.by_dataset = true;
  const TunePlan plan = make_tune_plan(p, options, fake_sources());
  TempFolder folder;
  Store store(folder / "s");
  EXPECT_EQ(tuned_changes(tune_result(plan, store), p), "") << "nothing was found";
  FakeExecutor executor;
  executor.on_run = [](const RunGroup& group, int, const RunLimits&) {
    if (group.family->dataset->name == "three") fail("no");
  };
  execute(pending_runs(plan.plan, store), store, executor, {});
  const TuneResult result = tune_result(plan, store);
  EXPECT_EQ(result.models[0].best, -1);
  const Protocol found = extend_protocol(p, "found", tuned_changes(result, p));
  const auto cells = [](const Protocol& of, const std::string& dataset) {
    return std::ranges::count_if(
        make_plan(of, {}, fake_sources()).cells,
        [&](const PlannedCell& cell) { return cell.model == "gcn" && cell.dataset == dataset; });
  };
  EXPECT_EQ(cells(found, "one"), 1);
  EXPECT_GT(cells(p, "three"), 1);
  EXPECT_EQ(cells(found, "three"), cells(p, "three")) << "it chooses as before";
  options.by_dataset = false;
  EXPECT_EQ(tuned_changes(tune_result(make_tune_plan(p, options, fake_sources()), store), p), "");
}

TEST(Tune, AProtocolSaysThatDataSetsHaveTheirOwn) {
  std::string text = kSpecial;
  const std::string tune = "[tune]\n";
  text.insert(text.find(tune) + tune.size(), "by_dataset = true\n");
  EXPECT_TRUE(
      make_tune_plan(parse_protocol("p", "p.toml", text), {}, fake_sources()).empty.by_dataset);
  EXPECT_FALSE(make_tune_plan(protocol(), {}, fake_sources()).empty.by_dataset);
}

TEST(Tune, MistakesAreNamed) {
  const auto said = [](const TuneOptions& options) {
    try {
      (void)make_tune_plan(protocol(), options, fake_sources());
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  EXPECT_NE(said({{"mlp"}, {}, "", 0, 0, 0}).find("has no [tune.grid.mlp]"), std::string::npos);
  EXPECT_NE(said({{}, {}, "guess", 0, 0, 0}).find("it is grid or random"), std::string::npos);
  Protocol one = protocol();
  one.tune->random.clear();
  try {
    (void)make_tune_plan(one, {{}, {}, "random", 0, 0, 0}, fake_sources());
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("there is no [tune.random.MODEL] to search"),
              std::string::npos);
  }
  const Protocol bad = parse_protocol(
      "p", "p.toml", "[data]\ndatasets=['one']\n[models.gcn]\n[tune.grid.gcn]\nlearn = [1]\n");
  try {
    (void)make_tune_plan(bad, {}, fake_sources());
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("[tune.grid.gcn]: no setting is called 'learn'"),
              std::string::npos)
        << error.what();
  }
}

TEST(Tune, ThePapersGridIsWhole) {
  const Protocol p = load_protocol("pitfalls");
  const auto& grid = p.tune->grid;
  const auto gcn =
      std::find_if(grid.begin(), grid.end(), [](const SearchSpace& s) { return s.model == "gcn"; });
  EXPECT_EQ(trial_settings(*gcn, "grid", 100000, 0).size(), 4u * 5 * 7 * 7);
}

}  // namespace
}  // namespace cupel
