// Blocks against all pairs, and decisions against rules said in words.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "cupel/data/resolve/blocks.h"
#include "cupel/data/resolve/candidate.h"
#include "cupel/data/resolve/egos.h"
#include "data/resolve/made_resolve.h"

namespace cupel {
namespace {

TEST(Blocks, GiveEveryPairThatSharesAKey) {
  std::mt19937 bits(7);
  std::vector<Blocks::Key> keys;
  for (int k = 0; k < 600; ++k) keys.push_back({bits() % 90, static_cast<Index>(bits() % 100)});
  const Blocks blocks(100, keys);
  for (Index thing = 0; thing < 100; ++thing) {
    std::set<Index> wanted;
    for (const auto& mine : keys) {
      for (const auto& yours : keys) {
        if (mine.thing == thing && mine.key == yours.key && yours.thing > thing)
          wanted.insert(yours.thing);
      }
    }
    std::vector<Index> got;
    blocks.above(thing, got);
    EXPECT_EQ(got, std::vector<Index>(wanted.begin(), wanted.end()));
  }
  EXPECT_EQ(blocks.left_out(), 0);
}

TEST(Blocks, AreBounded) {
  std::vector<Blocks::Key> keys;
  constexpr Index kThings = 20000;
  for (Index k = 0; k < kThings; ++k) {
    keys.push_back({1, k});                            // everybody
    keys.push_back({std::uint64_t{2} + k / 390u, k});  // too many pairs
    keys.push_back({std::uint64_t{100000} + k / 10u, k});
  }
  const Blocks blocks(kThings, keys);
  EXPECT_EQ(blocks.left_out(), 1 + 51);  // the last of 20000 / 390 has 110 things and stays
  std::int64_t pairs = 0;
  for (Index k = 0; k < kThings; ++k) {
    std::vector<Index> got;
    blocks.above(k, got);
    pairs += std::ssize(got);
  }
  EXPECT_LE(pairs, 128 * std::int64_t{kThings});
  EXPECT_GE(pairs, kThings * 9 / 2);
}

// Names of those whom a scientist wrote with, in the order of their numbers.
std::vector<std::string> circle(const AcademicGraph& graph, const std::string& name) {
  const Egos egos = gather_egos(graph.facts, graph.authorships);
  std::vector<std::string> out;
  for (Index k = egos.begin(0); k < egos.end(0); ++k) {
    if (graph.facts.entity_name(egos.entity[static_cast<std::size_t>(k)]) != name) continue;
    for (const Index by : egos.circles()[k])
      out.push_back(graph.facts.entity_name(egos.entity[static_cast<std::size_t>(by)]));
  }
  return out;
}

TEST(Egos, CoAuthorsCountByNameWhateverIsPrintedFirst) {
  const AcademicGraph graph =
      made::academic({{"p1", 2018, {"Ann Lee", "Olga Park", "Smith, Jr., J."}},
                      {"p2", 2018, {"Ann Lee", "PARK, Olga", "J. Smith"}},
                      {"p3", 2018, {"Lee, Ann", "Olga Park"}}});
  using Names = std::vector<std::string>;
  EXPECT_EQ(circle(graph, "Ann Lee"), (Names{"J. Smith", "Olga Park", "Smith, Jr., J."}));
  EXPECT_EQ(circle(graph, "Lee, Ann"), (Names{"Olga Park"}));
  EXPECT_EQ(circle(graph, "PARK, Olga"), (Names{"Ann Lee", "J. Smith"}));

  AcademicSettings settings;
  settings.identity = Identity::kId;
  AcademicBuilder builder(settings);
  int paper = 0;
  for (const auto& [name, id] :
       {std::pair{"Olga Park", "a"}, std::pair{"Olga Park", "b"}, std::pair{"Park, Olga", "c"}}) {
    Publication one;
    one.id = std::to_string(paper++), one.year = 2018;
    one.authors = {{name, id, {}}, {"Ann Lee", "l", {}}};
    builder.add(one);
  }
  EXPECT_EQ(circle(std::move(builder).finish(), "Ann Lee"),
            (Names{"Olga Park", "Olga Park", "Park, Olga"}));
}

TEST(Lists, AreAscendingAndEachOnce) {
  const Lists lists(3, {{2, 5}, {0, 9}, {2, 1}, {2, 5}, {0, 3}});
  ASSERT_EQ(lists.size(), 3);
  EXPECT_TRUE(std::ranges::equal(lists[0], std::vector<Index>{3, 9}));
  EXPECT_TRUE(lists[1].empty());
  EXPECT_TRUE(std::ranges::equal(lists[2], std::vector<Index>{1, 5}));
  EXPECT_EQ(Lists(0, {}).size(), 0);
}

MergeCandidate pair(Index a, Index b, double score) {
  MergeCandidate out;
  out.first = a, out.second = b, out.score = score;
  return out;
}

// A bar between the pairs given, either way.
auto barred(std::map<std::pair<Index, Index>, Bar> bars) {
  return [bars](Index a, Index b) {
    const auto found = bars.find({std::min(a, b), std::max(a, b)});
    return found == bars.end() ? Bar::kNone : found->second;
  };
}

TEST(Decide, HoldsScoresAgainstTheThreshold) {
  const auto out = decide({pair(0, 1, 0.9), pair(2, 3, 0.8999)}, 0.9, barred({}));
  EXPECT_EQ(out, (std::vector{Outcome::kAccepted, Outcome::kOpen}));
}

TEST(Decide, ChainsNothingThatCannotBeOne) {
  // 1 is "J. Smith", 0 John, 2 Jane; John is much the better one.
  const auto bar = barred({{{0, 2}, Bar::kConflict}});
  EXPECT_EQ(decide({pair(0, 1, 0.999), pair(1, 2, 0.92)}, 0.9, bar),
            (std::vector{Outcome::kAccepted, Outcome::kAmbiguous}));
  // Neither is the better one.
  EXPECT_EQ(decide({pair(0, 1, 0.95), pair(1, 2, 0.94)}, 0.9, bar),
            (std::vector{Outcome::kAmbiguous, Outcome::kAmbiguous}));
  // A rival below the threshold counts, too.
  EXPECT_EQ(decide({pair(0, 1, 0.91), pair(1, 2, 0.89)}, 0.9, bar),
            (std::vector{Outcome::kAmbiguous, Outcome::kOpen}));
}

TEST(Decide, AsksForAllPairsOfTwoGroups) {
  // 0-1 and 2-3 are one; 1-2 would join 0 and 3, which were told apart.
  const auto bar = barred({{{0, 3}, Bar::kToldApart}});
  EXPECT_EQ(decide({pair(0, 1, 0.99), pair(1, 2, 0.95), pair(2, 3, 0.98)}, 0.9, bar),
            (std::vector{Outcome::kAccepted, Outcome::kClash, Outcome::kAccepted}));
  EXPECT_EQ(decide({pair(0, 3, 0.99)}, 0.9, bar), std::vector{Outcome::kToldApart});
}

TEST(Decide, JoinsAtMostSoManyAtOnce) {
  std::vector<MergeCandidate> star;
  for (Index k = 1; k < 5000; ++k) star.push_back(pair(0, k, 0.99));
  const auto out = decide(star, 0.9, barred({}));
  EXPECT_EQ(std::count(out.begin(), out.end(), Outcome::kAccepted), 1024);
  EXPECT_EQ(std::count(out.begin(), out.end(), Outcome::kTooMany), 4999 - 1024);
}

}  // namespace
}  // namespace cupel
