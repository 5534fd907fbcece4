#include "cupel/lab/plan/choose.h"

#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <tuple>

#include "cupel/lab/results/load.h"
#include "cupel/lab/run/estimate.h"
#include "cupel/lab/run/pending.h"
#include "cupel/lab/run/scheduler.h"
#include "lab/fake.h"

namespace cupel {
namespace {

using testing::fake_sources;
using testing::FakeExecutor;
using testing::TempFolder;

const std::set<RunPlace> kTwoRuns = {{0, 0}, {1, 0}};

TEST(Choose, TakesTheLargestMeanAndTheFirstOfEquals) {
  const Chosen chosen = choose({{"a", {{{0, 0}, 0.5}, {{1, 0}, 0.7}}},
                                {"b", {{{0, 0}, 0.9}, {{1, 0}, 0.5}}},
                                {"c", {{{0, 0}, 0.5}, {{1, 0}, 0.9}}}},
                               kTwoRuns);
  EXPECT_EQ(chosen.index, 1);
  EXPECT_DOUBLE_EQ(*chosen.means[0], 0.6);
  EXPECT_DOUBLE_EQ(*chosen.means[2], 0.7);
  EXPECT_EQ(chosen.complete, (std::vector<bool>{true, true, true}));
}

TEST(Choose, TakesTheSmallestWhereSmallerIsBetter) {
  const std::vector<Candidate> candidates = {{"a", {{{0, 0}, 5}, {{1, 0}, 9}}},
                                             {"b", {{{0, 0}, 7}, {{1, 0}, 3}}},
                                             {"c", {{{0, 0}, 5}, {{1, 0}, 5}}}};
  EXPECT_EQ(choose(candidates, kTwoRuns, kPlaces).index, 1);
  EXPECT_EQ(choose_by_split(candidates, kTwoRuns, kPlaces),
            (std::map<int, std::size_t>{{0, 2}, {1, 1}}));
}

TEST(Choose, WhatLacksARunCannotBeChosen) {
  const Chosen chosen =
      choose({{"a", {{{0, 0}, 0.5}, {{1, 0}, 0.7}}}, {"b", {{{0, 0}, 0.9}}}, {"c", {}}}, kTwoRuns);
  EXPECT_EQ(chosen.index, 0);
  EXPECT_EQ(chosen.complete, (std::vector<bool>{true, false, false}));
  EXPECT_EQ(chosen.means[1], std::nullopt);
  EXPECT_EQ(chosen.compared, kTwoRuns);
}

TEST(Choose, WhereNoneIsCompleteTheCommonRunsDecide) {
  const Chosen chosen =
      choose({{"a", {{{0, 0}, 0.5}}}, {"b", {{{0, 0}, 0.6}}}, {"c", {}}}, kTwoRuns);
  EXPECT_EQ(chosen.index, 1);
  EXPECT_EQ(chosen.compared, (std::set<RunPlace>{{0, 0}}));
  EXPECT_EQ(choose({{"a", {{{0, 0}, 0.5}}}, {"b", {{{1, 0}, 0.6}}}}, kTwoRuns).index, -1);
  EXPECT_EQ(choose({{"a", {}}}, kTwoRuns).index, -1);
}

TEST(Choose, BySplitTakesTheLastOfEqualsOnEach) {
  const std::vector<Candidate> candidates = {
      {"a", {{{0, 0}, 0.5}, {{0, 1}, 0.7}, {{1, 0}, 0.9}, {{1, 1}, 0.9}, {{2, 0}, 1}, {{2, 1}, 1}}},
      {"b", {{{0, 0}, 0.6}, {{0, 1}, 0.6}, {{1, 0}, 0.2}, {{1, 1}, 0.9}, {{2, 0}, 0}}}};
  const std::set<RunPlace> asked = {{0, 0}, {0, 1}, {1, 0}, {1, 1}, {2, 0}, {2, 1}};
  // On split 2 a run is not there yet.
  EXPECT_EQ(choose_by_split(candidates, asked), (std::map<int, std::size_t>{{0, 1}, {1, 0}}));
}

// --- with a store ---

const char* kProtocol = R"(
[data]
datasets = ["one"]
[split]
count = 3
[models.gcn]
[models.gcn.choices]
lr = [0.1, 0.2, 0.3]
[models.peeking]
model = "gcn"
reading_of = "gcn"
choose_by = "test-score"
[models.peeking.choices]
lr = [0.1, 0.2, 0.3]
[models.plain]
model = "gcn"
lr = 0.2
)";

Protocol protocol() { return parse_protocol("p", "p.toml", kProtocol); }

// Validation prefers lr 0.2, test 0.3.
class Graded : public Executor {
 public:
  std::function<void(double lr, int split)> on_run;
  std::size_t estimate_memory(const RunGroup&) const override { return 0; }
  std::unique_ptr<RunSession> open(const RunGroup& group, Threads) const override {
    class Session : public RunSession {
     public:
      Session(const Graded& owner, const RunGroup& group) : owner_(owner), group_(group) {}
      RunRecord run(int, StreamKey, const RunLimits&) override {
        const double lr = group_.family->model.settings.real("lr");
        if (owner_.on_run) owner_.on_run(lr, group_.split);
        RunRecord out;
        out.valid_score = lr == 0.2 ? 0.9 : 0.5;
        out.test_score = lr + 0.001 * group_.split;
        return out;
      }

     private:
      const Graded& owner_;
      RunGroup group_;
    };
    return std::make_unique<Session>(*this, group);
  }
};

const CellResults& cell_of(const Results& results, const std::string& model) {
  for (const CellResults& cell : results.tables.at(0).cells) {
    if (cell.model == model) return cell;
  }
  throw std::logic_error("no cell of " + model);
}

TEST(ChosenCells, RowsThatChooseDifferentlyShareTheirRuns) {
  TempFolder folder;
  Store store(folder / "s");
  const Plan plan = make_plan(protocol(), {}, fake_sources());
  EXPECT_EQ(plan.cells.size(), 7u);
  EXPECT_EQ(execute(plan, store, Graded(), {}).done, 3 * 3);  // and the plain row is one of them
  const Results results = load_results(store, protocol());
  const CellResults& fair = cell_of(results, "gcn");
  ASSERT_TRUE(fair.choice);
  EXPECT_EQ(fair.choice->chosen, "lr=0.2");
  EXPECT_EQ(fair.choice->by, "valid-score");
  EXPECT_EQ(fair.choice->complete, 3);
  EXPECT_EQ(fair.choice->grid, 3);
  ASSERT_EQ(fair.runs.size(), 3u);
  EXPECT_EQ(fair.runs[1].record.test_score, 0.2 + 0.001);
  const CellResults& peeking = cell_of(results, "peeking");
  EXPECT_EQ(peeking.choice->chosen, "lr=0.3");
  EXPECT_EQ(peeking.expected_n, 3);
  EXPECT_FALSE(cell_of(results, "plain").choice);
  EXPECT_EQ(results.reading_of.at("peeking"), "gcn");
}

TEST(ChosenCells, MayTakeAnotherConfigurationOnEachSplit) {
  TempFolder folder;
  std::string text = kProtocol;
  text.replace(text.find("[models.gcn]"), 12, "[models.gcn]\nchoose_by = \"valid-score-by-split\"");
  const Protocol by_split = parse_protocol("p", "p.toml", text);
  const Plan plan = make_plan(by_split, {}, fake_sources());
  Store store(folder / "s");
  store.register_plan(plan);
  for (const PlannedCell& cell : plan.cells) {
    for (int split = 0; split < 3; ++split) {
      RunRecord record;
      record.metric = "accuracy";
      const double lr = cell.family->model.settings.real("lr");
      record.valid_score = lr == (split == 1 ? 0.3 : 0.1) ? 0.8 : 0.7;
      record.test_score = lr;
      store.put(cell.family->identity, split, 0, record);
    }
  }
  const Results results = load_results(store, by_split);
  const CellResults& cell = cell_of(results, "gcn");
  EXPECT_EQ(cell.choice->chosen, "lr=0.1 on 2 splits, lr=0.3 on 1 splits");
  ASSERT_EQ(cell.runs.size(), 3u);
  EXPECT_EQ(cell.runs[0].record.test_score, 0.1);
  EXPECT_EQ(cell.runs[1].record.test_score, 0.3);
  EXPECT_EQ(cell.runs[2].record.test_score, 0.1);
}

// A choice by validation is the same whatever the test scores are, absent ones included.
TEST(ChosenCells, AChoiceByValidationDoesNotSeeTestScores) {
  TempFolder folder;
  const Plan plan = make_plan(protocol(), {}, fake_sources());
  std::vector<std::string> chosen;
  for (const double test : {0.0, 1.0, -1.0}) {
    Store store(folder / fmt::format("s{}", test));
    store.register_plan(plan);
    for (const PlannedCell& cell : plan.cells) {
      for (int split = 0; split < 3; ++split) {
        RunRecord record;
        record.metric = "accuracy";
        const double lr = cell.family->model.settings.real("lr");
        record.valid_score = lr == 0.1 ? 0.8 : 0.7;
        if (test >= 0) record.test_score = test * lr;
        store.put(cell.family->identity, split, 0, record);
      }
    }
    chosen.push_back(cell_of(load_results(store, protocol()), "gcn").choice->chosen);
  }
  EXPECT_EQ(chosen, (std::vector<std::string>{"lr=0.1", "lr=0.1", "lr=0.1"}));
}

TEST(ChosenCells, SayWhatIsMissing) {
  TempFolder folder;
  Store store(folder / "s");
  Graded executor;
  executor.on_run = [](double lr, int split) {
    if (lr == 0.2 && split == 1) fail("no memory");
  };
  (void)execute(make_plan(protocol(), {}, fake_sources()), store, executor, {});
  const Results results = load_results(store, protocol());
  const CellResults& cell = cell_of(results, "gcn");
  EXPECT_EQ(cell.choice->chosen, "lr=0.1");  // the first of equals among the complete ones
  EXPECT_EQ(cell.choice->complete, 2);
  EXPECT_EQ(cell.choice->configurations[1].runs, 2);
}

TEST(ChosenCells, CanBeNarrowedAndFilledUp) {
  TempFolder folder;
  Store store(folder / "s");
  Selection narrow;
  narrow.models = {"gcn"};
  narrow.choices = parse_choice_filters({"lr=0.3"});
  const Plan part = make_plan(protocol(), narrow, fake_sources());
  ASSERT_EQ(part.cells.size(), 1u);
  EXPECT_EQ(part.cells[0].configuration, "lr=0.3");
  EXPECT_EQ(execute(part, store, Graded(), {}).done, 3);
  Results partial = load_results(store, protocol());
  EXPECT_EQ(cell_of(partial, "gcn").choice->chosen, "lr=0.3");
  EXPECT_EQ(cell_of(partial, "gcn").choice->configurations.size(), 1u);
  EXPECT_EQ(cell_of(partial, "gcn").choice->grid, 3);
  EXPECT_EQ(execute(make_plan(protocol(), {}, fake_sources()), store, Graded(), {}).done, 6);
  EXPECT_EQ(cell_of(load_results(store, protocol()), "gcn").choice->chosen, "lr=0.2");

  for (const auto& [filter, message] :
       {std::pair{"lr=0.5", "lr=0.5 is no choice of the protocol; lr is one of 0.1, 0.2, 0.3"},
        std::pair{"depth=1", "no row chooses 'depth'; chosen are: lr"},
        std::pair{"gnc.lr=0.1", "did you mean 'gcn'?"}}) {
    narrow.choices = parse_choice_filters({filter});
    try {
      (void)make_plan(protocol(), narrow, fake_sources());
      ADD_FAILURE() << filter;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(message), std::string::npos) << error.what();
    }
  }
}

// --- runs that only choose ---

// Three splits, one init that chooses, two that are assessed. Where init 0 says that lr 0.3 is the
// best of split 1, the others say the opposite, of which no choice may know.
class Twofold : public Executor {
 public:
  bool fails = false;  // lr 0.1 on split 2
  std::size_t estimate_memory(const RunGroup&) const override { return 0; }
  std::unique_ptr<RunSession> open(const RunGroup& group, Threads) const override {
    class Session : public RunSession {
     public:
      Session(bool fails, RunGroup group) : fails_(fails), group_(std::move(group)) {}
      RunRecord run(int init, StreamKey, const RunLimits&) override {
        const double lr = group_.family->model.settings.real("lr");
        if (fails_ && lr == 0.1 && group_.split == 2) fail("no memory");
        RunRecord out;
        const bool best = lr == (group_.split == 1 ? 0.3 : 0.1);
        out.valid_score = best == (init == 0) ? 0.9 : 0.5;
        out.test_score = lr + 0.01 * init;
        return out;
      }

     private:
      bool fails_;
      RunGroup group_;
    };
    return std::make_unique<Session>(fails, group);
  }
};

Protocol selecting(const std::string& choose_by) {
  return parse_protocol("p", "p.toml",
                        fmt::format(R"(
[data]
datasets = ["one"]
[split]
count = 3
[train]
inits = 2
[models.gcn]
choose_by = "{}"
select_inits = 1
choices = {{ lr = [0.1, 0.2, 0.3] }}
[models.plain]
model = "gcn"
lr = 0.7
)",
                                    choose_by));
}

TEST(SelectInits, OnlyTheChosenConfigurationIsAssessed) {
  TempFolder folder;
  Store store(folder / "s");
  const Protocol protocol = selecting("valid-score-by-split");
  const Plan plan = make_plan(protocol, {}, fake_sources());
  const PlanEstimate before = estimate_plan(plan, store, Twofold(), {});
  EXPECT_EQ(before.runs, 3 * 3 + 3 * 2) << "those that choose, and the row that does not";
  EXPECT_EQ(before.later, 3 * 2);
  const ExecuteSummary done = execute(plan, store, Twofold(), {});
  EXPECT_EQ(done.done, 3 * 3 + 3 * 2 + 3 * 2);
  EXPECT_EQ(done.planned, done.done);
  EXPECT_EQ(execute(plan, store, Twofold(), {}).done, 0);
  EXPECT_EQ(estimate_plan(plan, store, Twofold(), {}).later, 0);
  const Results results = load_results(store, protocol);
  const CellResults& cell = cell_of(results, "gcn");
  EXPECT_EQ(cell.choice->chosen, "lr=0.1 on 2 splits, lr=0.3 on 1 splits");
  EXPECT_EQ(cell.choice->compared, 3);
  EXPECT_EQ(cell.expected_n, 6);
  ASSERT_EQ(cell.runs.size(), 6u);
  for (const PlacedRun& run : cell.runs) {
    EXPECT_GE(run.init, 1) << "what has chosen is not assessed";
    EXPECT_EQ(run.record.test_score, (run.split == 1 ? 0.3 : 0.1) + 0.01 * run.init);
  }
  EXPECT_EQ(cell_of(results, "plain").runs.size(), 6u);
}

TEST(SelectInits, WhatCannotStartIsCountedOnce) {
  TempFolder folder;
  Store store(folder / "s");
  class Missing : public Twofold {
   public:
    std::unique_ptr<RunSession> open(const RunGroup& group, Threads threads) const override {
      if (group.family->row == "plain") throw NotStarted("no such program");
      return Twofold::open(group, threads);
    }
  };
  const Plan plan = make_plan(selecting("valid-score-by-split"), {}, fake_sources());
  const ExecuteSummary done = execute(plan, store, Missing(), {});
  EXPECT_EQ(done.done, 3 * 3 + 3 * 2);
  EXPECT_EQ(done.not_started, 3 * 2);
  ASSERT_EQ(done.not_started_rows.size(), 1u);
  EXPECT_EQ(done.not_started_rows[0].runs, 3 * 2);
  EXPECT_EQ(done.planned, done.done + done.not_started);
}

// Who does what is known before anything is chosen: with the choice made, each shard has more to
// do and nothing of another's.
TEST(SelectInits, ShardsAgreeWhateverIsChosen) {
  TempFolder folder;
  const Store empty(folder / "empty");
  Store store(folder / "s");
  const Plan plan = make_plan(selecting("valid-score-by-split"), {}, fake_sources());
  execute(plan, store, Twofold(), {});
  const auto runs = [&](const Store& known, Shard shard, bool stored) {
    std::set<std::tuple<std::string, int, int>> out;
    const Pending pending = pending_runs(plan, known, false, shard);
    EXPECT_EQ(pending.stored == pending.planned, stored);
    for (const RunGroup& group : pending.groups) {
      for (const int init : group.inits) out.insert({group.family->id, group.split, init});
    }
    return std::pair(out, pending.planned);
  };
  std::set<std::tuple<std::string, int, int>> seen;
  int planned = 0;
  for (int i = 0; i < 2; ++i) {
    const auto [before, first] = runs(empty, {i, 2}, false);
    const auto [left, all] = runs(store, {i, 2}, true);
    EXPECT_EQ(static_cast<int>(before.size()), first);
    EXPECT_TRUE(left.empty());
    EXPECT_GE(all, first) << "a run that was this shard's is another's";
    for (const auto& run : before) EXPECT_TRUE(seen.insert(run).second);
    planned += all;
  }
  EXPECT_EQ(seen.size(), 3u * 3 + 3 * 2);
  EXPECT_EQ(planned, 3 * 3 + 3 * 2 + 3 * 2);
}

TEST(SelectInits, OneChoiceForAllSplitsWaitsForAllOfThem) {
  TempFolder folder;
  Store store(folder / "s");
  const Protocol protocol = selecting("valid-score");
  Selection first;
  first.models = {"gcn"};
  first.splits = 2;
  EXPECT_EQ(execute(make_plan(protocol, first, fake_sources()), store, Twofold(), {}).done,
            3 * 2 + 2 * 2);
  // All three splits say lr 0.1; two of them said so first (the first of equals).
  EXPECT_EQ(execute(make_plan(protocol, {}, fake_sources()), store, Twofold(), {}).done,
            3 + 2 + 3 * 2);
  const Results results = load_results(store, protocol);
  EXPECT_EQ(cell_of(results, "gcn").choice->chosen, "lr=0.1");
  EXPECT_EQ(cell_of(results, "gcn").runs.size(), 6u);
}

TEST(SelectInits, WhatCannotChooseHoldsUpNobody) {
  TempFolder folder;
  Store store(folder / "s");
  Twofold executor;
  executor.fails = true;
  const Protocol by_split = selecting("valid-score-by-split");
  EXPECT_EQ(execute(make_plan(by_split, {}, fake_sources()), store, executor, {}).done,
            3 * 3 + 2 * 2 + 3 * 2);
  EXPECT_EQ(estimate_plan(make_plan(by_split, {}, fake_sources()), store, executor, {}).later, 0);
  EXPECT_EQ(cell_of(load_results(store, by_split), "gcn").runs.size(), 4u);
  const Protocol by_all = selecting("valid-score");
  EXPECT_EQ(execute(make_plan(by_all, {}, fake_sources()), store, executor, {}).failed, 0);
  EXPECT_EQ(cell_of(load_results(store, by_all), "gcn").choice->chosen, "lr=0.3");
}

// Identities are those of plain runs: a row without the key shares them, and asks for no others.
TEST(SelectInits, RunsAreThoseOfPlainRows) {
  TempFolder folder;
  Store store(folder / "s");
  execute(make_plan(selecting("valid-score-by-split"), {}, fake_sources()), store, Twofold(), {});
  Protocol plain = selecting("valid-score-by-split");
  plain.models[0].select_inits = 0;
  const Pending left = pending_runs(make_plan(plain, {}, fake_sources()), store);
  EXPECT_EQ(left.later, 0);
  EXPECT_EQ(left.planned, 3 * 3 * 2 + 3 * 2);
  EXPECT_EQ(left.stored, 3 * 3 + 3 + 3 * 2) << "init 1 of the chosen ones, and all of init 0";
}

TEST(SelectInits, InitsAskedForAreThoseAssessed) {
  Selection selection;
  selection.inits = 1;
  const Plan plan = make_plan(selecting("valid-score"), selection, fake_sources());
  EXPECT_EQ(plan.cells[0].inits, 2);
  EXPECT_EQ(plan.cells.back().inits, 1);
  selection.inits = 3;
  EXPECT_THROW((void)make_plan(selecting("valid-score"), selection, fake_sources()), Error);
}

TEST(ChosenCells, AreOneLineOfAnEstimate) {
  TempFolder folder;
  Store store(folder / "s");
  const PlanEstimate estimate =
      estimate_plan(make_plan(protocol(), {}, fake_sources()), store, Graded(), {});
  EXPECT_EQ(estimate.runs, 9);
  ASSERT_EQ(estimate.lines.size(), 1u);  // the other rows ask for the same runs
  EXPECT_EQ(estimate.lines[0].model, "gcn");
  EXPECT_EQ(estimate.lines[0].configurations, 3);
  EXPECT_EQ(estimate.lines[0].runs, 9);
}

}  // namespace
}  // namespace cupel
