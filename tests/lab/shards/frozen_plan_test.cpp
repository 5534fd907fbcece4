#include "cupel/lab/shards/frozen_plan.h"

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <random>
#include <set>
#include <tuple>

#include "error_of.h"
#include "lab/shards/place.h"

namespace cupel::made {
namespace {

using Place = std::tuple<std::string, int, int>;  // family, split, init

std::set<Place> places_of(const std::vector<FrozenRuns>& list) {
  std::set<Place> out;
  for (const FrozenRuns& runs : list)
    for (const int init : runs.inits)
      EXPECT_TRUE(out.insert({runs.family, runs.split, init}).second) << "listed twice";
  return out;
}

double seconds_of(const std::vector<FrozenRuns>& list) {
  double sum = 0;
  for (const FrozenRuns& runs : list)
    sum += 1e-6 * static_cast<double>(runs.microseconds) * static_cast<double>(runs.inits.size());
  return sum;
}

TEST(FrozenPlan, ShardsAreDisjointCompleteAndEvenToOneRun) {
  std::mt19937 draw(5);
  for (int round = 0; round < 100; ++round) {
    double longest = 0;
    const FrozenPlan plan = frozen_small([&](std::size_t) {
      const double seconds = std::exp(static_cast<double>(draw() % 1000) / 100 - 5);
      longest = std::max(longest, seconds);
      return seconds;
    });
    ASSERT_EQ(plan.count(), 2 * (4 * 3 + 4 * 3 + 4));
    const std::set<Place> all = places_of(plan.runs);
    const int count = 1 + round % 13;
    std::set<Place> seen;
    for (int shard = 0; shard < count; ++shard) {
      const std::vector<FrozenRuns> mine = runs_of_shard(plan, shard, count);
      for (const Place& place : places_of(mine))
        EXPECT_TRUE(seen.insert(place).second) << "in two shards";
      EXPECT_LE(std::abs(seconds_of(mine) - plan.seconds() / count), longest + 1e-5);
    }
    EXPECT_EQ(seen, all);
  }
}

TEST(FrozenPlan, AShardHasFewDataSets) {
  const FrozenPlan plan = frozen_small([](std::size_t) { return 1.0; });
  int both = 0;
  for (int shard = 0; shard < 7; ++shard) {
    std::set<std::string> datasets;
    for (const FrozenRuns& runs : runs_of_shard(plan, shard, 7)) datasets.insert(runs.dataset);
    both += datasets.size() > 1;
  }
  EXPECT_LE(both, 1);  // the one in the middle
}

TEST(FrozenPlan, AutomaticShardsTakeAboutTheirTarget) {
  FrozenPlan plan = frozen_small([](std::size_t) { return 30.0; });  // 56 runs: 28 minutes
  for (const auto& [seconds, shards] : {std::pair(600.0, 3), {1e6, 1}, {1e-3, 56}}) {
    cut_by_time(plan, seconds);
    EXPECT_EQ(plan.shards, shards) << "one run at least";
    EXPECT_EQ(plan.stretches, 0);
  }
}

// Whatever runs take, long ones among them.
TEST(FrozenPlan, NoAutomaticShardIsEmptyAndAllRunsAreInOne) {
  std::mt19937 draw(7);
  int with_gaps = 0;
  for (int round = 0; round < 200; ++round) {
    FrozenPlan plan = frozen_small([&](std::size_t) {
      return std::exp(static_cast<double>(draw() % 1000) / (round % 2 == 0 ? 50 : 500) - 5);
    });
    const double target = plan.seconds() / (1 + draw() % 70);
    cut_by_time(plan, target);
    const double stretch = std::max(target, plan.seconds() / static_cast<double>(plan.count()));
    plan = parse_frozen("a.plan", frozen_text(plan));
    with_gaps += plan.stretches > 0;
    std::set<Place> seen;
    for (int shard = 0; shard < plan.shards; ++shard) {
      const std::vector<FrozenRuns> mine = runs_of_shard(plan, shard, plan.shards);
      EXPECT_FALSE(mine.empty()) << shard << " of " << plan.shards;
      double longest = 0;
      for (const FrozenRuns& runs : mine)
        longest = std::max(longest, 1e-6 * static_cast<double>(runs.microseconds));
      EXPECT_LE(seconds_of(mine), stretch + longest + 1e-3);
      for (const Place& place : places_of(mine))
        EXPECT_TRUE(seen.insert(place).second) << "in two shards";
    }
    EXPECT_EQ(seen, places_of(plan.runs));
    EXPECT_TRUE(runs_of_shard(plan, plan.shards, plan.shards).empty());
    EXPECT_EQ(std::ssize(shards_with_runs(plan)), plan.shards);
  }
  EXPECT_GT(with_gaps, 50);
}

// A number that was asked for is kept, and which shards have runs is known.
TEST(FrozenPlan, AShardThatWasAskedForMayBeEmpty) {
  FrozenPlan plan = frozen_small([](std::size_t i) { return i == 0 ? 1000.0 : 1.0; });
  plan.shards = 9;
  int with_runs = 0;
  for (int shard = 0; shard < 9; ++shard) {
    const bool any = !runs_of_shard(plan, shard, 9).empty();
    const std::vector<int> known = shards_with_runs(plan);
    EXPECT_EQ(std::count(known.begin(), known.end(), shard), any) << shard;
    with_runs += any;
  }
  EXPECT_LT(with_runs, 9);
  EXPECT_EQ(plan.stretches, 0);
}

TEST(FrozenPlan, ShardsDoneApartAreTheWhole) {
  const FrozenPlan plan = frozen_small([](std::size_t i) { return 1.0 + static_cast<double>(i); });
  const FakeExecutor executor;
  const TempFolder folder;
  Store merged(folder / "merged.sqlite");
  int done = 0;
  for (int shard = 0; shard < 5; ++shard) {
    const auto path = folder / ("shard" + std::to_string(shard) + ".sqlite");
    {
      Store own(path);
      done += do_shard(plan, shard, 5, own, executor);
      EXPECT_EQ(do_shard(plan, shard, 5, own, executor), 0) << "nothing is done twice";
    }
    merged.merge(path);
  }
  const Plan whole = make_plan(small_protocol(), {}, fake_sources());
  Store serial(folder / "serial.sqlite");
  EXPECT_EQ(execute(whole, serial, executor, {}).done, done);
  EXPECT_EQ(rows_of(whole, merged), rows_of(whole, serial));
  // What was asked for comes together, too.
  const auto asked = [&](const Store& store) {
    std::set<std::tuple<std::string, std::string, int, int>> out;
    for (const StoredCell& cell : store.cells(whole.version))
      out.insert({cell.dataset, cell.model, cell.full_splits, cell.full_inits});
    return out;
  };
  EXPECT_EQ(asked(merged), asked(serial));
}

TEST(FrozenPlan, TheFileSaysAllAndIsNotEdited) {
  FrozenPlan plan = frozen_small([](std::size_t i) { return 0.5 + static_cast<double>(i); });
  plan.models = {"gcn", "mlp"};
  plan.choices = {"layers=1,2"};
  plan.splits = 3;
  plan.shards = 4;
  const std::string text = frozen_text(plan);
  FrozenPlan again = parse_frozen("a.plan", text);
  EXPECT_EQ(frozen_text(again), text);
  EXPECT_EQ(again.hash, plan.hash);
  EXPECT_EQ(places_of(runs_of_shard(again, 1, 4)), places_of(runs_of_shard(plan, 1, 4)));

  const auto refused = [](const std::string& what, const std::string& part) {
    try {
      (void)parse_frozen("a.plan", what);
      ADD_FAILURE() << "taken: " << what.substr(0, 80);
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("a.plan: "), std::string::npos);
      EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
    }
  };
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string out = text;
    out.replace(out.find(from), from.size(), to);
    return out;
  };
  refused(text.substr(0, text.size() / 2), "cut short");
  refused("[]", "no plan");
  refused(with("\"cupel_plan\":1", "\"cupel_plan\":2"), "another version");
  refused(with("\"splits\":3", "\"splits\":2"), "not as it was written");
  refused(with("\"splits\":3", "\"splits\":\"3\""), "lacks something");
  refused(with("\"splits\":3,", ""), "lacks something");
}

TEST(FrozenPlan, ValuesThatNoPlanHasAreRefusedThoughTheHashFits) {
  const FrozenPlan plan = frozen_small([](std::size_t) { return 1.0; });
  const auto refused = [&](const std::string& part, const std::function<void(FrozenPlan&)>& edit) {
    FrozenPlan other = plan;
    edit(other);
    const std::string error = error_of([&] { (void)parse_frozen("a.plan", frozen_text(other)); });
    EXPECT_NE(error.find("a.plan: " + part), std::string::npos) << error;
  };
  const auto all_take = [](FrozenPlan& p, std::uint64_t microseconds) {
    for (FrozenRuns& runs : p.runs) runs.microseconds = microseconds;
  };
  refused("'microseconds' is 0", [&](FrozenPlan& p) { all_take(p, 0); });
  refused("'microseconds' is 9000000000000000000",
          [&](FrozenPlan& p) { all_take(p, 9'000'000'000'000'000'000U); });
  refused("'shards' is 0", [](FrozenPlan& p) { p.shards = 0; });
  refused("'shards' is 2000000000", [](FrozenPlan& p) { p.shards = 2'000'000'000; });
  FrozenPlan cut = plan;
  cut.runs.front().microseconds = 1'000'000'000;
  cut_by_time(cut, 20);
  ASSERT_GT(cut.stretches, cut.shards);
  const auto refused_cut = [&](const std::string& part, int shards, int stretches) {
    refused(part, [&](FrozenPlan& p) {
      p = cut;
      p.shards = shards;
      p.stretches = stretches;
    });
  };
  refused_cut("'stretches' is 1", cut.shards, 1);
  refused_cut("'stretches' is 2000000000", cut.shards, 2'000'000'000);
  refused_cut("'shards' is 1", 1, cut.stretches);
  refused("'split' is -1", [](FrozenPlan& p) { p.runs.back().split = -1; });
  refused("'inits' is [-1,0]", [](FrozenPlan& p) { p.runs.back().inits = {-1, 0}; });
  refused("'inits' is [1,1]", [](FrozenPlan& p) { p.runs.back().inits = {1, 1}; });
  refused("'inits' is []", [](FrozenPlan& p) { p.runs.back().inits.clear(); });
}

TEST(FrozenPlan, OtherDataAreTold) {
  const FrozenPlan frozen = frozen_small([](std::size_t) { return 1.0; });
  PlanSources other = fake_sources();
  other.load = [](const std::string& name) { return ring(name, 300); };
  const std::vector<FrozenRuns> mine = runs_of_shard(frozen, 0, 4);
  const Plan plan = make_plan(protocol_of(frozen), selection_of(frozen, mine), other);
  try {
    (void)pending_of(frozen, mine, plan, Store(":memory:"), false);
    ADD_FAILURE() << "taken";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("gcn on one is another computation here"),
              std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace cupel::made
