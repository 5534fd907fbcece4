#include "cupel/lab/run/shards.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <tuple>

#include "cupel/lab/plan/cost.h"
#include "cupel/lab/run/pending.h"
#include "cupel/lab/run/scheduler.h"
#include "lab/fake.h"

namespace cupel {
namespace {

using Place = std::tuple<std::string, int, int>;  // family, split, init

std::set<Place> runs_of(const std::vector<ShardUnit>& units, const std::vector<ShardPart>& parts) {
  std::set<Place> out;
  for (const ShardPart& part : parts) {
    const ShardUnit& unit = units[part.unit];
    for (int init = part.first; init < part.first + part.count; ++init)
      EXPECT_TRUE(out.insert({unit.family, unit.split, init}).second) << "twice in one shard";
  }
  return out;
}

std::uint64_t work_of(const std::vector<ShardUnit>& units, const std::vector<ShardPart>& parts) {
  std::uint64_t work = 0;
  for (const ShardPart& part : parts)
    work += units[part.unit].work * static_cast<std::uint64_t>(part.count);
  return work;
}

std::vector<ShardUnit> drawn_units(std::mt19937& draw) {
  const auto below = [&](int n) { return static_cast<int>(draw() % static_cast<unsigned>(n)); };
  std::vector<ShardUnit> units;
  const int families = 1 + below(6), splits = 1 + below(6);
  for (int f = 0; f < families; ++f) {
    // From a moment to hours, and a unit of one run now and then.
    const std::uint64_t work = std::uint64_t{1} << below(30);
    const int inits = below(3) == 0 ? 1 : 1 + below(60);
    for (int s = 0; s < splits; ++s)
      units.push_back({"family" + std::to_string(f), s, 0, inits, work + static_cast<unsigned>(s)});
  }
  return units;
}

TEST(Shards, AreDisjointCompleteAndEven) {
  std::mt19937 draw(7);
  int fine = 0;
  for (int round = 0; round < 300; ++round) {
    std::vector<ShardUnit> units = drawn_units(draw);
    const int count = 1 + round % 9;
    std::uint64_t all = 0, longest = 0;
    std::size_t runs = 0;
    for (const ShardUnit& unit : units) {
      all += unit.work * static_cast<std::uint64_t>(unit.runs);
      longest = std::max(longest, unit.work);
      runs += static_cast<std::size_t>(unit.runs);
    }
    const double mean = static_cast<double>(all) / count;
    std::set<Place> seen;
    std::vector<std::set<Place>> shards;
    double most = 0;
    for (int index = 0; index < count; ++index) {
      const auto parts = shard_parts(units, index, count);
      shards.push_back(runs_of(units, parts));
      for (const Place& run : shards.back())
        EXPECT_TRUE(seen.insert(run).second) << "in two shards";
      most = std::max(most, static_cast<double>(work_of(units, parts)));
    }
    EXPECT_EQ(seen.size(), runs);
    // A run cannot be divided; where none is long, shards differ by a tenth at the most.
    EXPECT_LE(most, mean + std::max<double>(mean / 20, static_cast<double>(longest)) + 1);
    if (static_cast<double>(longest) <= mean / 20) {
      ++fine;
      EXPECT_LE(most / mean, 1.1) << count << " shards of " << runs << " runs";
    }
    // The order of the list says nothing.
    std::shuffle(units.begin(), units.end(), draw);
    for (int index = 0; index < count; ++index)
      EXPECT_EQ(runs_of(units, shard_parts(units, index, count)),
                shards[static_cast<std::size_t>(index)]);
  }
  EXPECT_GT(fine, 100) << "the property was tried on few lists";
}

TEST(Shards, MoreShardsThanRunsLeaveSomeEmpty) {
  const std::vector<ShardUnit> units = {{"f", 0, 2, 3, 5}};
  std::size_t parts = 0;
  for (int index = 0; index < 5; ++index) parts += shard_parts(units, index, 5).size();
  EXPECT_EQ(parts, 3u);
  EXPECT_TRUE(shard_parts({}, 0, 2).empty());
}

// What a machine has done already does not move runs between shards.
TEST(Shards, DoNotDependOnTheStore) {
  const Protocol protocol =
      parse_protocol("p", "p.toml",
                     "[data]\ndatasets = ['one', 'three']\n[split]\ncount = 5\n[train]\ninits = 4\n"
                     "[models.gcn]\nhidden = 256\n[models.mlp]\n[models.fixed]\n");
  const Plan plan = make_plan(protocol, {}, made::fake_sources());
  made::TempFolder folder;
  const Store empty(folder / "empty");
  Store full(folder / "full");
  const auto keys = [](const Pending& pending) {
    std::set<Place> out;
    for (const RunGroup& group : pending.groups) {
      for (const int init : group.inits)
        EXPECT_TRUE(out.insert({group.family->id, group.split, init}).second);
    }
    return out;
  };
  std::vector<std::set<Place>> before;
  for (int i = 0; i < 3; ++i) before.push_back(keys(pending_runs(plan, empty, false, {i, 3})));
  ExecuteOptions options;
  options.shard = {1, 3};
  execute(plan, full, made::FakeExecutor(), options);
  EXPECT_EQ(full.run_count(), static_cast<std::int64_t>(before[1].size()));
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(keys(pending_runs(plan, full, false, {i, 3})),
              i == 1 ? std::set<Place>() : before[static_cast<std::size_t>(i)]);
  // By cost, not by number: a run of the wide model counts for many of the others.
  const auto work = [&](const std::set<Place>& runs) {
    double out = 0;
    for (const Place& run : runs) {
      for (const PlannedCell& cell : plan.cells) {
        if (cell.family->id != std::get<0>(run)) continue;
        out += static_cast<double>(rough_work(*cell.family));
      }
    }
    return out;
  };
  const double total = work(before[0]) + work(before[1]) + work(before[2]);
  for (const auto& runs : before) EXPECT_LE(work(runs), 1.1 * total / 3);
}

}  // namespace
}  // namespace cupel
