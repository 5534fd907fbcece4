// Running until cells are decided: what is run, what is concluded, and how often that is wrong.
#include "cupel/judge/sequential/until_decided.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "cupel/judge/report/table.h"
#include "cupel/judge/stats/sequential.h"
#include "cupel/lab/results/load.h"
#include "cupel/lab/run/pending.h"
#include "error_of.h"
#include "judge/report/make_results.h"
#include "judge/report/rendered.h"
#include "lab/fake.h"

namespace cupel {
namespace {

using made::TempFolder;

constexpr const char* kProtocol = R"(
[data]
datasets = ["one"]
[split]
count = 100
[train]
inits = 20
[models.same]
[models.far]
[models.edge]
[models.mine]
[published]
file = "p.csv"
)";
constexpr const char* kPublished =
    "table,dataset,model,metric,mean,spread,spread_kind,n_runs,effective_n\n"
    "1,one,same,accuracy,80.0,1.0,sd_ddof1_pooled_runs,2000,100\n"
    "1,one,far,accuracy,80.0,1.0,sd_ddof1_pooled_runs,2000,100\n"
    "1,one,edge,accuracy,80.0,1.0,sd_ddof1_pooled_runs,2000,100\n";

Protocol protocol() { return parse_protocol("p", "p.toml", kProtocol, kPublished); }

// Scores around 80, 75 and 79.2 by row, with a standard deviation of 1 point between splits; others
// for each `draw`.
class Gaussian : public Executor {
 public:
  explicit Gaussian(int draw = 7) : draw_(draw) {}

  mutable std::atomic<int> runs = 0;
  std::function<void(int)> on_run;  // how many were made

  std::size_t estimate_memory(const RunGroup&) const override { return 1; }
  std::unique_ptr<RunSession> open(const RunGroup& group, Threads) const override {
    return std::make_unique<Session>(*this, group.family->row);
  }

 private:
  class Session : public RunSession {
   public:
    Session(const Gaussian& owner, std::string row) : owner_(owner), row_(std::move(row)) {}
    RunRecord run(int, StreamKey key, const RunLimits& limits) override {
      if (limits.interrupt != nullptr && *limits.interrupt) throw Interrupted();
      const int made = ++owner_.runs;
      if (owner_.on_run) owner_.on_run(made);
      const double mean = row_ == "far" ? 75 : row_ == "edge" ? 79.2 : 80;
      RunRecord out;
      out.test_score = (mean + Stream(key, owner_.draw_).next_normal()) / 100;
      out.valid_score = 0.5;
      return out;
    }

   private:
    const Gaussian& owner_;
    std::string row_;
  };

  const int draw_;
};

Plan plan_of(const Protocol& protocol, const UntilOptions& options) {
  return until_plan(
      protocol, make_plan(protocol, until_selection({}, options), made::fake_sources()), options);
}

std::map<std::string, Cell> cells_of(const Store& store, const Protocol& protocol) {
  std::map<std::string, Cell> out;
  const Report report = make_report(load_results(store, protocol));
  for (const Cell& cell : report.tables.at(0).cells) out[cell.model] = cell;
  return out;
}

// One job, which is interrupted when the executor has made so many runs in all.
UntilSummary interrupted_after(int runs, const Protocol& protocol, Store& store,
                               Gaussian& executor) {
  std::atomic<bool> stop = false;
  executor.on_run = [&](int made) { stop = made >= runs; };
  ExecuteOptions options;
  options.jobs = 1;
  options.interrupt = &stop;
  const UntilSummary summary =
      run_until_decided(protocol, plan_of(protocol, {}), store, executor, options, {});
  executor.on_run = nullptr;
  return summary;
}

TEST(UntilDecided, StopsEachCellAtTheLookThatDecidesIt) {
  TempFolder folder;
  Store store(folder / "s");
  Gaussian executor;
  const Protocol p = protocol();
  std::vector<LookReport> looks;
  const UntilSummary summary =
      run_until_decided(p, plan_of(p, {}), store, executor, {}, {},
                        [&](const LookReport& look) { looks.push_back(look); });
  EXPECT_EQ(summary.cells, 3);  // `mine` has no published value
  EXPECT_EQ(summary.full_runs, 3 * 2000);
  EXPECT_EQ(summary.asked_runs, executor.runs);
  const auto cells = cells_of(store, p);
  EXPECT_EQ(cells.at("far").verdict, Verdict::kDifferent);
  EXPECT_EQ(cells.at("far").look, 1);
  EXPECT_EQ(cells.at("far").n, 10);
  EXPECT_EQ(cells.at("same").verdict, Verdict::kEquivalent);
  EXPECT_EQ(cells.at("same").n, cells.at("same").look_size);
  EXPECT_FALSE(cells.contains("mine"));
  // First all cells once; the verdict of the last look is the report's.
  ASSERT_GE(looks.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(looks[i].look, 1);
  for (const LookReport& look : looks)
    EXPECT_EQ(look.size, look_schedule(10, 1, 100)[static_cast<std::size_t>(look.look - 1)]);
}

// How many splits a cell takes goes by the draw, so that it is looked at over many.
TEST(UntilDecided, TakesAsManySplitsAsTheGapIsHardToTell) {
  constexpr int kDraws = 41;
  std::map<std::string, std::vector<int>> splits;
  int equivalent = 0;
  const Protocol p = protocol();
  for (int draw = 0; draw < kDraws; ++draw) {
    TempFolder folder;
    Store store(folder / "s");
    (void)run_until_decided(p, plan_of(p, {}), store, Gaussian(draw), {}, {});
    for (const auto& [model, cell] : cells_of(store, p)) splits[model].push_back(cell.n);
    equivalent += cells_of(store, p).at("same").verdict == Verdict::kEquivalent;
  }
  const auto median = [&](const char* model) {
    std::vector<int>& all = splits.at(model);
    std::nth_element(all.begin(), all.begin() + kDraws / 2, all.end());
    return all[kDraws / 2];
  };
  EXPECT_EQ(median("far"), 10);
  EXPECT_LT(median("same"), 50);
  EXPECT_GT(median("edge"), median("same")) << "a gap of 0.8 is hard to tell from 0 and from 1";
  EXPECT_GE(equivalent, 38);
}

TEST(UntilDecided, AgainDoesNothingAndAnInterruptedOneIsResumed) {
  TempFolder folder;
  const Protocol p = protocol();
  Store whole(folder / "whole");
  Gaussian executor;
  (void)run_until_decided(p, plan_of(p, {}), whole, executor, {}, {});
  const int needed = executor.runs;
  (void)run_until_decided(p, plan_of(p, {}), whole, executor, {}, {});
  EXPECT_EQ(executor.runs, needed);

  Store parts(folder / "parts");
  for (int round = 0; round < 100; ++round) {
    Gaussian some;
    if (!interrupted_after(7, p, parts, some).work.interrupted) break;
  }
  const Plan plan = plan_of(p, {});
  EXPECT_EQ(made::rows_of(plan, parts), made::rows_of(plan, whole));
  EXPECT_EQ(cells_of(parts, p).at("edge").verdict, cells_of(whole, p).at("edge").verdict);
}

// A plain run that ended before its first result leaves a cell without runs, not a decided one.
TEST(UntilDecided, RunsACellThatWasAskedForInVain) {
  TempFolder folder;
  Store store(folder / "s");
  const Protocol p = protocol();
  Gaussian executor;
  std::atomic<bool> stop = true;
  ExecuteOptions at_once;
  at_once.interrupt = &stop;
  (void)execute(make_plan(p, {}, made::fake_sources()), store, executor, at_once);
  ASSERT_EQ(executor.runs, 0);
  const UntilSummary summary = run_until_decided(p, plan_of(p, {}), store, executor, {}, {});
  EXPECT_GE(executor.runs, 3 * kFewestDraws);
  EXPECT_EQ(summary.asked_runs, executor.runs);
  EXPECT_EQ(cells_of(store, p).at("far").verdict, Verdict::kDifferent);
}

TEST(UntilDecided, LevelsArePaidForByTheLargestSize) {
  TempFolder folder;
  Store store(folder / "s");
  Gaussian executor;
  const Protocol p = protocol();
  (void)run_until_decided(p, plan_of(p, {}), store, executor, {}, {});
  UntilOptions more;
  more.max_splits = 200;
  const std::string error =
      error_of([&] { (void)run_until_decided(p, plan_of(p, more), store, executor, {}, more); });
  EXPECT_NE(error.find("at most 100 splits x 1"), std::string::npos) << error;
  Store other(folder / "o");
  (void)run_until_decided(p, plan_of(p, more), other, executor, {}, more);
  EXPECT_EQ(cells_of(other, p).at("same").looks, std::ssize(look_schedule(10, 1, 200)));
  // Merged, a store still knows how its cells were run.
  Store merged(folder / "m");
  (void)merged.merge(folder / "o");
  EXPECT_EQ(cells_of(merged, p).at("same").looks, std::ssize(look_schedule(10, 1, 200)));
}

TEST(UntilDecided, NeedsAPublishedValue) {
  const Protocol p = protocol();
  Selection selection = until_selection({}, {});
  selection.models = {"mine"};
  const Plan plan = make_plan(p, selection, made::fake_sources());
  EXPECT_NE(error_of([&] { (void)until_plan(p, plan, {}); }).find("nothing to decide"),
            std::string::npos);
}

// A cell of a hundred splits that was looked at as it grew.
Cell looked_at(double mean, double sd, double printed, double delta, int family,
               std::uint32_t run) {
  Stream stream(stream_key("looks"), 2, run);
  std::vector<double> scores;
  for (int s = 0; s < 100; ++s) scores.push_back((mean + sd * stream.next_normal()) / 100);
  CellResults cell = made::cell("one", "gcn", scores);
  cell.looks = Looks{100, 1};
  Results results;
  results.protocol = "p";
  results.tables = {made::scores_table({cell})};
  results.tables[0].delta = delta;
  // Of a normal published mean with its error.
  results.published = {made::published("1", "one", "gcn", printed, sd)};
  for (int i = 1; i < family; ++i)
    results.published.push_back(made::published("1", "one", "m" + std::to_string(i), 50, 1));
  return make_report(results).tables[0].cells[0];
}

struct Rates {
  double equivalent = 0, different = 0, mean_size = 0;
};
Rates rates(double gap, double delta, int family, int runs) {
  Rates out;
  for (int run = 0; run < runs; ++run) {
    const auto index = static_cast<std::uint32_t>(run);
    // The published mean has an error of its own, over a hundred splits.
    const double printed = 80 + 0.13 * Stream(stream_key("theirs"), 3, index).next_normal();
    const Cell cell = looked_at(80 + gap, 1.3, printed, delta, family, index);
    out.equivalent += cell.verdict == Verdict::kEquivalent;
    out.different += cell.verdict == Verdict::kDifferent;
    out.mean_size += cell.look_size;
  }
  out.equivalent /= runs;
  out.different /= runs;
  out.mean_size /= runs;
  return out;
}

// Errors stay below the level although eleven looks were taken; 600 runs: three standard errors of
// a share of 5 % are 2.7 %.
TEST(ErrorRates, LookingOftenDoesNotMakeErrorsOften) {
  for (const double side : {1.0, -1.0}) EXPECT_LE(rates(side, 1, 77, 600).equivalent, 0.077);
  EXPECT_LE(rates(0, 0.01, 1, 600).different, 0.077);
  EXPECT_LE(rates(0, 0.01, 77, 600).different, 0.007);
}

TEST(ErrorRates, WhatIsTrueIsFoundBeforeAllIsRun) {
  const Rates none = rates(0, 1, 77, 150);
  EXPECT_GE(none.equivalent, 0.93);
  EXPECT_LE(none.mean_size, 45);
  const Rates large = rates(3, 1, 77, 150);
  EXPECT_GE(large.different, 0.98);
  EXPECT_LE(large.mean_size, 16);
}

// What is run after a decision does not change it.
TEST(Looks, TheFirstDecisionStands) {
  Stream stream(stream_key("stands"), 1);
  std::vector<double> scores;
  for (int s = 0; s < 10; ++s) scores.push_back(0.7 + 0.005 * stream.next_normal());
  for (int s = 0; s < 90; ++s) scores.push_back(0.8 + 0.005 * stream.next_normal());
  Results results;
  CellResults cell = made::cell("one", "gcn", scores);
  cell.looks = Looks{100, 1};
  results.tables = {made::scores_table({cell})};
  results.published = {made::published("1", "one", "gcn", 80, 0.5)};
  const Cell judged = make_report(results).tables[0].cells[0];
  EXPECT_EQ(judged.verdict, Verdict::kDifferent);
  EXPECT_EQ(judged.look, 1);
  // The gap is that of the interval beside it, and the words say so.
  EXPECT_NEAR(*judged.mean, 79, 0.5);
  EXPECT_NEAR(*judged.gap, -10, 1);
  EXPECT_NEAR((judged.gap_interval->low + judged.gap_interval->high) / 2, *judged.gap, 1e-9);
  const std::string text = made::rendered("text", results);
  EXPECT_NE(text.find("has more runs of a cell"), std::string::npos) << text;
  // A look that lacks a run is not taken.
  results.tables[0].cells[0].runs.erase(results.tables[0].cells[0].runs.begin() + 5);
  const Cell early = make_report(results).tables[0].cells[0];
  EXPECT_EQ(early.look, 0);
  EXPECT_EQ(early.verdict, Verdict::kUndecided);
}

// A published mean of which nobody knows more than within 4 points, and one without an error: ten
// runs show that a hundred would not do. A gap of 9 points can still be shown.
TEST(UntilDecided, GivesUpWhatNoNumberOfRunsDecides) {
  constexpr const char* kVague =
      "table,dataset,model,metric,mean,spread,spread_kind,n_runs,effective_n\n"
      "1,one,same,accuracy,80.0,20.0,sd_ddof1_pooled_runs,2000,100\n"
      "1,one,edge,accuracy,79.2,,,,\n"
      "1,one,far,accuracy,84.0,20.0,sd_ddof1_pooled_runs,2000,100\n";
  const Protocol p = parse_protocol("p", "p.toml", kProtocol, kVague);
  TempFolder folder;
  Store store(folder / "s");
  Gaussian executor;
  const UntilSummary summary = run_until_decided(p, plan_of(p, {}), store, executor, {}, {});
  const auto cells = cells_of(store, p);
  for (const char* model : {"same", "edge"}) {
    EXPECT_EQ(cells.at(model).verdict, Verdict::kUndecided);
    EXPECT_EQ(cells.at(model).n, 10);
    EXPECT_TRUE(cells.at(model).given_up);
  }
  EXPECT_GT(cells.at("far").n, 10);
  EXPECT_GE(summary.undecided, 2);
  // Nor does the same call again go on.
  const int runs = executor.runs;
  (void)run_until_decided(p, plan_of(p, {}), store, executor, {}, {});
  EXPECT_EQ(executor.runs, runs);
}

// Its runs fail on the first ten splits.
class Unlucky : public Gaussian {
 public:
  std::unique_ptr<RunSession> open(const RunGroup& group, Threads threads) const override {
    class Failing : public RunSession {
     public:
      RunRecord run(int, StreamKey, const RunLimits&) override { fail("no memory"); }
    };
    if (group.split < 10) return std::make_unique<Failing>();
    return Gaussian::open(group, threads);
  }
};

// A look that all runs failed at tells nothing, and the next one is taken.
TEST(UntilDecided, GoesOnWhereAllRunsOfALookFailed) {
  TempFolder folder;
  Store store(folder / "s");
  const Protocol p = protocol();
  Unlucky executor;
  const UntilSummary summary = run_until_decided(p, plan_of(p, {}), store, executor, {}, {});
  const auto cells = cells_of(store, p);
  EXPECT_EQ(cells.at("far").verdict, Verdict::kDifferent);
  EXPECT_EQ(cells.at("far").look_size, 22) << "the first with ten runs that did not fail";
  EXPECT_EQ(cells.at("far").n, 12);
  EXPECT_EQ(cells.at("far").failed, 10);
  EXPECT_EQ(summary.asked_runs, executor.runs + 3 * 10);
}

TEST(UntilDecided, CountsRunsOfALookThatWasNotTaken) {
  TempFolder folder;
  Store store(folder / "s");
  const Protocol p = protocol();
  Gaussian executor;
  const UntilSummary summary = interrupted_after(7, p, store, executor);
  EXPECT_TRUE(summary.work.interrupted);
  EXPECT_EQ(summary.asked_runs, 10) << "of the one cell that was begun";
}

// One initialisation of each of two configurations chooses, one more of the chosen one is assessed.
TEST(UntilDecided, CountsRunsThatOnlyChoose) {
  const Protocol p =
      parse_protocol("p", "p.toml", R"(
[data]
datasets = ["one"]
[split]
count = 100
[train]
inits = 20
[models.same]
select_inits = 1
choices = { lr = [0.1, 0.2] }
[published]
file = "p.csv"
)",
                     "table,dataset,model,metric,mean,spread,spread_kind,n_runs,effective_n\n"
                     "1,one,same,accuracy,80.0,1.0,sd_ddof1_pooled_runs,100,100\n");
  TempFolder folder;
  Store store(folder / "s");
  Gaussian executor;
  const UntilSummary summary = run_until_decided(p, plan_of(p, {}), store, executor, {}, {});
  EXPECT_EQ(summary.asked_runs, executor.runs);
  EXPECT_EQ(summary.asked_runs, 3 * cells_of(store, p).at("same").n);
  EXPECT_EQ(summary.full_runs, 100 * (2 + 20));
}

Cell judged_on(CellResults cell, const std::vector<PlacedRun>& runs, bool shared) {
  cell.runs = runs;
  Results results;
  results.protocol = "p";
  results.tables = {made::scores_table({cell})};
  results.tables[0].design.shared = shared;
  results.published = {made::published("1", "one", "gcn", 80, 0.3)};
  if (shared) results.published[0].spread_kind = "sd_over_inits";
  return make_report(results).tables[0].cells[0];
}

void expect_same_look(const Cell& then, const Cell& later) {
  EXPECT_EQ(then.verdict, later.verdict);
  EXPECT_EQ(then.look, later.look);
  EXPECT_EQ(*then.gap, *later.gap);
  EXPECT_EQ(then.gap_interval->low, later.gap_interval->low);
}

// A run that failed is not made up for by one of a later look.
TEST(Looks, LaterRunsChangeNoVerdict) {
  int decided = 0;
  for (std::uint32_t seed = 0; seed < 60; ++seed) {
    Stream stream(stream_key("later"), 1, seed);
    CellResults cell = made::cell("one", "gcn", {});
    cell.looks = Looks{1, 20};
    std::vector<PlacedRun> runs;
    for (int init = 0; init < 20; ++init) {
      const bool fails = stream.next_below(4) == 0;
      runs.push_back(fails ? made::bad_run(0, init, RunStatus::kFailed)
                           : made::run(0, init, 0.803 + 0.007 * stream.next_normal()));
    }
    const Cell later = judged_on(cell, runs, true);
    for (std::ptrdiff_t count = 1; count < std::ssize(runs); ++count) {
      const Cell then = judged_on(cell, {runs.begin(), runs.begin() + count}, true);
      if (then.verdict != Verdict::kEquivalent && then.verdict != Verdict::kDifferent) continue;
      ++decided;
      expect_same_look(then, later);
      break;
    }
  }
  EXPECT_GE(decided, 10);
}

// A look is of the initialisations that it asked for, and is taken when all of them were made.
TEST(Looks, MoreInitialisationsChangeNoVerdict) {
  Stream stream(stream_key("more"), 1);
  CellResults cell = made::cell("one", "gcn", {});
  cell.looks = Looks{100, 1};
  std::vector<PlacedRun> once, twice;
  for (int split = 0; split < 100; ++split) {
    once.push_back(made::run(split, 0, 0.7 + 0.01 * stream.next_normal()));
    twice.push_back(once.back());
    twice.push_back(made::run(split, 1, 0.9));
  }
  EXPECT_EQ(judged_on(cell, once, false).verdict, Verdict::kDifferent);
  expect_same_look(judged_on(cell, once, false), judged_on(cell, twice, false));
  EXPECT_TRUE(judged_on(cell, twice, false).beyond_look);
  cell.looks = Looks{100, 2};
  EXPECT_EQ(judged_on(cell, once, false).look, 0);
  EXPECT_GT(judged_on(cell, twice, false).look, 0);
}

}  // namespace
}  // namespace cupel
