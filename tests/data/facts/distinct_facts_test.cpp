// Numbers of different facts against maps.
#include "cupel/data/facts/distinct_facts.h"

#include <gtest/gtest.h>

#include <map>
#include <tuple>

#include "data/facts/made.h"

namespace cupel {
namespace {

using made::MadeFacts;
using made::random_facts;
using Fact = std::tuple<Index, Index, Index>;  // relation, source, target

Fact kept(const MadeFacts& made, Offset i, Undirected undirected) {
  const auto [s, r, o] = made.triple(i);
  return is_undirected(undirected, r) && s > o ? Fact{r, o, s} : Fact{r, s, o};
}

TEST(DistinctFacts, AreNumberedByRelationAndFirstPlace) {
  for (const std::vector<std::uint8_t>& undirected :
       {std::vector<std::uint8_t>{}, {0, 1, 0}, {1, 1, 1}})
    for (const std::uint32_t seed : {1u, 2u, 3u}) {
      const MadeFacts made = random_facts(seed, 600, 13, 3, 7);
      std::map<Fact, Offset> first;
      for (Offset i = 0; i < 600; ++i) first.try_emplace(kept(made, i, undirected), i);
      std::map<std::pair<Index, Offset>, Fact> order;  // relation, place
      for (const auto& [fact, place] : first) order[{std::get<0>(fact), place}] = fact;
      for (const int threads : {1, 2, 5}) {
        const DistinctFacts facts(made.columns(), undirected, Threads{threads});
        ASSERT_EQ(facts.size(), std::ssize(order));
        std::map<Fact, Index> number;
        for (const auto& [key, fact] : order) {
          const auto n = static_cast<Index>(number.size());
          ASSERT_EQ(facts.first(n), key.second);
          number[fact] = n;
        }
        for (Offset i = 0; i < 600; ++i)
          ASSERT_EQ(facts.number(i), number.at(kept(made, i, undirected)));
      }
    }
}

TEST(DistinctFacts, TellWhatWasFirstStatedWithinAnInterval) {
  const MadeFacts made = random_facts(4, 300, 9, 3, 7);
  const DistinctFacts facts(made.columns(), {}, {});
  for (Index r = 0; r < 3; ++r)
    for (Offset begin = 0; begin <= 300; begin += 20)
      for (Offset end = begin; end <= 300; end += 20) {
        std::vector<Index> wanted;
        for (Index n = 0; n < facts.size(); ++n) {
          const Offset place = facts.first(n);
          if (made.relation[static_cast<std::size_t>(place)] == r && place >= begin && place < end)
            wanted.push_back(n);
        }
        const auto [low, high] = facts.first_stated(r, begin, end);
        ASSERT_EQ(high - low, std::ssize(wanted));
        if (!wanted.empty()) {
          EXPECT_EQ(low, wanted.front());
          EXPECT_EQ(high - 1, wanted.back());
        }
      }
  EXPECT_EQ(facts.first_stated(1, 200, 100).first, facts.first_stated(1, 200, 100).second);
}

// More facts and nodes than a block of the parallel loops has; one relation, and no column of it.
TEST(DistinctFacts, AreTheSameOnAnyNumberOfThreads) {
  MadeFacts made = random_facts(9, 200000, 9000, 1, 40);
  made.relation.clear();
  const std::vector<std::uint8_t> undirected = {1};
  const DistinctFacts one(made.columns(), undirected, Threads{1});
  const DistinctFacts five(made.columns(), undirected, Threads{5});
  ASSERT_EQ(one.size(), five.size());
  ASSERT_LT(one.size(), 200000);
  for (Offset i = 0; i < 200000; ++i) ASSERT_EQ(one.number(i), five.number(i));
  for (Index n = 0; n < one.size(); ++n) ASSERT_EQ(one.first(n), five.first(n));
}

TEST(DistinctFacts, OfNothingAreNone) {
  const DistinctFacts facts({{}, {}, {}, {}, 3, 2}, {}, {});
  EXPECT_EQ(facts.size(), 0);
  EXPECT_EQ(facts.first_stated(1, 0, 0), std::pair(0, 0));
}

}  // namespace
}  // namespace cupel
