// Counts of facts against maps, on any number of threads.
#include "cupel/data/facts/seen.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "data/facts/made.h"

namespace cupel {
namespace {

using made::MadeFacts;
using made::random_facts;
using Triple = std::tuple<Index, Index, Index>;

// Both orders of what has no direction are counted, each fact once.
std::map<Triple, Offset> slow_counts(const MadeFacts& made,
                                     const std::vector<std::uint8_t>& undirected) {
  std::map<Triple, Offset> out;
  for (Offset i = 0; i < made.columns().size(); ++i) {
    const auto [s, r, o] = made.triple(i);
    ++out[{s, r, o}];
    if (!undirected.empty() && undirected[static_cast<std::size_t>(r)] != 0 && s != o)
      ++out[{o, r, s}];
  }
  return out;
}

TEST(FactCounts, AreThoseOfAMap) {
  const std::vector<std::vector<std::uint8_t>> kinds = {{}, {0, 1, 0}, {1, 1, 1}};
  for (const auto& undirected : kinds)
    for (const std::uint32_t seed : {1u, 2u, 3u}) {
      const MadeFacts made = random_facts(seed, 700, 14, 3, 5);
      const auto wanted = slow_counts(made, undirected);
      for (const int threads : {1, 4}) {
        const FactCounts counts(made.columns(), undirected, Threads{threads});
        EXPECT_EQ(counts.facts(), 700);
        for (Index s = 0; s < 14; ++s)
          for (Index r = 0; r < 3; ++r)
            for (Index o = 0; o < 14; ++o) {
              const auto found = wanted.find({s, r, o});
              ASSERT_EQ(counts.count(s, r, o), found == wanted.end() ? 0 : found->second);
              ASSERT_EQ(counts.has(s, r, o), found != wanted.end());
            }
      }
    }
}

// More facts and nodes than one block of the parallel loops has.
TEST(FactCounts, AreTheSameOnAnyNumberOfThreads) {
  const MadeFacts made = random_facts(9, 300000, 9000, 4, 40);
  const std::vector<std::uint8_t> undirected = {1, 0, 0, 1};
  const FactCounts one(made.columns(), undirected, Threads{1});
  const FactCounts four(made.columns(), undirected, Threads{4});
  Offset twice = 0;
  for (Offset i = 0; i < 300000; ++i) {
    const auto [s, r, o] = made.triple(i);
    ASSERT_EQ(one.count(s, r, o), four.count(s, r, o));
    ASSERT_GE(one.count(s, r, o), 1);
    twice += one.count(s, r, o) > 1;
  }
  EXPECT_GT(twice, 0);
}

TEST(FactCounts, ExtremeIdsDoNotMeet) {
  MadeFacts made;
  made.add(0, 2147483646, 1, 0);
  made.add(1, 0, 2, 0);
  const FactCounts counts(made.columns(), {}, {});
  EXPECT_TRUE(counts.has(0, 2147483646, 1));
  EXPECT_FALSE(counts.has(0, 0, 2));
  EXPECT_FALSE(counts.has(1, 2147483646, 1));
  EXPECT_TRUE(counts.has(1, 0, 2));
}

TEST(FactCounts, CountOtherThingsByOtherColumns) {
  const MadeFacts made = random_facts(5, 500, 9, 3, 5);
  std::map<std::pair<Index, Index>, Offset> popular, pairs;
  for (Offset i = 0; i < 500; ++i) {
    const auto [s, r, o] = made.triple(i);
    ++popular[{r, o}];
    ++pairs[{s, o}];
  }
  // A view may have ids of relations for sources and of nodes for targets.
  const FactColumns by_target = {made.relation, {}, made.target, made.time, 9, 1};
  FactColumns without = made.columns();
  without.relation = {}, without.relations = 1;
  const FactCounts n_ro(by_target, {}, {}), n_so(without, {}, {});
  for (Index a = 0; a < 9; ++a)
    for (Index o = 0; o < 9; ++o) {
      EXPECT_EQ(n_so.count(a, 0, o), (pairs[{a, o}]));
      EXPECT_EQ(n_ro.count(a, 0, o), (popular[{a, o}]));
    }
}

TEST(FactCounts, OfNothingAreZero) {
  const FactColumns none = {{}, {}, {}, {}, 3, 1};
  const FactCounts counts(none, {}, {});
  EXPECT_FALSE(counts.has(2, 0, 1));
  EXPECT_EQ(NodeSet(none, {}).size(), 0);
}

TEST(NodeSet, HoldsBothEnds) {
  const MadeFacts made = random_facts(6, 90, 200, 2, 5);
  std::set<Index> wanted(made.source.begin(), made.source.end());
  wanted.insert(made.target.begin(), made.target.end());
  ASSERT_LT(wanted.size(), 200u);
  for (const int threads : {1, 3}) {
    NodeSet nodes(made.columns(), Threads{threads});
    EXPECT_EQ(nodes.size(), std::ssize(wanted));
    for (Index node = 0; node < 200; ++node) EXPECT_EQ(nodes.has(node), wanted.contains(node));
  }
  NodeSet few(65);
  few.add(64), few.add(0), few.add(64);
  EXPECT_EQ(few.size(), 2);
  EXPECT_TRUE(few.has(64) && few.has(0) && !few.has(63));
}

}  // namespace
}  // namespace cupel
