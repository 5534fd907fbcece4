// Negatives of facts are drawn evenly.
#include "cupel/data/facts/negatives.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <map>
#include <set>

#include "data/facts/asked_facts.h"

namespace cupel {
namespace {

using made::MadeFacts;
using made::random_facts;

// Each of the facts that are allowed is drawn as often, for each row; counts of 4 among 9 drawn
// without replacement vary less than chi-square says by (9 - 4) / (9 - 1).
TEST(FactNegatives, StatedOnesAreDrawnEvenly) {
  AskedFacts asked;
  for (Index i = 0; i < 9; ++i) asked.made.add(i, 0, (i + 1) % 9, 1);
  for (Index i = 0; i < 9; ++i) asked.made.add(i, 0, (i + 1) % 9, 2);  // said again
  asked.made.add(2, 0, 3, 3);
  for (Index i = 0; i < 4; ++i) asked.made.add(i, 0, i, 4);
  asked.begin = 19, asked.end = 23;
  constexpr int kRuns = 3000;
  std::map<Index, int> all;
  std::array<std::map<Index, int>, 4> by_row;
  for (int run = 0; run < kRuns; ++run) {
    asked.key = "run " + std::to_string(run);
    const FactNegatives drawn = asked.draw("historical");
    EXPECT_EQ(drawn.filled, 0);
    for (std::size_t row = 0; row < 4; ++row)
      ++all[drawn.source[row]], ++by_row[row][drawn.source[row]];
  }
  const auto chi = [](const std::map<Index, int>& counts, double expected) {
    double out = 0;
    for (const auto& [source, count] : counts)
      out += (count - expected) * (count - expected) / expected;
    return out;
  };
  const double limit = 8 + 5 * std::sqrt(16.0);  // mean and five deviations for 9 values
  ASSERT_EQ(all.size(), 9u);
  EXPECT_LT(chi(all, kRuns * 4 / 9.0) * 8 / 5, limit);
  for (const auto& counts : by_row) EXPECT_LT(chi(counts, kRuns / 9.0), limit);
}

// Two of five rows get what was stated: any two, as often.
TEST(FactNegatives, ChanceSaysWhichRowsAreRandom) {
  AskedFacts asked;
  asked.made.add(0, 0, 90, 1);
  asked.made.add(1, 0, 91, 1);
  for (Index i = 2; i < 7; ++i) asked.made.add(i, 0, i + 20, 2);
  asked.begin = 2, asked.end = 7;
  constexpr int kRuns = 2000;
  std::map<std::pair<std::size_t, std::size_t>, int> times;
  for (int run = 0; run < kRuns; ++run) {
    asked.key = "run " + std::to_string(run);
    const FactNegatives drawn = asked.draw("historical");
    ASSERT_EQ(drawn.filled, 3);
    std::vector<std::size_t> rows;
    for (std::size_t row = 0; row < 5; ++row)
      if (const Ends ends = {drawn.source[row], drawn.target[row]};
          ends == Ends{0, 90} || ends == Ends{1, 91})
        rows.push_back(row);
    ASSERT_GE(rows.size(), 2u);
    if (rows.size() == 2) ++times[{rows[0], rows[1]}];  // no random one is equal by chance
  }
  ASSERT_EQ(times.size(), 10u);
  double total = 0, chi = 0;
  for (const auto& [rows, count] : times) total += count;
  for (const auto& [rows, count] : times)
    chi += (count - total / 10) * (count - total / 10) / (total / 10);
  EXPECT_GT(total, 0.8 * kRuns);
  EXPECT_LT(chi, 9 + 5 * std::sqrt(18.0));
}

// No history: every negative is a random pair, and each free pair as likely.
TEST(FactNegatives, WithoutHistoryAreEvenlyRandom) {
  for (const bool undirected : {false, true}) {
    AskedFacts asked;
    for (Index i = 0; i < 3; ++i) asked.made.add(i, 0, 3 - i, 5);
    asked.end = 3;
    asked.undirected = {undirected ? std::uint8_t{1} : std::uint8_t{0}};
    const Group group = groups_of(asked).front();
    const std::set<Ends> free = free_of(group);
    // Sources 0 1 2, targets 3 2 1; where there is no direction 0 1 2 3 and {1, 2} once.
    ASSERT_EQ(free.size(), undirected ? 8u : 6u);
    constexpr int kRuns = 4000;
    std::map<Ends, int> times;
    for (int run = 0; run < kRuns; ++run) {
      asked.key = "run " + std::to_string(run);
      const FactNegatives drawn = asked.draw(run % 2 == 0 ? "historical" : "inductive");
      ASSERT_EQ(drawn.filled, 3);
      // The first row: later ones depend on it.
      ++times[kept({drawn.source[0], drawn.target[0]}, undirected)];
    }
    double chi = 0;
    // Of a pair that has two orders either is drawn, and there are 4 of these and 4 loops.
    for (const Ends& ends : free) {
      const double share = !undirected ? 1 / 6.0 : ends.first == ends.second ? 1 / 12.0 : 2 / 12.0;
      chi += std::pow(times[ends] - kRuns * share, 2) / (kRuns * share);
    }
    const double degrees = static_cast<double>(free.size()) - 1;
    EXPECT_LT(chi, degrees + 5 * std::sqrt(2 * degrees));
    EXPECT_EQ(times.size(), free.size());
  }
}

TEST(RandomFactNegatives, AreDrawnEvenly) {
  AskedFacts asked;
  for (Index i = 0; i < 7; ++i) asked.made.add(0, 0, 10 + i, 1);
  for (Index i = 0; i < 3; ++i) asked.made.add(1, 0, 10 + i, 2);
  asked.begin = 7, asked.end = 10;
  const auto chi = [&](const Settings& settings, const std::set<Ends>& from) {
    constexpr int kRuns = 2000;
    std::map<Ends, double> times;
    for (int run = 0; run < kRuns; ++run) {
      asked.key = "run " + std::to_string(run);
      const FactNegatives drawn = asked.draw("random", settings);
      for (std::size_t row = 0; row < 3; ++row) ++times[{drawn.source[row], drawn.target[row]}];
    }
    const double expected = 3.0 * kRuns / static_cast<double>(from.size());
    double out = 0;
    for (const auto& [ends, count] : times) EXPECT_TRUE(from.contains(ends));
    for (const Ends& ends : from) out += std::pow(times[ends] - expected, 2) / expected;
    const double degrees = static_cast<double>(from.size()) - 1;
    return (out - degrees) / std::sqrt(2 * degrees);
  };
  std::set<Ends> kept_source, avoiding, both;
  for (Index o = 10; o < 17; ++o) {
    kept_source.insert({1, o}), both.insert({0, o}), both.insert({1, o});
    if (o >= 13) avoiding.insert({1, o});
  }
  EXPECT_LT(chi({}, kept_source), 5);
  EXPECT_LT(chi({"avoid=true"}, avoiding), 5);
  EXPECT_LT(chi({"source=drawn"}, both), 5);
  for (Index o = 10; o < 13; ++o) both.erase({1, o});
  EXPECT_LT(chi({"source=drawn", "avoid=true"}, both), 5);
}

}  // namespace
}  // namespace cupel
