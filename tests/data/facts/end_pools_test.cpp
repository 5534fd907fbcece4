// Pools of ends against sets.
#include "cupel/data/facts/end_pools.h"

#include <gtest/gtest.h>

#include <set>

#include "data/facts/made.h"

namespace cupel {
namespace {

using made::MadeFacts;
using made::random_facts;

std::vector<Index> listed(std::span<const Index> pool) { return {pool.begin(), pool.end()}; }
std::vector<Index> listed(const std::set<Index>& pool) { return {pool.begin(), pool.end()}; }

TEST(EndPools, AreTheEndsOfTheRelation) {
  const MadeFacts made = random_facts(1, 60, 40, 4, 3);
  const std::vector<std::uint8_t> undirected = {0, 1, 0, 0};
  for (const int threads : {1, 3}) {
    const EndPools pools(made.columns(), undirected, {}, PoolOf::ends, Threads{threads});
    for (Index r = 0; r < 4; ++r) {
      std::set<Index> sources, targets;
      for (Offset i = 0; i < 60; ++i)
        if (const auto [s, relation, o] = made.triple(i); relation == r) {
          sources.insert(s), targets.insert(o);
          if (r == 1) sources.insert(o), targets.insert(s);
        }
      EXPECT_EQ(listed(pools.sources(r)), listed(sources));
      EXPECT_EQ(listed(pools.targets(r)), listed(targets));
    }
  }
}

TEST(EndPools, AreOfTheTypesOfTheEnds) {
  MadeFacts made;
  made.add(0, 0, 1, 0);  // relation 0 has sources of type 0, targets of types 0 and 255
  made.add(1, 0, 7, 0);
  made.add(7, 1, 3, 0);  // relation 1: type 255 to type 4; has no direction
  made.nodes = 9, made.relations = 3;
  const std::vector<std::uint8_t> types = {0, 0, 4, 4, 9, 9, 0, 255, 255}, undirected = {0, 1, 0};
  const EndPools pools(made.columns(), undirected, types, PoolOf::type, {});
  EXPECT_EQ(listed(pools.sources(0)), (std::vector<Index>{0, 1, 6}));
  EXPECT_EQ(listed(pools.targets(0)), (std::vector<Index>{0, 1, 6, 7, 8}));
  EXPECT_EQ(listed(pools.sources(1)), (std::vector<Index>{2, 3, 7, 8}));
  EXPECT_EQ(listed(pools.targets(1)), listed(pools.sources(1)));
  EXPECT_TRUE(pools.sources(2).empty() && pools.targets(2).empty());
  const EndPools untyped(made.columns(), undirected, {}, PoolOf::type, {});
  EXPECT_EQ(untyped.targets(0).size(), 9u);
}

TEST(EndPools, AreEveryone) {
  MadeFacts made;
  made.add(2, 1, 1, 0);
  made.nodes = 5;
  const std::vector<std::uint8_t> types = {0, 1, 2, 3, 4};
  const EndPools pools(made.columns(), {}, types, PoolOf::all, {});
  EXPECT_EQ(listed(pools.sources(1)), (std::vector<Index>{0, 1, 2, 3, 4}));
  EXPECT_EQ(listed(pools.targets(1)), (std::vector<Index>{0, 1, 2, 3, 4}));
}

TEST(EndPools, AreNamedByASetting) {
  const auto named = [](const char* among) {
    return pool_of(Options("test", {pool_setting()}, {{"among", std::string(among)}}));
  };
  EXPECT_EQ(named("ends"), PoolOf::ends);
  EXPECT_EQ(named("type"), PoolOf::type);
  EXPECT_EQ(named("all"), PoolOf::all);
  EXPECT_EQ(pool_of(Options("test", {pool_setting()}, {})), PoolOf::ends);
}

}  // namespace
}  // namespace cupel
