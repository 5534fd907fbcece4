// What negatives of facts are made of, against enumeration.
#include "cupel/data/facts/negative_draws.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

#include "data/facts/made.h"

namespace cupel {
namespace {

using made::MadeFacts;
using made::random_facts;

// Of n numbers, each order is as likely: 24 of four.
TEST(DrawnOrder, IsAnEvenPermutation) {
  std::map<std::vector<std::uint64_t>, int> times;
  for (std::uint32_t row = 0; row < 4800; ++row) {
    Stream stream(stream_key("order"), 0, 0, row);
    DrawnOrder order(stream, 4);
    std::vector<std::uint64_t> drawn(4);
    for (auto& number : drawn) number = order.next();
    ++times[drawn];
  }
  ASSERT_EQ(times.size(), 24u);
  double chi = 0;
  for (const auto& [drawn, count] : times) {
    EXPECT_EQ(std::set(drawn.begin(), drawn.end()), (std::set<std::uint64_t>{0, 1, 2, 3}));
    chi += (count - 200.0) * (count - 200.0) / 200.0;
  }
  EXPECT_LT(chi, 23 + 5 * std::sqrt(46.0));  // mean and five deviations of chi-square
}

TEST(DrawnOrder, OfManyNumbersRepeatsNone) {
  const std::uint64_t many = std::uint64_t{1} << 60;
  Stream stream(stream_key("many"), 0);
  DrawnOrder order(stream, many);
  std::set<std::uint64_t> drawn;
  for (int i = 0; i < 500; ++i) {
    const std::uint64_t number = order.next();
    EXPECT_LT(number, many);
    EXPECT_TRUE(drawn.insert(number).second);
  }
  EXPECT_GT(*drawn.rbegin(), many / 2);
}

TEST(NthFree, CountsWhatIsNotTaken) {
  const std::vector<Index> taken = {5, 6, 9, 14};
  std::vector<Index> found;
  for (Index rank = 0; rank < 8; ++rank) found.push_back(nth_free<Index>(taken, 5, rank));
  EXPECT_EQ(found, (std::vector<Index>{7, 8, 10, 11, 12, 13, 15, 16}));
  EXPECT_EQ(nth_free<Index>({}, 3, 4), 7);
}

// Pools that share some entities; half of the pairs are taken, of one source all.
TEST(FreePairs, AreThoseThatAreNotTaken) {
  const std::vector<Index> sources = {1, 4, 6, 9}, targets = {0, 4, 5};
  std::set<Pair> facts = {{1, 0}, {1, 5}, {6, 0}, {6, 4}, {6, 5}, {9, 4}};
  std::vector<std::uint64_t> taken;
  for (const Pair& pair : facts) taken.push_back(FreePairs::pair_number(sources, targets, pair));
  const FreePairs free(sources, targets, taken);
  std::vector<Pair> wanted, found;
  for (const Index s : sources) {
    std::vector<Index> row, row_found;
    for (const Index o : targets)
      if (!facts.contains({s, o})) wanted.push_back({s, o}), row.push_back(o);
    ASSERT_EQ(free.size_of(s), row.size());
    for (std::uint64_t n = 0; n < row.size(); ++n) row_found.push_back(free.target_at(s, n));
    EXPECT_EQ(row_found, row);
  }
  ASSERT_EQ(free.size(), wanted.size());
  for (std::uint64_t n = 0; n < wanted.size(); ++n) found.push_back(free.at(n));
  EXPECT_EQ(found, wanted);
}

TEST(FreePairs, CountUnorderedOnes) {
  const std::vector<Index> pool = {2, 3, 5};
  std::vector<std::uint64_t> taken;
  EXPECT_EQ(FreePairs(pool, pool, taken).unordered(), 6u);
  for (const Pair& pair : {Pair{2, 3}, {3, 2}, {5, 5}})
    taken.push_back(FreePairs::pair_number(pool, pool, pair));
  EXPECT_EQ(FreePairs(pool, pool, taken).unordered(), 4u);
}

TEST(FactBatches, CutAtFixedSizesOrSteps) {
  const std::vector<std::int64_t> time = {3, 3, 3, 5, 8, 8, 9};
  EXPECT_EQ(fact_batches(time, 3), (std::vector<Offset>{0, 3, 6, 7}));
  EXPECT_EQ(fact_batches(time, 7), (std::vector<Offset>{0, 7}));
  EXPECT_EQ(fact_batches(time, 100), (std::vector<Offset>{0, 7}));
  EXPECT_EQ(fact_batches(time, 0), (std::vector<Offset>{0, 3, 4, 6, 7}));
  EXPECT_EQ(fact_batches({}, 0), (std::vector<Offset>{0}));
}

// Groups cover the asked facts once; their times reach to all facts of the first and last time.
TEST(AskedBatches, AreGroupsOfOneBatchAndRelation) {
  const MadeFacts made = random_facts(3, 200, 9, 3, 21);
  const FactColumns facts = made.columns();
  const Options none("test", {}, {});
  for (const Offset batch : {Offset{0}, Offset{1}, Offset{8}, Offset{17}, Offset{500}}) {
    const FactNegativeContext context{"made", facts, 63, 177, batch, {}, {}, {}, Threads{1}, none};
    const AskedBatches batches(context);
    // The number of a batch, and its first and last fact, of each asked fact.
    std::map<Offset, std::array<Offset, 3>> batch_of;
    Offset number = -1;
    for (Offset i = 63; i < 177; ++i) {
      const bool opens = i == 63 || (batch > 0 ? (i - 63) % batch == 0
                                               : facts.time[static_cast<std::size_t>(i)] !=
                                                     facts.time[static_cast<std::size_t>(i - 1)]);
      number += opens;
      batch_of[i] = {number, opens ? i : batch_of[i - 1][1], i};
    }
    for (Offset i = 175; i >= 63; --i)
      if (batch_of[i][0] == batch_of[i + 1][0]) batch_of[i][2] = batch_of[i + 1][2];
    std::set<Offset> met;
    std::set<std::pair<std::uint32_t, Index>> groups;
    batches.for_groups([&](const AskedGroup& group) {
      EXPECT_TRUE(groups.insert({group.batch, group.relation}).second);
      EXPECT_TRUE(std::is_sorted(group.facts.begin(), group.facts.end()));
      for (const Offset fact : group.facts) {
        EXPECT_TRUE(met.insert(fact).second);
        EXPECT_EQ(facts.relation_of(fact), group.relation);
        const auto [its, first, last] = batch_of.at(fact);
        EXPECT_EQ(group.batch, its);
        for (Offset i = 0; i < 200; ++i) {
          const auto time = [&](Offset at) { return facts.time[static_cast<std::size_t>(at)]; };
          EXPECT_EQ(i >= group.now_begin && i < group.now_end,
                    time(i) >= time(first) && time(i) <= time(last));
        }
      }
    });
    EXPECT_EQ(met.size(), 177u - 63);
    EXPECT_EQ(*met.begin(), 63);
  }
}

}  // namespace
}  // namespace cupel
