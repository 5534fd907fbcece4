// Candidates in three forms: both sides of a ranking, and counts against an oracle that looks at
// every candidate by itself.
#include "cupel/data/links/candidates.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <stdexcept>

#include "cupel/data/links/rank_counter.h"
#include "data/links/made.h"
#include "error_of.h"

namespace cupel {
namespace {

using made::link_data;
using made::LinkData;

// A score of a pair with few different values, so that ties abound.
float score_of(Pair pair, bool directed) {
  if (!directed && pair.source > pair.target) std::swap(pair.source, pair.target);
  const auto bits = philox({7, 9}, 0, 0, static_cast<std::uint32_t>(pair.source),
                           static_cast<std::uint32_t>(pair.target));
  return static_cast<float>(bits[0] % 5) - 2;
}

std::vector<float> scores_of(const Asked& asked, bool directed) {
  std::vector<float> out;
  for (Offset row = 0; row < asked.rows(); ++row)
    out.push_back(score_of(asked.pair(row), directed));
  return out;
}

RankCounts counts_of(const Ranking& ranking, bool directed, std::size_t block, int threads = 1) {
  const std::vector<float> scores = scores_of(ranking.asked, directed);
  RankCounter counter(ranking, Threads{threads});
  for (std::size_t at = 0; at < scores.size(); at += block)
    counter.add(std::span(scores).subspan(at, std::min(block, scores.size() - at)));
  return counter.finish();
}

struct Expected {
  RankCounts counts;
  void add(Pair positive, const std::vector<Pair>& candidates, bool directed) {
    Offset above = 0, ties = 0;
    for (const Pair& pair : candidates) {
      above += score_of(pair, directed) > score_of(positive, directed);
      ties += score_of(pair, directed) == score_of(positive, directed);
    }
    counts.above.push_back(above);
    counts.ties.push_back(ties);
    counts.candidates.push_back(std::ssize(candidates));
  }
};

void expect_equal(const RankCounts& got, const RankCounts& wanted) {
  EXPECT_EQ(got.above, wanted.above);
  EXPECT_EQ(got.ties, wanted.ties);
  EXPECT_EQ(got.candidates, wanted.candidates);
}

Expected all_expected(const LinkData& made, const std::vector<Pair>& positives, bool filtered) {
  Expected out;
  const bool directed = made.links.directed;
  const auto ask = [&](Index source, Index target) {
    std::vector<Pair> candidates;
    for (Index other = 0; other < made.links.nodes; ++other) {
      if (other == source || other == target) continue;
      const Pair pair = directed || source < other ? Pair{source, other} : Pair{other, source};
      const bool link = std::binary_search(made.links.pairs.begin(), made.links.pairs.end(), pair);
      if (!filtered || !link) candidates.push_back({source, other});
    }
    out.add({source, target}, candidates, directed);
  };
  for (const Pair& pair : positives) {
    ask(pair.source, pair.target);
    if (!directed) ask(pair.target, pair.source);
  }
  return out;
}

TEST(RankCounter, AgreesWithAnOracleInAllForms) {
  for (std::uint32_t seed = 0; seed < 12; ++seed) {
    const bool directed = seed % 2 == 1;
    const LinkData made = link_data(23, 70, seed, directed);
    const std::set<Pair> test = made.part(made.split.test);
    const std::vector<Pair> positives(test.begin(), test.end());

    const auto pool = std::get<CandidatePool>(made.draw("uniform", LinkPart::kTest));
    Expected wanted;
    std::vector<Pair> asked_of_test;
    for (const Index id : made.split.test) asked_of_test.push_back(made.links.pairs[id]);
    for (const Pair& pair : asked_of_test) wanted.add(pair, pool.pairs, directed);
    const Ranking pooled = make_ranking(asked_of_test, directed, 23, pool);

    const auto lists = std::get<CandidateLists>(made.draw("corrupt", LinkPart::kTest, {"count=7"}));
    Expected of_lists;
    for (std::size_t q = 0; q < asked_of_test.size(); ++q)
      of_lists.add(asked_of_test[q],
                   {lists.pairs.begin() + lists.start[q], lists.pairs.begin() + lists.start[q + 1]},
                   directed);
    const Ranking listed = make_ranking(asked_of_test, directed, 23, lists);

    for (const std::size_t block : {1u, 7u, 1000u}) {
      expect_equal(counts_of(pooled, directed, block), wanted.counts);
      expect_equal(counts_of(listed, directed, block), of_lists.counts);
      for (const bool filtered : {true, false}) {
        const Candidates all =
            made.draw("all", LinkPart::kTest, {filtered ? "filtered=true" : "filtered=false"});
        const Ranking ranking = make_ranking(asked_of_test, directed, 23, all);
        EXPECT_EQ(ranking.questions.per_positive, directed ? 1 : 2);
        const RankCounts counts = counts_of(ranking, directed, block, 2);
        expect_equal(counts, all_expected(made, asked_of_test, filtered).counts);
        const CandidateCounts bounds = candidate_counts(ranking);
        EXPECT_EQ(bounds.smallest,
                  *std::min_element(counts.candidates.begin(), counts.candidates.end()));
        EXPECT_EQ(bounds.largest,
                  *std::max_element(counts.candidates.begin(), counts.candidates.end()));
      }
    }
  }
}

TEST(Asked, DoesNotTellPositivesFromNegatives) {
  const LinkData made = link_data(40, 120, 3);
  const std::vector<Pair> positives = {{1, 4}, {0, 9}, {7, 30}};
  const CandidatePool pool{{{0, 3}, {1, 2}, {20, 21}, {38, 39}}};
  const Ranking ranking = make_ranking(positives, false, 40, pool);
  // The same pairs with the parts of some exchanged are asked alike.
  const Ranking other = make_ranking(std::vector<Pair>{{38, 39}, {1, 2}, {20, 21}}, false, 40,
                                     CandidatePool{{{0, 3}, {0, 9}, {1, 4}, {7, 30}}});
  EXPECT_EQ(ranking.asked.pairs, other.asked.pairs);
  EXPECT_TRUE(std::is_sorted(ranking.asked.pairs.begin(), ranking.asked.pairs.end()));
  EXPECT_EQ(ranking.asked.rows(), 7);
  for (std::size_t q = 0; q < positives.size(); ++q)
    EXPECT_EQ(ranking.asked.pair(ranking.questions.positive[q]), positives[q]);
}

TEST(Asked, AllTargetsListNothing) {
  AllTargets all;
  all.end = 1'000'000;
  all.filter = arcs_of({}, 1'000'000, true);
  const Ranking ranking =
      make_ranking(std::vector<Pair>{{5, 9}, {2, 999'999}, {5, 0}}, true, 1'000'000, all);
  EXPECT_TRUE(ranking.asked.pairs.empty());
  EXPECT_EQ(ranking.asked.sources, (std::vector<Index>{2, 5}));
  EXPECT_EQ(ranking.asked.rows(), 2'000'000);
  EXPECT_EQ(ranking.questions.positive, (std::vector<Offset>{1'000'009, 999'999, 1'000'000}));
  EXPECT_EQ(ranking.asked.pair(1'000'009), (Pair{5, 9}));
}

// Movies are nodes 3 to 5, users 0 to 2; a user is no candidate.
TEST(RankCounter, TargetsOfATypeAloneAreCandidates) {
  AllTargets all;
  all.begin = 3;
  all.end = 6;
  all.filter = arcs_of(std::vector<Pair>{{0, 3}, {0, 4}, {1, 0}}, 6, true);
  const Ranking ranking = make_ranking(std::vector<Pair>{{0, 4}, {1, 5}}, true, 6, all);
  RankCounter counter(ranking);
  counter.add(std::vector<float>{9, 2, 2, 1, 3, 2});
  const RankCounts counts = counter.finish();
  EXPECT_EQ(counts.candidates, (std::vector<Offset>{1, 2}));
  EXPECT_EQ(counts.above, (std::vector<Offset>{0, 1}));
  EXPECT_EQ(counts.ties, (std::vector<Offset>{1, 0}));
}

TEST(RankCounter, PoolsGiveScoresAndLabels) {
  const Ranking ranking = make_ranking(std::vector<Pair>{{1, 4}, {0, 9}}, false, 10,
                                       CandidatePool{{{0, 3}, {1, 2}, {8, 9}}});
  RankCounter counter(ranking);
  counter.add(std::vector<float>{1, 2, 3, 4, 5});
  const PoolScores pool = counter.pool_scores();
  EXPECT_EQ(pool.scores, (std::vector<float>{1, 2, 3, 4, 5}));
  EXPECT_EQ(pool.positive, (std::vector<std::uint8_t>{0, 1, 0, 1, 0}));
}

TEST(RankCounter, InfiniteScoresAreOrderedAndWhatIsNoNumberIsRefused) {
  const Ranking ranking =
      make_ranking(std::vector<Pair>{{0, 1}}, false, 4, CandidatePool{{{0, 2}, {0, 3}}});
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  RankCounter counter(ranking);
  counter.add(std::vector<float>{-kInfinity, -kInfinity, kInfinity});
  EXPECT_EQ(counter.finish().above, std::vector<Offset>{1});
  EXPECT_EQ(counter.finish().ties, std::vector<Offset>{1});
  RankCounter other(ranking);
  EXPECT_EQ(error_of([&] {
              other.add(std::vector<float>{0, NAN});
            }),
            "the score of the pair (0, 2) is not a number, and pairs are ranked by score");
  EXPECT_THROW((void)other.finish(), std::logic_error) << "rows are missing";
  EXPECT_THROW(other.add(std::vector<float>(4)), std::logic_error) << "rows are too many";
}

TEST(MakeRanking, RefusesWhatNoSamplerMakes) {
  const std::vector<Pair> positives = {{0, 1}, {2, 3}};
  const auto make = [&](const Candidates& candidates) {
    (void)make_ranking(positives, false, 5, candidates);
  };
  EXPECT_THROW(make(CandidatePool{{{0, 1}}}), std::logic_error) << "a positive";
  EXPECT_THROW(make(CandidatePool{{{0, 5}}}), std::logic_error) << "out of range";
  EXPECT_THROW(make(CandidatePool{{{1, 0}}}), std::logic_error) << "the wrong way round";
  EXPECT_THROW(make(CandidatePool{{{0, 3}, {0, 2}}}), std::logic_error) << "unsorted";
  EXPECT_THROW(make(CandidatePool{{{0, 3}, {0, 3}}}), std::logic_error) << "twice";
  EXPECT_THROW(make(CandidateLists{{0, 1}, {{0, 2}}}), std::logic_error) << "a list is missing";
  EXPECT_THROW(make(CandidateLists{{0, 1, 2}, {{0, 1}, {0, 2}}}), std::logic_error) << "its own";
  EXPECT_NO_THROW(make(CandidateLists{{0, 1, 2}, {{2, 3}, {0, 1}}})) << "another's";
}

}  // namespace
}  // namespace cupel
