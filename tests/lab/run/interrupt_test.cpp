// Interrupting real training: what the store holds afterwards, and what the same command adds.
#include <gtest/gtest.h>

#include "cupel/lab/run/scheduler.h"
#include "lab/fake.h"
#include "learn/train/bell.h"

namespace cupel {
namespace {

using made::fake_sources;
using made::rows_of;
using made::TempFolder;

constexpr int kEpochs = 20, kPasses = 2 * kEpochs + 1;  // of a run: each epoch, and the test

Plan plan_of() {
  static const ModelEntry entry = ringing_entry(Unit::kNode);
  PlanSources sources = fake_sources();
  sources.model = [](const ModelRow& row, const TaskKind&) {
    return ResolvedModel{entry.name, &entry, Options(row.where, entry.options, row.settings)};
  };
  const Protocol protocol = parse_protocol("ringing", "ringing.toml", R"(
[data]
datasets = ["one", "three"]
[split]
count = 2
[train]
inits = 3
max_epochs = 20
patience = 0
[models.ringing]
)");
  return make_plan(protocol, {}, sources);
}

TEST(InterruptedTraining, KeepsWhatIsFinishedAndGoesOnToTheSameRows) {
  const Plan plan = plan_of();
  const auto executor = make_executor();
  TempFolder folder;
  ExecuteOptions options;
  options.jobs = 1;
  options.interrupt = &bell.rung;

  bell.set(0);
  Store whole(folder / "whole");
  const ExecuteSummary all = execute(plan, whole, *executor, options);
  ASSERT_EQ(all.ok, 12);
  ASSERT_EQ(bell.passes, 12 * kPasses);

  // In the first run, in the midst of a later one, and in one that opened a new session.
  Store store(folder / "store");
  int stored = 0;
  for (const int run : {0, 1, 4}) {
    bell.set((run - stored) * kPasses + 11);
    const ExecuteSummary stopped = execute(plan, store, *executor, options);
    EXPECT_TRUE(stopped.interrupted);
    EXPECT_EQ(stopped.done, run - stored);
    EXPECT_EQ(stopped.failed + stopped.timed_out, 0);
    EXPECT_EQ(bell.passes, (run - stored) * kPasses + 12) << "training went on after its epoch";
    stored = run;
    EXPECT_EQ(store.run_count(), stored);
    for (const PlannedCell& cell : plan.cells)
      for (const StoredRun& row : store.runs(cell.family->id)) {
        EXPECT_EQ(row.record.status, RunStatus::kOk);
        EXPECT_EQ(row.record.epochs, kEpochs);
      }
  }
  bell.set(0);
  const ExecuteSummary rest = execute(plan, store, *executor, options);
  EXPECT_FALSE(rest.interrupted);
  EXPECT_EQ(rest.done, 12 - stored);
  EXPECT_EQ(rows_of(plan, store), rows_of(plan, whole));
}

}  // namespace
}  // namespace cupel
