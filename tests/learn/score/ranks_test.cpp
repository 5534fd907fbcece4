#include "cupel/learn/score/ranks.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "cupel/learn/score/metrics.h"
#include "error_of.h"

namespace cupel {
namespace {

struct Counts {
  std::vector<Offset> above, ties, candidates;

  void add(Offset a, Offset t, Offset c) {
    above.push_back(a);
    ties.push_back(t);
    candidates.push_back(c);
  }
  void add(int positive, const std::vector<int>& among) {
    add(std::ranges::count_if(among, [&](int other) { return other > positive; }),
        std::ranges::count(among, positive), static_cast<Offset>(among.size()));
  }
  Ranks ranks(bool one_pool = false) const { return {above, ties, candidates, one_pool}; }
};

double of(const std::string& name, const Counts& counts, bool one_pool = false) {
  return rank_metric(name, counts.ranks(one_pool));
}

// Forty positives with twelve candidates each, few different scores.
Counts lists() {
  Counts out;
  for (int i = 0; i < 40; ++i) {
    std::vector<int> candidates;
    for (int j = 0; j < 12; ++j) candidates.push_back((3 * i + 5 * j) * (3 * i + 5 * j) % 11);
    out.add(7 * i % 10, candidates);
  }
  return out;
}

// The ranks of the evaluator of the Open Graph Benchmark (ogb.linkproppred), by numpy:
//   i = np.arange(40)[:, None]; j = np.arange(12)[None, :]
//   p = 7 * i[:, 0] % 10; n = (3 * i + 5 * j) ** 2 % 11
//   opt = (n > p[:, None]).sum(1); pes = (n >= p[:, None]).sum(1); r = 1 + (opt + pes) / 2
//   print((1 / r).mean(), r.mean(), [(r <= k).mean() for k in (1, 2, 3, 10)])
// and the same of r = 1 + opt and r = 1 + pes.
TEST(Ranks, OfListsAreThoseOfTheOpenGraphBenchmark) {
  struct Case {
    const char* ties;
    double mrr, mean;
    std::vector<double> hits;  // at 1, 2, 3 and 10
  };
  const Case cases[] = {{"", 0.22283277098718274, 6.3875, {0, 0.1, 0.325, 0.825}},
                        {":ties=mean", 0.22283277098718274, 6.3875, {0, 0.1, 0.325, 0.825}},
                        {":ties=optimistic", 0.28788780663780666, 5.8, {0.1, 0.1, 0.425, 0.9}},
                        {":ties=pessimistic", 0.19641344766344765, 6.975, {0, 0, 0.325, 0.8}}};
  for (const Case& c : cases) {
    const auto name = [&](const char* stem) { return std::string(stem) + c.ties; };
    EXPECT_NEAR(of(name("mrr"), lists()), c.mrr, 1e-15) << c.ties;
    EXPECT_NEAR(of(name("mean-rank"), lists()), c.mean, 1e-15) << c.ties;
    EXPECT_EQ(of(name("hits@1"), lists()), c.hits[0]) << c.ties;
    EXPECT_EQ(of(name("hits@2"), lists()), c.hits[1]) << c.ties;
    EXPECT_EQ(of(name("hits@3"), lists()), c.hits[2]) << c.ties;
    EXPECT_EQ(of(name("hits@10"), lists()), c.hits[3]) << c.ties;
  }
}

// Positives among all negatives of the thousand pairs of pool_test.cpp, by numpy:
//   (pos > np.sort(neg)[-k]).sum() / len(pos), as the evaluator has it, of s = m // 4 + 6 * y.
TEST(Ranks, HitsInOnePoolScoreHigherThanTheKthBest) {
  std::vector<int> positives, negatives;
  for (int i = 0; i < 1000; ++i) {
    const bool answer = i * i % 7 < 2;
    (answer ? positives : negatives).push_back((13 * i * i + 5 * i) % 97 / 4 + 6 * answer);
  }
  Counts ranks;
  for (const int positive : positives) ranks.add(positive, negatives);
  const auto hits = [&](int k) { return of(fmt::format("hits@{}", k), ranks, true); };
  EXPECT_DOUBLE_EQ(hits(1), 0.18925233644859812);
  EXPECT_DOUBLE_EQ(hits(20), 0.18925233644859812);
  EXPECT_DOUBLE_EQ(hits(50), 0.22429906542056074);
  EXPECT_DOUBLE_EQ(hits(100), 0.3130841121495327);
  EXPECT_DOUBLE_EQ(hits(200), 0.5911214953271028);
  EXPECT_DOUBLE_EQ(hits(572), 1);
  // The definition itself, at every K.
  std::ranges::sort(negatives, std::greater<>());
  int told_apart = 0;
  for (std::size_t k = 1; k <= negatives.size(); ++k) {
    const auto above =
        std::ranges::count_if(positives, [&](int p) { return p > negatives[k - 1]; });
    const std::string name = fmt::format("hits@{}", k);
    ASSERT_EQ(of(name, ranks, true),
              static_cast<double>(above) / static_cast<double>(positives.size()));
    ASSERT_EQ(of(name + ":ties=pessimistic", ranks), of(name, ranks, true));
    ASSERT_EQ(of(name + ":ties=optimistic", ranks, true), of(name + ":ties=optimistic", ranks));
    told_apart += of(name, ranks) > of(name, ranks, true);
  }
  EXPECT_GT(told_apart, 100) << "the readings cannot be told apart";
}

TEST(Ranks, ConstantScoresShareAllPlaces) {
  Counts constant;
  for (int i = 0; i < 3; ++i) constant.add(0, 9, 9);
  EXPECT_EQ(of("mean-rank", constant), 5.5);
  EXPECT_EQ(of("mean-rank:ties=optimistic", constant), 1);
  EXPECT_EQ(of("mean-rank:ties=pessimistic", constant), 10);
  EXPECT_EQ(of("mrr:ties=optimistic", constant), 1);
  EXPECT_DOUBLE_EQ(of("mrr", constant), 1 / 5.5);
  EXPECT_EQ(of("hits@5", constant), 0);
  EXPECT_EQ(of("hits@6", constant), 1);
  EXPECT_EQ(of("hits@9", constant, true), 0) << "no positive is above the last";
}

TEST(Ranks, OfOneCandidateOrNone) {
  const Counts beaten = {{1}, {0}, {1}}, tied = {{0}, {1}, {1}}, alone = {{0}, {0}, {0}};
  EXPECT_EQ(of("mrr", beaten), 0.5);
  EXPECT_EQ(of("mean-rank", tied), 1.5);
  EXPECT_EQ(of("hits@1", tied), 0);
  EXPECT_EQ(of("hits@1:ties=optimistic", tied), 1);
  EXPECT_EQ(of("mean-rank", alone), 1);
}

TEST(Ranks, RefusesWhatHasNoRank) {
  const Counts few = {{0, 1, 3}, {0, 0, 1}, {20, 12, 20}};
  EXPECT_EQ(find_metric("hits@12")->candidates_needed(), 12);
  EXPECT_EQ(find_metric("mrr")->candidates_needed(), 0);
  EXPECT_EQ(of("hits@12", few), 1);
  EXPECT_EQ(error_of([&] { (void)of("hits@13", few); }),
            "metric 'hits@13' looks at 13 places, and a positive pair has 12 candidates; take a "
            "smaller K");
  EXPECT_NE(error_of([] { (void)of("mrr", {}); }).find("there is no positive pair"),
            std::string::npos);
}

TEST(Ranks, OtherMetricsAreThoseWithEnoughCandidates) {
  const Counts counts = lists();
  std::vector<std::string> names;
  for (const auto& [name, value] : other_rank_metrics("mrr", counts.ranks())) {
    names.push_back(name);
    EXPECT_EQ(value, of(name, counts));
  }
  EXPECT_EQ(names, (std::vector<std::string>{"hits@1", "hits@3", "hits@10", "mean-rank"}));
}

}  // namespace
}  // namespace cupel
