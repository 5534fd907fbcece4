// Runs that only choose, and those of what they have chosen.
#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <set>
#include <tuple>

#include "cupel/lab/results/load.h"
#include "cupel/lab/run/estimate.h"
#include "cupel/lab/run/pending.h"
#include "cupel/lab/run/scheduler.h"
#include "lab/fake.h"
#include "lab/plan/cell_of.h"

namespace cupel {
namespace {

using made::cell_of;
using made::fake_sources;
using made::TempFolder;

// Three splits, one init that chooses, two that are assessed. Where init 0 says that lr 0.3 is the
// best of split 1, the others say the opposite, of which no choice may know.
class Twofold : public Executor {
 public:
  // Whether a run of this lr, split and init goes wrong.
  std::function<bool(double, int, int)> fails = [](double, int, int) { return false; };
  mutable std::atomic<int> asked_of_split_2 = 0;  // with lr 0.1
  std::size_t estimate_memory(const RunGroup&) const override { return 0; }
  std::unique_ptr<RunSession> open(const RunGroup& group, Threads) const override {
    class Session : public RunSession {
     public:
      Session(const Twofold& owner, RunGroup group) : owner_(owner), group_(std::move(group)) {}
      RunRecord run(int init, StreamKey, const RunLimits&) override {
        const double lr = group_.family->model.settings.real("lr");
        owner_.asked_of_split_2 += lr == 0.1 && group_.split == 2;
        if (owner_.fails(lr, group_.split, init)) fail("no memory");
        RunRecord out;
        const bool best = lr == (group_.split == 1 ? 0.3 : 0.1);
        out.valid_score = best == (init == 0) ? 0.9 : 0.5;
        out.test_score = lr + 0.01 * init;
        return out;
      }

     private:
      const Twofold& owner_;
      RunGroup group_;
    };
    return std::make_unique<Session>(*this, group);
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
  executor.fails = [](double lr, int split, int) { return lr == 0.1 && split == 2; };
  const Protocol by_split = selecting("valid-score-by-split");
  EXPECT_EQ(execute(make_plan(by_split, {}, fake_sources()), store, executor, {}).done,
            3 * 3 + 2 * 2 + 3 * 2);
  EXPECT_EQ(estimate_plan(make_plan(by_split, {}, fake_sources()), store, executor, {}).later, 0);
  EXPECT_EQ(cell_of(load_results(store, by_split), "gcn").runs.size(), 4u);
  const Protocol by_all = selecting("valid-score");
  EXPECT_EQ(execute(make_plan(by_all, {}, fake_sources()), store, executor, {}).failed, 0);
  EXPECT_EQ(cell_of(load_results(store, by_all), "gcn").choice->chosen, "lr=0.3");
}

ExecuteOptions retrying() {
  ExecuteOptions out;
  out.retry = true;
  return out;
}

// Where all that should have chosen went wrong, it does so when it is done again, and in the same
// call those that it chooses are assessed.
TEST(SelectInits, DoneAgainTheyChoose) {
  for (const char* choose_by : {"valid-score", "valid-score-by-split"}) {
    TempFolder folder;
    Store store(folder / "s");
    const Protocol protocol = selecting(choose_by);
    const Plan plan = make_plan(protocol, {}, fake_sources());
    Twofold failing;
    failing.fails = [](double, int, int) { return true; };
    EXPECT_EQ(execute(plan, store, failing, {}).failed, 3 * 3 + 3 * 2);
    EXPECT_EQ(estimate_plan(plan, store, Twofold(), retrying()).later, 3 * 2);
    const ExecuteSummary done = execute(plan, store, Twofold(), retrying());
    EXPECT_EQ(done.ok, 3 * 3 + 3 * 2 + 3 * 2);
    EXPECT_EQ(done.planned, done.done);
    EXPECT_EQ(cell_of(load_results(store, protocol), "gcn").runs.size(), 6u);
  }
}

// What goes wrong once more is tried once, and those that are chosen all the same are done again.
TEST(SelectInits, EachIsDoneAgainOnce) {
  TempFolder folder;
  Store store(folder / "s");
  const Plan plan = make_plan(selecting("valid-score"), {}, fake_sources());
  Twofold executor;
  const auto cannot_choose = [](double lr, int split, int) { return lr == 0.1 && split == 2; };
  executor.fails = [&](double lr, int split, int init) {
    return cannot_choose(lr, split, init) || (lr == 0.3 && init > 0);
  };
  EXPECT_EQ(execute(plan, store, executor, {}).failed, 1 + 3 * 2);
  executor.fails = cannot_choose;
  executor.asked_of_split_2 = 0;
  const ExecuteSummary again = execute(plan, store, executor, retrying());
  EXPECT_EQ(again.failed, 1);
  EXPECT_EQ(again.ok, 3 * 2);
  EXPECT_EQ(executor.asked_of_split_2, 1);
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

}  // namespace
}  // namespace cupel
