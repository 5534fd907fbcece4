// Runs that fail, are refused, or cannot start on this machine.
#include <gtest/gtest.h>

#include "cupel/lab/run/estimate.h"
#include "cupel/lab/run/scheduler.h"
#include "lab/small_plan.h"

namespace cupel {
namespace {

using made::FakeExecutor;
using made::plan_of;
using made::TempFolder;

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
  // At the last run, each of the other two workers may be about to give one up.
  EXPECT_GE(last, 32);
  EXPECT_LE(last, 34);
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

}  // namespace
}  // namespace cupel
