#include "cupel/lab/shards/shard_folder.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <string>

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
    EXPECT_EQ(shard_stores(folder / "shards", plan.hash).size(), 1U) << "until there is better";
    second.publish();
    EXPECT_EQ(shard_stores(folder / "shards", plan.hash), std::vector<fs::path>{second.path()});
    second.publish();  // as often as one likes
  }
  std::size_t files = 0;  // no log, no temporary file, nothing of the machine's own disk
  for ([[maybe_unused]] const auto& entry : fs::directory_iterator(folder / "shards")) ++files;
  EXPECT_EQ(files, 1u);
}

// On the disk that machines share, and nothing that is taken for a store or for who is at the
// shard.
TEST(ShardFolder, EveryAttemptPutsDownAndTakesUpAtOnePlace) {
  TempFolder folder;
  fs::path place;
  {
    ShardStore first(folder / "shards", "plan", 0, 2);
    place = first.checkpoints();
    EXPECT_EQ(place.parent_path(), folder / "shards");
    std::ofstream(place.string() + "-checkpoint-run") << "a state";
  }
  EXPECT_TRUE(shard_stores(folder / "shards", "plan", 0, 2).empty());
  EXPECT_TRUE(attended_shards(folder / "shards", "plan", 2).empty());
  EXPECT_EQ(ShardStore(folder / "shards", "plan", 0, 2).checkpoints(), place);
  EXPECT_NE(ShardStore(folder / "shards", "plan", 1, 2).checkpoints(), place);
}

TEST(ShardFolder, WhatAnEarlierAttemptPublishesLaterStays) {
  const TempFolder folder;
  const fs::path shards = folder / "shards";
  const FrozenPlan plan = frozen_small([](std::size_t) { return 1.0; });
  ShardStore first(shards, plan.hash, 0, 1);
  EXPECT_GT(do_shard(plan, 0, 2, first.store(), FakeExecutor()), 0);
  first.publish();
  {
    ShardStore killed(shards, plan.hash, 0, 1);  // has taken it and publishes nothing
    EXPECT_EQ(killed.store().run_count(), first.store().run_count());
  }
  ASSERT_EQ(shard_stores(shards, plan.hash, 0, 1).size(), 1U);
  ShardStore second(shards, plan.hash, 0, 1);
  const std::int64_t half = second.store().run_count();
  EXPECT_EQ(half, first.store().run_count());
  EXPECT_GT(do_shard(plan, 0, 1, first.store(), FakeExecutor()), 0);
  first.publish();
  second.publish();
  EXPECT_EQ(shard_stores(shards, plan.hash).size(), 2U);
  EXPECT_EQ(Store(first.path(), Store::Mode::kOpen).run_count(), first.store().run_count());
  EXPECT_EQ(status_of(plan, shards).shards.front().done, plan.count());
}

TEST(ShardFolder, AStoreThatGoesWhileItIsReadIsListedAgain) {
  const TempFolder folder;
  int lists = 0;
  const auto read = [&] {
    if (++lists == 1) (void)damage_of(folder / "taken.sqlite");
    return lists;
  };
  EXPECT_EQ(read_listed(read), 2);
  EXPECT_THROW(read_listed([&] { return damage_of(folder / "taken.sqlite"); }), NoStore);
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

TEST(ShardFolder, WhoIsAtAShardIsToldWhileTheyAre) {
  const TempFolder folder;
  const fs::path shards = folder / "shards";
  EXPECT_TRUE(attended_shards(shards, "abc", 3).empty()) << "no folder";
  {
    const ShardStore one(shards, "abc", 1, 3), other(shards, "abd", 0, 3), cut(shards, "abc", 0, 4);
    const auto attended = attended_shards(shards, "abc", 3);
    ASSERT_EQ(attended.size(), 1U);
    EXPECT_EQ(attended.begin()->first, 1);
    EXPECT_NE(attended.begin()->second, "");
  }
  EXPECT_TRUE(attended_shards(shards, "abc", 3).empty());
  EXPECT_TRUE(fs::is_empty(shards));
}

TEST(ShardFolder, WhoIsGoneWithoutAWordIsNotAtAShard) {
  const TempFolder folder;
  const fs::path file = folder / "abc.1-of-1.00000000.heartbeat";
  const auto left = [&](const std::string& text, std::chrono::seconds ago) {
    std::ofstream(file) << text;
    fs::last_write_time(file, fs::file_time_type::clock::now() - ago);
    return attended_shards(folder / "", "abc", 1);
  };
  using std::chrono::seconds;
  const std::map<int, std::string> there = {{0, "elsewhere"}};
  EXPECT_EQ(left("elsewhere 1\n", seconds(170)), there);
  EXPECT_EQ(left("elsewhere 1\n", seconds(-600)), there) << "a clock that is ahead";
  EXPECT_TRUE(left("elsewhere 1\n", seconds(190)).empty());
  EXPECT_TRUE(left("", seconds(0)).empty());
  EXPECT_TRUE(left("elsewhere -1\n", seconds(0)).empty());
  std::string here, number, processes;
  {
    const Heartbeat own(folder / "own");
    std::ifstream text(folder / "own");
    text >> here >> number;
    std::getline(text, processes);
  }
  ASSERT_NE(processes, "");
  const pid_t child = ::fork();
  if (child == 0) ::_exit(0);
  ASSERT_EQ(::waitpid(child, nullptr, 0), child);
  const std::string ended = here + " " + std::to_string(child);
  EXPECT_TRUE(left(ended + processes, seconds(0)).empty()) << "it has ended";
  EXPECT_EQ(left(ended + " another pid:[1]", seconds(0)).size(), 1U) << "cannot be seen from here";
  EXPECT_EQ(left(ended, seconds(0)).size(), 1U) << "of a version that did not say";
  EXPECT_EQ(left(here + " " + std::to_string(::getpid()) + processes, seconds(0)).size(), 1U);
  { const ShardStore next(folder / "", "abc", 0, 1); }
  EXPECT_TRUE(fs::exists(file)) << "of the living";
  EXPECT_TRUE(left("elsewhere 1\n", seconds(190)).empty());
  { const ShardStore next(folder / "", "abc", 0, 1); }
  EXPECT_FALSE(fs::exists(file)) << "of the dead";
}

TEST(ShardFolder, AStoreThatIsNotAsItWasPublishedIsSetAside) {
  const TempFolder folder;
  fs::create_directory(folder / "shards");
  const fs::path damaged = folder / "shards/abc.1-of-2.00000000.sqlite";
  std::ofstream(damaged) << "rubbish";
  EXPECT_NE(damage_of(damaged).value_or("").find("is not a store"), std::string::npos);
  EXPECT_TRUE(is_of_shard(damaged, "abc", 0, 2));
  EXPECT_FALSE(is_of_shard(damaged, "abc", 1, 2));
  EXPECT_TRUE(ShardStore(folder / "shards", "abc", 1, 2).set_aside().empty());
  ShardStore again(folder / "shards", "abc", 0, 2);
  ASSERT_EQ(again.set_aside(), std::vector<fs::path>{damaged.string() + ".damaged"});
  EXPECT_TRUE(fs::exists(again.set_aside().front()));
  again.publish();
  EXPECT_EQ(shard_stores(folder / "shards", "abc"), std::vector<fs::path>{again.path()});
  EXPECT_EQ(damage_of(again.path()), std::nullopt);
}

TEST(ShardFolder, WhatIsKeptOutlivesTheAttempt) {
  const TempFolder temporary, folder;
  const Variable variable("TMPDIR", (temporary / "").string());
  const FrozenPlan plan = frozen_small([](std::size_t) { return 1.0; });
  fs::path kept;
  std::int64_t runs = 0;
  {
    ShardStore first(folder / "shards", plan.hash, 0, 2);
    EXPECT_GT(do_shard(plan, 0, 2, first.store(), FakeExecutor()), 0);
    runs = first.store().run_count();
    kept = first.keep();
  }
  sweep_locked_folders(temporary / "", "cupel-shard-");
  EXPECT_EQ(Store(kept, Store::Mode::kOpen).run_count(), runs);
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
  const auto status = [&] { return status_of(plan, folder / "shards").shards; };
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
