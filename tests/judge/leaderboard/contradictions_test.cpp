// Who is believed where stores say different things of one run: nobody, unless it was done again.
#include "cupel/judge/leaderboard/contradictions.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace cupel {
namespace {

StoredRun run(int split, double score, RunStatus status = RunStatus::kOk) {
  StoredRun out{split, 0, {}};
  out.record.id = "run " + std::to_string(split);
  out.record.metric = "accuracy";
  out.record.status = status;
  out.record.test_score = score;
  return out;
}

std::vector<BoardSource> sources(std::size_t count) {
  std::vector<BoardSource> out(count);
  for (std::size_t i = 0; i < count; ++i) out[i].name = std::string(1, static_cast<char>('a' + i));
  return out;
}

// Two agree, one does not, one has other runs of the family, and one another family.
const std::vector<std::pair<std::string, std::vector<StoredRun>>> kStores = {
    {"mlp", {run(0, 0.5), run(1, 0.6)}},
    {"mlp", {run(0, 0.5)}},
    {"mlp", {run(0, 0.4)}},
    {"mlp", {run(2, 0.9)}},
    {"gcn", {run(0, 0.1)}},
};

TEST(Contradictions, NoOrderDecides) {
  std::vector<std::size_t> order(kStores.size());
  std::iota(order.begin(), order.end(), 0);
  do {
    Contradictions all;
    for (const std::size_t i : order) all.add(i, kStores[i].first, kStores[i].second);
    EXPECT_EQ(all.found(sources(5)), (std::set<KeptFamily>{{"mlp", 0}, {"mlp", 1}, {"mlp", 2}}));
    std::vector<BoardSource> same = sources(5);
    all.refute(same);
    EXPECT_TRUE(std::ranges::all_of(same, holds)) << "nothing was done again";
    // Whichever of those that agree it was done again for.
    for (const std::size_t by : {0, 1}) {
      std::vector<BoardSource> again = sources(5);
      again[by].reproduced = {"run 0"};
      EXPECT_TRUE(all.found(again).empty());
      all.refute(again);
      for (std::size_t i = 0; i < again.size(); ++i) EXPECT_EQ(holds(again[i]), i != 2) << i;
      EXPECT_EQ(again[2].refuted, std::set<std::string>{"run 0"});
      EXPECT_NE(again[2].problems.at(0).find("run 0"), std::string::npos);
    }
  } while (std::ranges::next_permutation(order).found);
}

TEST(Contradictions, WhatDoesNotHoldContradictsNobody) {
  Contradictions all;
  for (std::size_t i = 0; i < kStores.size(); ++i) all.add(i, kStores[i].first, kStores[i].second);
  std::vector<BoardSource> broken = sources(5);
  broken[2].problems = {"edited"};
  EXPECT_TRUE(all.found(broken).empty());
}

TEST(Contradictions, WhatDidNotEndSaysNothing) {
  Contradictions all;
  all.add(0, "mlp", {run(0, 0.5)});
  all.add(1, "mlp", {run(0, 0, RunStatus::kTimeout), run(1, 0, RunStatus::kFailed)});
  EXPECT_TRUE(all.found(sources(2)).empty());
}

// A store that was merged from both keeps both.
TEST(Contradictions, ASourceMayKeepBothSides) {
  Contradictions all;
  all.add(0, "mlp", {run(0, 0.5), run(0, 0.4)});
  EXPECT_EQ(all.found(sources(1)), (std::set<KeptFamily>{{"mlp", 0}}));
  all.add(1, "mlp", {run(0, 0.5)});
  EXPECT_EQ(all.found(sources(2)), (std::set<KeptFamily>{{"mlp", 0}, {"mlp", 1}}));
  // That it was done again for the merged store does not say how it ended.
  std::vector<BoardSource> again = sources(2);
  again[0].reproduced = {"run 0"};
  EXPECT_EQ(all.found(again).size(), 2u);
  again[1].reproduced = {"run 0"};
  EXPECT_TRUE(all.found(again).empty());
  all.refute(again);
  EXPECT_TRUE(std::ranges::all_of(again, holds)) << "it says what came out, and what did not";
}

}  // namespace
}  // namespace cupel
