#include "cupel/lab/run/scheduler.h"

#include <gtest/gtest.h>

#include <sqlite3.h>

#include <mutex>
#include <set>

#include "cupel/lab/results/load.h"
#include "cupel/lab/run/estimate.h"
#include "cupel/lab/run/pending.h"
#include "error_of.h"
#include "lab/fake.h"

namespace cupel {
namespace {

using testing::fake_sources;
using testing::FakeExecutor;
using testing::rows_of;
using testing::TempFolder;
using namespace std::chrono_literals;

Protocol small() { return parse_protocol("small", "small.toml", testing::kSmallProtocol); }
Plan plan_of(const Selection& selection = {}) {
  return make_plan(small(), selection, fake_sources());
}

TEST(Scheduler, RowsDoNotDependOnTheNumberOfWorkers) {
  const Plan plan = plan_of();
  TempFolder folder;
  std::vector<std::string> first;
  for (int jobs : {1, 2, 8}) {
    Store store(folder / std::to_string(jobs));
    FakeExecutor executor;
    ExecuteOptions options;
    options.jobs = jobs;
    const ExecuteSummary summary = execute(plan, store, executor, options);
    EXPECT_EQ(summary.done, 56);
    EXPECT_EQ(summary.ok + summary.diverged, 56);
    EXPECT_EQ(executor.runs, 56);
    const auto rows = rows_of(plan, store);
    EXPECT_EQ(rows.size(), 56u);
    if (first.empty()) first = rows;
    EXPECT_EQ(rows, first);
  }
}

TEST(Scheduler, TheSameAgainAddsNothing) {
  const Plan plan = plan_of();
  TempFolder folder;
  Store store(folder / "s");
  FakeExecutor executor;
  EXPECT_EQ(execute(plan_of({{}, {"gcn"}, {}, 2, 2}), store, executor, {}).done, 8);
  const ExecuteSummary rest = execute(plan, store, executor, {});
  EXPECT_EQ(rest.stored, 8);
  EXPECT_EQ(rest.done, 48);
  const ExecuteSummary again = execute(plan, store, executor, {});
  EXPECT_EQ(again.done, 0);
  EXPECT_EQ(again.stored, 56);
  EXPECT_EQ(executor.runs, 56);
}

TEST(Scheduler, FailuresAreRowsAndTheOthersGoOn) {
  const Plan plan = plan_of();
  TempFolder folder;
  Store store(folder / "s");
  FakeExecutor executor;
  executor.on_run = [](const RunGroup& group, int init, const RunLimits&) {
    if (group.family->row != "gcn" || group.split != 1) return;
    if (init == 0) fail("the loss is a llama");
    if (init == 1) throw std::bad_alloc();
  };
  executor.on_open = [](const RunGroup& group) {
    if (group.family->row == "mlp" && group.split == 2) fail("class 'a' is too small");
  };
  const ExecuteSummary summary = execute(plan, store, executor, {});
  EXPECT_EQ(summary.done, 56);
  EXPECT_EQ(summary.failed, 2 * (2 + 3));
  EXPECT_EQ(summary.failures.size(), 6u);  // each kind once for each cell
  int rows = 0;
  for (const StoredRun& run : store.runs(plan.cells[0].family->id)) {
    if (run.record.status != RunStatus::kFailed) continue;
    ++rows;
    EXPECT_EQ(run.record.message, run.init == 0 ? "the loss is a llama" : "out of memory");
    EXPECT_FALSE(run.record.test_score);
    EXPECT_EQ(run.record.metric, "accuracy");
  }
  EXPECT_EQ(rows, 2);

  // Once more: they stay. With retry: they are done again, and they alone.
  executor.on_run = nullptr;
  executor.on_open = nullptr;
  EXPECT_EQ(execute(plan, store, executor, {}).done, 0);
  ExecuteOptions retry;
  retry.retry = true;
  const ExecuteSummary second = execute(plan, store, executor, retry);
  EXPECT_EQ(second.done, 10);
  EXPECT_EQ(second.failed, 0);
  EXPECT_EQ(execute(plan, store, executor, retry).done, 0);
}

// An executor whose model `mlp` refuses every data set, and which knows no memory of `gcn`.
class Refusing : public FakeExecutor {
 public:
  std::string refusal(const RunGroup& group) const override {
    return group.family->row == "mlp" ? "the matrix needs 9 GB; take another" : "";
  }
  std::size_t estimate_memory(const RunGroup& group) const override {
    return group.family->row == "gcn" ? 0 : 1 << 20;
  }
};

TEST(Scheduler, WhatIsRefusedIsKnownBeforeAndIsNoOutcome) {
  const Plan plan = plan_of();
  TempFolder folder;
  Store store(folder / "s");
  Refusing executor;
  const PlanEstimate estimate = estimate_plan(plan, store, executor, {});
  int refused = 0;
  for (const Refusal& refusal : estimate.refused) {
    EXPECT_EQ(refusal.family->row, "mlp");
    EXPECT_EQ(refusal.text(),
              "mlp on " + refusal.family->dataset->name + ": the matrix needs 9 GB; take another");
    refused += refusal.runs;
  }
  EXPECT_EQ(estimate.refused.size(), 2u);
  EXPECT_EQ(refused, 24);
  for (const PlanEstimate::Line& line : estimate.lines) {
    EXPECT_NE(line.model, "mlp");
    EXPECT_EQ(line.memory_bytes, line.model == "gcn" ? 0u : 1u << 20) << line.model;
  }
  ExecuteOptions options;
  options.refused = estimate.refused;
  const ExecuteSummary summary = execute(plan, store, executor, options);
  EXPECT_EQ(summary.done, 32);
  EXPECT_EQ(summary.failed, 0);
  EXPECT_EQ(summary.not_started, 24);
  EXPECT_EQ(executor.runs, 32) << "none of the refused ones";
  ASSERT_EQ(summary.not_started_rows.size(), 2u);
  for (const NotStartedRow& row : summary.not_started_rows) {
    EXPECT_EQ(row.model, "mlp");
    EXPECT_EQ(row.reason, "the matrix needs 9 GB; take another");
    EXPECT_EQ(row.runs, 12);
    EXPECT_TRUE(row.announced);
  }
  EXPECT_EQ(store.run_count(), 32);
  EXPECT_EQ(estimate_plan(plan, store, executor, {}).refused.size(), 2u) << "and still to do";
  // An executor that does not refuse them does them.
  EXPECT_EQ(execute(plan, store, FakeExecutor(), {}).done, 24);
}

TEST(Scheduler, WhatCannotStartIsGivenUpForItsRowAndDoneByALaterCall) {
  const Plan plan = plan_of();
  TempFolder folder;
  Store store(folder / "s");
  FakeExecutor executor;
  executor.on_run = [](const RunGroup& group, int, const RunLimits&) {
    if (group.family->row == "gcn") throw NotStarted("'gcn.sh' cannot be started: no such file");
  };
  ExecuteOptions options;
  options.jobs = 3;
  int last = 0;
  options.on_progress = [&](const Progress& progress) { last = progress.total; };
  const ExecuteSummary summary = execute(plan, store, executor, options);
  EXPECT_EQ(summary.done, 32);
  EXPECT_EQ(summary.failed, 0);
  EXPECT_EQ(summary.not_started, 24);
  EXPECT_FALSE(summary.interrupted);
  EXPECT_EQ(last, 32);
  ASSERT_EQ(summary.not_started_rows.size(), 2u);
  for (const NotStartedRow& row : summary.not_started_rows) {
    EXPECT_EQ(row.model, "gcn");
    EXPECT_EQ(row.runs, 12);
    EXPECT_FALSE(row.announced);
    EXPECT_EQ(row.reason, "'gcn.sh' cannot be started: no such file");
  }
  EXPECT_EQ(store.run_count(), 32);
  executor.on_run = nullptr;
  EXPECT_EQ(execute(plan, store, executor, options).done, 24);
}

TEST(Scheduler, FailuresOfTheStoreAreCounted) {
  const Plan plan = plan_of();
  TempFolder folder;
  Store store(folder / "s");
  FakeExecutor executor;
  executor.on_run = [](const RunGroup& group, int init, const RunLimits&) {
    if (group.family->row == "gcn" && init == 2) fail("the loss is a llama");
  };
  EXPECT_EQ(execute(plan, store, executor, {}).failed_before, 0);
  const ExecuteSummary again = execute(plan, store, executor, {});
  EXPECT_EQ(again.done, 0);
  EXPECT_EQ(again.failed_before, 8);
  EXPECT_EQ(execute(plan_of({{}, {"mlp"}, {}, 0, 0}), store, executor, {}).failed_before, 0);
}

TEST(Scheduler, ADeadlineReachesEveryRun) {
  TempFolder folder;
  Store store(folder / "s");
  FakeExecutor executor;
  std::atomic<int> without = 0;
  executor.on_run = [&](const RunGroup&, int, const RunLimits& limits) {
    const auto now = std::chrono::steady_clock::now();
    if (!limits.deadline || *limits.deadline < now || *limits.deadline > now + 5s) ++without;
  };
  ExecuteOptions options;
  options.timeout_seconds = 5;
  execute(plan_of(), store, executor, options);
  EXPECT_EQ(without, 0);
}

TEST(Scheduler, AnInterruptStopsAndLosesNothing) {
  const Plan plan = plan_of();
  TempFolder folder;
  Store store(folder / "s");
  FakeExecutor executor;
  std::atomic<bool> interrupt = false;
  ExecuteOptions options;
  options.jobs = 2;
  options.interrupt = &interrupt;
  options.on_progress = [&](const Progress& progress) {
    if (progress.done == 10) interrupt = true;
  };
  const ExecuteSummary summary = execute(plan, store, executor, options);
  EXPECT_TRUE(summary.interrupted);
  EXPECT_GE(summary.done, 10);
  EXPECT_LE(summary.done, 12);
  EXPECT_EQ(store.run_count(), summary.done);
  interrupt = false;
  options.on_progress = nullptr;
  const ExecuteSummary rest = execute(plan, store, executor, options);
  EXPECT_FALSE(rest.interrupted);
  EXPECT_EQ(rest.done, 56 - summary.done);
}

TEST(Scheduler, ARunGivenUpAtAnInterruptIsNoRow) {
  TempFolder folder;
  Store store(folder / "s");
  FakeExecutor executor;
  std::atomic<bool> interrupt = false;
  executor.on_run = [&](const RunGroup&, int, const RunLimits& limits) {
    interrupt = true;
    if (*limits.interrupt) throw Interrupted();
  };
  ExecuteOptions options;
  options.jobs = 1;
  options.interrupt = &interrupt;
  EXPECT_EQ(execute(plan_of(), store, executor, options).done, 0);
  EXPECT_EQ(store.run_count(), 0);
}

TEST(Scheduler, SessionsAreAdmittedByMemory) {
  TempFolder folder;
  Store store(folder / "s");
  FakeExecutor executor;
  executor.memory = 100;
  executor.on_run = [](const RunGroup&, int, const RunLimits&) {
    std::this_thread::sleep_for(1ms);
  };
  ExecuteOptions options;
  options.jobs = 8;
  options.memory_bytes = 250;
  execute(plan_of(), store, executor, options);
  EXPECT_EQ(store.run_count(), 56);
  EXPECT_EQ(executor.most_alive, 2);

  // What can never fit is told, and not kept: the same with more memory does it.
  Store other(folder / "t");
  options.memory_bytes = 99;
  const ExecuteSummary summary = execute(plan_of(), other, executor, options);
  EXPECT_EQ(summary.done, 0);
  EXPECT_EQ(summary.failed, 0);
  EXPECT_EQ(summary.not_started, 56);
  EXPECT_EQ(summary.not_started_rows.size(), 6u);
  EXPECT_NE(summary.not_started_rows.at(0).reason.find("raise it with --memory"),
            std::string::npos);
  EXPECT_EQ(other.run_count(), 0);
  options.memory_bytes = 100;
  EXPECT_EQ(execute(plan_of(), other, executor, options).done, 56);
}

TEST(Scheduler, IdleWorkersShareAGroup) {
  TempFolder folder;
  Store store(folder / "s");
  FakeExecutor executor;
  std::mutex mutex;
  std::set<std::thread::id> threads;
  const auto end = std::chrono::steady_clock::now() + 10s;
  executor.on_run = [&](const RunGroup&, int, const RunLimits&) {
    // A run lasts until a second worker has come, however late.
    for (bool alone = true; alone && std::chrono::steady_clock::now() < end;) {
      {
        const std::lock_guard lock(mutex);
        threads.insert(std::this_thread::get_id());
        alone = threads.size() < 2;
      }
      std::this_thread::sleep_for(5ms);
    }
  };
  ExecuteOptions options;
  options.jobs = 3;
  const Protocol one = parse_protocol(
      "p", "p.toml",
      "[data]\ndatasets=['one']\n[split]\ncount=1\n[train]\ninits=12\n[models.gcn]\n");
  EXPECT_EQ(execute(make_plan(one, {}, fake_sources()), store, executor, options).done, 12);
  EXPECT_GE(threads.size(), 2u);
  EXPECT_EQ(executor.runs, 12);
}

TEST(Scheduler, ProgressAddsUp) {
  TempFolder folder;
  Store store(folder / "s");
  FakeExecutor executor;
  ExecuteOptions options;
  options.jobs = 4;
  int last = 0;
  options.on_progress = [&](const Progress& progress) {
    EXPECT_EQ(progress.done, ++last);
    EXPECT_EQ(progress.total, 56);
    EXPECT_GT(progress.runs_per_minute, 0);
    EXPECT_GE(progress.seconds_left, 0);
    EXPECT_FALSE(progress.model.empty());
    EXPECT_EQ(progress.seconds_left == 0, progress.done == 56);
  };
  execute(plan_of(), store, executor, options);
  EXPECT_EQ(last, 56);
}

// Sessions whose epoch follows a counter.
class Counting : public FakeExecutor {
 public:
  std::atomic<int> epoch = 0;
  std::unique_ptr<RunSession> open(const RunGroup& group, Threads threads) const override {
    class Session : public RunSession {
     public:
      Session(std::unique_ptr<RunSession> inner, const std::atomic<int>& epoch)
          : inner_(std::move(inner)), epoch_(epoch) {}
      RunRecord run(int init, StreamKey key, const RunLimits& limits) override {
        return inner_->run(init, key, limits);
      }
      int epochs() const override { return epoch_; }

     private:
      std::unique_ptr<RunSession> inner_;
      const std::atomic<int>& epoch_;
    };
    return std::make_unique<Session>(FakeExecutor::open(group, threads), epoch);
  }
};

TEST(Scheduler, TellsOfTheRunsInFlightBeforeAnyIsDone) {
  TempFolder folder;
  Store store(folder / "s");
  Counting executor;
  std::atomic<bool> told = false;
  executor.on_run = [&](const RunGroup&, int, const RunLimits&) {
    // The first run lasts until it has been told of, and then some.
    for (int i = 0; i < 1000 && !told; ++i) {
      ++executor.epoch;
      std::this_thread::sleep_for(10ms);
    }
  };
  ExecuteOptions options;
  options.jobs = 2;
  int ticks = 0;
  double before = 0;
  std::string oldest;  // which of the two that begin together is up to their threads
  options.on_tick = [&](const Progress& progress) {
    ++ticks;
    EXPECT_EQ(progress.total, 56);
    if (!progress.oldest || told) return;
    EXPECT_EQ(progress.done, 0);
    EXPECT_EQ(progress.runs_per_minute, 0);
    EXPECT_EQ(progress.oldest->dataset, "one");
    if (oldest.empty()) oldest = progress.oldest->model;
    EXPECT_EQ(progress.oldest->model, oldest);
    EXPECT_GE(progress.oldest->seconds, before);
    before = progress.oldest->seconds;
    if (ticks >= 3 && progress.oldest->epochs > 0) told = true;
  };
  EXPECT_EQ(execute(plan_of(), store, executor, options).done, 56);
  EXPECT_TRUE(told);
  EXPECT_TRUE(oldest == "gcn" || oldest == "mlp") << oldest;
  EXPECT_GT(before, 0.1);
}

TEST(Scheduler, AStoreThatCannotBeWrittenStopsEverything) {
  TempFolder folder;
  Store store(folder / "s");
  FakeExecutor executor;
  const Plan plan = plan_of();
  store.register_plan(plan);
  sqlite3* db = nullptr;
  sqlite3_open((folder / "s").c_str(), &db);
  sqlite3_exec(db, "DROP TABLE runs", nullptr, nullptr, nullptr);
  sqlite3_close(db);
  EXPECT_THROW(execute(plan, store, executor, {}), Error);
}

TEST(Scheduler, ShardsMergedAreOneRun) {
  const Plan plan = plan_of();
  TempFolder folder;
  Store whole(folder / "whole"), merged(folder / "merged");
  FakeExecutor executor;
  execute(plan, whole, executor, {});
  int done = 0;
  for (int i = 0; i < 3; ++i) {
    ExecuteOptions options;
    options.shard = {i, 3};
    const auto path = folder / ("part" + std::to_string(i));
    {
      Store part(path);
      done += execute(plan, part, executor, options).done;
    }
    merged.merge(path);
  }
  EXPECT_EQ(done, 56);
  EXPECT_EQ(rows_of(plan, merged), rows_of(plan, whole));
  EXPECT_EQ(execute(plan, merged, executor, {}).done, 0);
  // The merged store knows what was asked for, too.
  EXPECT_EQ(load_results(merged).tables.at(0).cells.at(0).expected_n, 12);
}

TEST(Scheduler, EstimatesFromPastRunsElseRoughly) {
  const Plan plan = plan_of();
  TempFolder folder;
  Store store(folder / "s");
  FakeExecutor executor;
  executor.memory = 7;
  const PlanEstimate before = estimate_plan(plan, store, executor, {});
  EXPECT_EQ(before.runs, 56);
  EXPECT_EQ(before.lines.size(), 6u);
  EXPECT_EQ(before.lines[0].measured, 0);
  EXPECT_GT(before.seconds, 0);
  EXPECT_EQ(before.lines[0].memory_bytes, 7u);
  EXPECT_EQ(executor.runs, 0);
  EXPECT_EQ(store.run_count(), 0);
  RunRecord slow;
  slow.seconds = 100;
  store.put(plan.cells[0].family->identity, 0, 0, slow);
  ExecuteOptions options;
  options.jobs = 1;
  const PlanEstimate after = estimate_plan(plan, store, executor, options);
  EXPECT_EQ(after.stored, 1);
  EXPECT_EQ(after.lines[0].measured, 1);
  EXPECT_EQ(after.lines[0].seconds_per_run, 100);
  EXPECT_EQ(after.lines[0].runs, 11);
  EXPECT_GT(after.seconds, 1100);
}

TEST(Results, AreWhatWasAskedFor) {
  TempFolder folder;
  Store store(folder / "s");
  FakeExecutor executor;
  EXPECT_THROW((void)load_results(store), Error);
  const Protocol protocol = small();
  execute(make_plan(protocol, {{"three"}, {"mlp", "fixed"}, {}, 2, 1}, fake_sources()), store,
          executor, {});
  Results results = load_results(store, protocol);
  ASSERT_EQ(results.tables.size(), 1u);
  EXPECT_EQ(results.tables[0].datasets, (std::vector<std::string>{"three"}));
  EXPECT_EQ(results.tables[0].models, (std::vector<std::string>{"mlp", "fixed"}));
  EXPECT_EQ(results.tables[0].cells[0].expected_n, 2);

  // Asked for in two steps: 2 splits x 1 init, then 1 split x 3 inits: an L, not a rectangle.
  execute(make_plan(protocol, {{"one", "three"}, {"mlp", "fixed"}, {}, 1, 3}, fake_sources()),
          store, executor, {});
  results = load_results(store, "small");
  EXPECT_EQ(results.tables[0].datasets, (std::vector<std::string>{"one", "three"}));
  const CellResults& cell = results.tables[0].cells.at(2);
  EXPECT_EQ(cell.dataset, "three");
  EXPECT_EQ(cell.model, "mlp");
  EXPECT_EQ(cell.expected_n, 4);
  ASSERT_EQ(cell.runs.size(), 4u);
  EXPECT_EQ(cell.runs[3].split, 1);
  EXPECT_EQ(cell.runs[3].init, 0);
  // A run that does not depend on the initialisation is there once a split.
  const CellResults& fixed = results.tables[0].cells.at(3);
  ASSERT_EQ(fixed.runs.size(), 2u);
  EXPECT_EQ(fixed.expected_n, 2);
  EXPECT_EQ(fixed.runs[1].split, 1);

  EXPECT_THROW((void)load_results(store, "other"), Error);
  EXPECT_THROW((void)load_results(
                   store, parse_protocol("small", "s.toml",
                                         std::string(testing::kSmallProtocol) + "dropout = 0.5")),
               Error);
}

TEST(Results, OfAnEditedProtocolAreThoseOfItsOlderVersion) {
  TempFolder folder;
  Store store(folder / "s");
  FakeExecutor executor;
  const Protocol before = small();
  const Protocol after =
      parse_protocol("small", "small.toml", std::string(testing::kSmallProtocol) + "hidden = 8\n");
  execute(make_plan(before, {}, fake_sources()), store, executor, {});
  const std::string said = error_of([&] { (void)load_results(store, after); });
  const std::string old = "small@" + before.version.substr(0, 12);
  for (const std::string& part :
       {after.version.substr(0, 12), before.version.substr(0, 12),
        "`cupel report " + (folder / "s").string() + " --protocol " + old})
    EXPECT_NE(said.find(part), std::string::npos) << said;
  EXPECT_EQ(load_results(store, old).tables.at(0).cells.at(0).runs.size(), 12u);
  // With both there, each is to be had; the one asked for last goes by the name alone.
  execute(make_plan(after, {{}, {"fixed"}, {}, 1, 1}, fake_sources()), store, executor, {});
  EXPECT_EQ(load_results(store, "small").tables.at(0).models.size(), 1u);
  EXPECT_EQ(load_results(store, old).tables.at(0).models.size(), 3u);
  EXPECT_EQ(stored_protocol(store, old).version, before.version);
  const std::string none = error_of([&] { (void)load_results(store, "small@0000"); });
  EXPECT_NE(none.find(old), std::string::npos) << none;
}

TEST(Results, NumbersOfOldDataAreNotMixedWithNewOnes) {
  TempFolder folder;
  Store store(folder / "s");
  FakeExecutor executor;
  const Protocol protocol = small();
  execute(make_plan(protocol, {{}, {"gcn"}, {}, 0, 0}, fake_sources()), store, executor, {});
  PlanSources changed = fake_sources();
  changed.load = [](const std::string& name) { return testing::ring(name, 199); };
  execute(make_plan(protocol, {{}, {"gcn"}, {}, 1, 2}, changed), store, executor, {});
  const Results results = load_results(store, protocol);
  EXPECT_EQ(results.tables[0].cells[0].expected_n, 2);
  EXPECT_EQ(results.tables[0].cells[0].runs.size(), 2u);
}

TEST(Results, KeepThePublishedValues) {
  TempFolder folder;
  Store store(folder / "s");
  FakeExecutor executor;
  const Protocol protocol = parse_protocol(
      "small", "small.toml", std::string(testing::kSmallProtocol) + "[published]\nfile = 'p.csv'",
      "table,dataset,model,metric,mean,spread,spread_kind,n_runs,effective_n\n"
      "1,one,gcn,accuracy,81.5,1.3,sd_ddof1_pooled_runs,2000,100\n");
  execute(make_plan(protocol, {}, fake_sources()), store, executor, {});
  const Results results = load_results(store);
  ASSERT_EQ(results.published.size(), 1u);
  EXPECT_EQ(results.published[0].mean, 81.5);
}

}  // namespace
}  // namespace cupel
