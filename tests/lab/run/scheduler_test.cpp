#include "cupel/lab/run/scheduler.h"

#include <gtest/gtest.h>

#include <sqlite3.h>

#include <mutex>
#include <set>

#include "cupel/lab/results/load.h"
#include "cupel/lab/run/estimate.h"
#include "lab/small_plan.h"

namespace cupel {
namespace {

using made::fake_sources;
using made::FakeExecutor;
using made::plan_of;
using made::rows_of;
using made::TempFolder;
using namespace std::chrono_literals;

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

}  // namespace
}  // namespace cupel
