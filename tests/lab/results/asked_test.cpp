#include "cupel/lab/results/asked.h"

#include <gtest/gtest.h>

#include <random>

namespace cupel {
namespace {

// By listing them all, as nobody could for large requests.
std::set<RunPlace> listed(const std::vector<std::pair<int, int>>& requests, int first, int end) {
  std::set<RunPlace> out;
  for (const auto& [splits, inits] : requests)
    for (int split = 0; split < splits; ++split)
      for (int init = first; init < std::min(inits, end); ++init) out.insert({split, init});
  return out;
}

TEST(AskedRuns, AreThoseThatAListHas) {
  std::mt19937 random(3);
  const auto below = [&](int bound) { return static_cast<int>(random() % bound); };
  for (int trial = 0; trial < 500; ++trial) {
    std::vector<std::pair<int, int>> requests;
    AskedRuns asked;
    for (int i = below(4); i >= 0; --i) {
      requests.emplace_back(below(6), below(6));
      asked.add(requests.back().first, requests.back().second);
    }
    const int first = below(3), end = first + below(5);
    const AskedRuns part = asked.of_inits(first, end);
    const std::set<RunPlace> list = listed(requests, first, end);
    EXPECT_EQ(part.count(), static_cast<std::int64_t>(list.size()));
    for (int split = -1; split < 8; ++split)
      for (int init = -1; init < 10; ++init)
        EXPECT_EQ(part.contains({split, init}), list.contains({split, init}));

    // Candidates with some of them: what is chosen is what the whole list gives.
    std::vector<Candidate> candidates;
    const int most = below(4);
    for (int c = 0; c < 3; ++c) {
      candidates.push_back({std::string(1, static_cast<char>('a' + c)), {}});
      for (const RunPlace& place : list)
        if (most == 0 || below(4) < most + 1) candidates.back().scores[place] = below(3);
    }
    const Chosen few = choose(candidates, part.stand_in(candidates));
    const Chosen all = choose(candidates, list);
    EXPECT_EQ(few.index, all.index);
    EXPECT_EQ(few.complete, all.complete);
    EXPECT_EQ(few.compared, all.compared);
    EXPECT_EQ(few.means, all.means);
    EXPECT_EQ(choose_by_split(candidates, part.stand_in(candidates)),
              choose_by_split(candidates, list));
  }
}

TEST(AskedRuns, AMillionTimesAMillionIsANumber) {
  AskedRuns asked;
  asked.add(1'000'000, 1'000'000);
  asked.add(2'000'000, 10);
  EXPECT_EQ(asked.count(), 1'000'010'000'000);
  EXPECT_TRUE(asked.contains({999'999, 999'999}));
  EXPECT_FALSE(asked.contains({1'000'000, 10}));
  EXPECT_EQ(asked.stand_in({{"a", {{{3, 0}, 0.5}}}}).size(), 3u);
  AskedRuns most;
  most.add(INT32_MAX, INT32_MAX);
  EXPECT_EQ(most.count(), std::int64_t{INT32_MAX} * INT32_MAX);
}

}  // namespace
}  // namespace cupel
