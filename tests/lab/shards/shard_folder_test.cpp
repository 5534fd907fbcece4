#include "cupel/lab/shards/shard_folder.h"

#include <gtest/gtest.h>

#include "cupel/lab/shards/shard_status.h"
#include "environment.h"
#include "lab/shards/place.h"

namespace cupel::made {
namespace {

namespace fs = std::filesystem;

TEST(ShardFolder, WhatEarlierAttemptsPublishedIsNotDoneAgain) {
  const TempFolder folder;
  const FrozenPlan plan = frozen_small([](std::size_t) { return 1.0; });
  FakeExecutor executor;
  {
    ShardStore first(folder / "shards", plan.hash, 0, 2);
    EXPECT_GT(do_shard(plan, 0, 2, first.store(), executor), 0);
    EXPECT_TRUE(shard_stores(folder / "shards", plan.hash).empty()) << "not published yet";
    first.publish();
  }
  const auto published = shard_stores(folder / "shards", plan.hash, 0, 2);
  ASSERT_EQ(published.size(), 1u);
  EXPECT_TRUE(shard_stores(folder / "shards", plan.hash, 1, 2).empty());
  EXPECT_TRUE(shard_stores(folder / "shards", "another", 0, 2).empty());
  {
    ShardStore second(folder / "shards", plan.hash, 0, 2);
    EXPECT_EQ(do_shard(plan, 0, 2, second.store(), executor), 0);
    EXPECT_EQ(shard_stores(folder / "shards", plan.hash), published) << "until there is better";
    second.publish();
    EXPECT_EQ(shard_stores(folder / "shards", plan.hash), std::vector<fs::path>{second.path()});
    second.publish();  // as often as one likes
  }
  std::size_t files = 0;  // no log, no temporary file, nothing of the machine's own disk
  for ([[maybe_unused]] const auto& entry : fs::directory_iterator(folder / "shards")) ++files;
  EXPECT_EQ(files, 1u);
}

TEST(ShardFolder, WhatAKilledWorkerLeftOnTheDiskGoes) {
  const TempFolder temporary, folder;
  const Variable variable("TMPDIR", (temporary / "").string());
  fs::create_directory(temporary / "cupel-shard-killed");
  std::ofstream(temporary / "cupel-shard-killed/lock");
  std::ofstream(temporary / "cupel-shard-killed/store.sqlite") << "half a store";
  {
    const ShardStore living(folder / "shards", "abc", 0, 2);
    EXPECT_FALSE(fs::exists(temporary / "cupel-shard-killed"));
    sweep_locked_folders(temporary / "", "cupel-shard-");
    EXPECT_FALSE(fs::is_empty(temporary / "")) << "the living keep theirs";
  }
  EXPECT_TRUE(fs::is_empty(temporary / ""));
}

TEST(ShardFolder, AStoreThatIsNotAsItWasPublishedIsTold) {
  const TempFolder folder;
  fs::create_directory(folder / "shards");
  std::ofstream(folder / "shards/abc.1-of-2.00000000.sqlite") << "rubbish";
  EXPECT_THROW(ShardStore(folder / "shards", "abc", 0, 2), Error);
  EXPECT_NO_THROW(ShardStore(folder / "shards", "abc", 1, 2));
}

TEST(ShardFolder, AFolderThatCannotBeMadeIsTold) {
  const TempFolder folder;
  std::ofstream(folder / "file") << "in the way";
  EXPECT_THROW(ShardStore(folder / "file", "abc", 0, 2), Error);
}

TEST(ShardStatus, CountsWhatIsPublishedHoweverItWasCut) {
  const TempFolder folder;
  FrozenPlan plan = frozen_small([](std::size_t) { return 2.0; });
  plan.shards = 4;
  FakeExecutor executor;
  executor.on_run = [](const RunGroup& group, int init, const RunLimits&) {
    if (group.family->row == "mlp" && init == 0) fail("no");
  };
  const auto status = [&] { return shard_statuses(plan, folder / "shards"); };
  for (const ShardStatus& shard : status()) {
    EXPECT_EQ(shard.runs, 14);
    EXPECT_EQ(shard.done, 0);
    EXPECT_DOUBLE_EQ(shard.seconds_left, 28);
  }
  // One of two covers two of four.
  ShardStore half(folder / "shards", plan.hash, 0, 2);
  const int done = do_shard(plan, 0, 2, half.store(), executor);
  half.publish();
  EXPECT_EQ(done, 28);
  const std::vector<ShardStatus> now = status();
  EXPECT_EQ(now[0].done, 14);
  EXPECT_EQ(now[1].done, 14);
  EXPECT_EQ(now[2].done, 0);
  EXPECT_EQ(now[0].failed + now[1].failed, 4);  // mlp on one of two data sets, four splits
}

TEST(StoreCopy, IsTheStoreAndStandsForItself) {
  const TempFolder folder;
  const Plan plan = make_plan(small_protocol(), {}, fake_sources());
  Store store(folder / "a.sqlite");
  execute(plan, store, FakeExecutor(), {});
  store.copy_to(folder / "b.sqlite");
  EXPECT_FALSE(fs::exists(folder / "b.sqlite-wal"));
  fs::permissions(folder / "b.sqlite", fs::perms::owner_read);
  const Store copy(folder / "b.sqlite", Store::Mode::kOpen);
  EXPECT_EQ(rows_of(plan, copy), rows_of(plan, store));
  EXPECT_TRUE(copy.faults().empty());
  EXPECT_THROW(store.copy_to(folder / "nowhere/c.sqlite"), Error);
}

}  // namespace
}  // namespace cupel::made
