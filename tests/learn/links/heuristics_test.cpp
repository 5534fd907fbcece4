// What all heuristics promise.
#include "cupel/learn/links/heuristics/heuristics.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>

#include "learn/links/drawn_links.h"

namespace cupel {
namespace {

// Enough pairs for several blocks, in an order of their own.
std::vector<Pair> many_pairs(Index nodes, std::size_t count) {
  Stream stream(stream_key("many pairs"), 0);
  std::vector<Pair> out;
  while (out.size() < count) {
    const auto i = static_cast<Index>(stream.next_below(nodes));
    const auto j = static_cast<Index>(stream.next_below(nodes));
    if (i != j) out.push_back({i, j});
  }
  return out;
}

TEST(Heuristics, AScoreDependsOnThePairAlone) {
  for (const bool directed : {false, true}) {
    const DrawnLinks links = drawn_links(3, 90, 260, directed);
    const std::vector<Pair> pairs = many_pairs(90, 20'000);
    std::vector<Pair> sorted = pairs;
    std::ranges::sort(sorted);
    for (const NamedHeuristic& heuristic : all_heuristics()) {
      SCOPED_TRACE(heuristic.name);
      const auto scorer = heuristic.make(links.graph(), {2});
      const std::vector<float> scores = scores_of(*scorer, pairs);
      std::vector<std::vector<float>> table(90, std::vector<float>(90));
      for (std::size_t k = 0; k < pairs.size(); ++k)
        table[pairs[k].source][pairs[k].target] = scores[k];
      std::vector<float> wanted;
      for (const Pair& p : sorted) wanted.push_back(table[p.source][p.target]);
      EXPECT_EQ(scores_of(*scorer, sorted), wanted);
      for (std::size_t k = 0; k < 40; ++k) EXPECT_EQ(scores_of(*scorer, {pairs[k]})[0], scores[k]);
      EXPECT_TRUE(scores_of(*scorer, {}).empty());
    }
  }
}

TEST(Heuristics, ThreadsChangeNothing) {
  for (const bool directed : {false, true}) {
    const DrawnLinks links = drawn_links(4, 90, 260, directed);
    const std::vector<Pair> pairs = many_pairs(90, 40'000);
    for (const NamedHeuristic& heuristic : all_heuristics())
      EXPECT_EQ(scores_of(*heuristic.make(links.graph(), {1}), pairs),
                scores_of(*heuristic.make(links.graph(), {4}), pairs))
          << heuristic.name;
  }
}

TEST(Heuristics, DirectionChangesNothingWhereThereIsNone) {
  const DrawnLinks links = drawn_links(5, 60, 150, false);
  const std::vector<Pair> pairs = all_pairs(60);
  std::vector<Pair> reversed;
  for (const Pair& p : pairs) reversed.push_back({p.target, p.source});
  for (const NamedHeuristic& heuristic : all_heuristics()) {
    const auto scorer = heuristic.make(links.graph(), {1});
    EXPECT_EQ(scores_of(*scorer, pairs), scores_of(*scorer, reversed)) << heuristic.name;
  }
}

TEST(Heuristics, ScoresAreFiniteWhateverIsAsked) {
  for (const bool directed : {false, true}) {
    const DrawnLinks links = drawn_links(6, 24, 20, directed);
    std::vector<Pair> pairs = all_pairs(24);
    for (Index i = 0; i < 24; ++i) pairs.push_back({i, i});
    for (const NamedHeuristic& heuristic : all_heuristics())
      for (const float score : scores_of(*heuristic.make(links.graph(), {1}), pairs))
        EXPECT_TRUE(std::isfinite(score)) << heuristic.name;
  }
}

TEST(Heuristics, LimitsAreObeyed) {
  const DrawnLinks links = drawn_links(7, 90, 260, false);
  const std::vector<Pair> pairs = many_pairs(90, 20'000);
  const std::atomic<bool> stop = true;
  const RunLimits late = {std::chrono::steady_clock::now() - std::chrono::seconds(1), nullptr};
  const RunLimits stopped = {std::nullopt, &stop};
  for (const NamedHeuristic& heuristic : all_heuristics())
    for (const int threads : {1, 2}) {
      const auto scorer = heuristic.make(links.graph(), {threads});
      EXPECT_THROW(scores_of(*scorer, pairs, late), TimedOut) << heuristic.name;
      EXPECT_THROW(scores_of(*scorer, pairs, stopped), Interrupted) << heuristic.name;
      EXPECT_NO_THROW(scores_of(*scorer, pairs)) << heuristic.name;
    }
}

// Zachary's karate club. Figures by NetworkX 3.6.1: common_neighbors, jaccard_coefficient,
// adamic_adar_index, resource_allocation_index, preferential_attachment, shortest_path_length; the
// sum of pagerank(alpha=0.85, personalization={i: 1}, tol=1e-15) both ways; and NumPy's
// inv(I - 0.005 A) - I.
TEST(Heuristics, AgreeWithNetworkX) {
  const DrawnLinks club = links_of(
      {{0, 1},   {0, 2},   {0, 3},   {0, 4},   {0, 5},   {0, 6},   {0, 7},   {0, 8},   {0, 10},
       {0, 11},  {0, 12},  {0, 13},  {0, 17},  {0, 19},  {0, 21},  {0, 31},  {1, 2},   {1, 3},
       {1, 7},   {1, 13},  {1, 17},  {1, 19},  {1, 21},  {1, 30},  {2, 3},   {2, 7},   {2, 8},
       {2, 9},   {2, 13},  {2, 27},  {2, 28},  {2, 32},  {3, 7},   {3, 12},  {3, 13},  {4, 6},
       {4, 10},  {5, 6},   {5, 10},  {5, 16},  {6, 16},  {8, 30},  {8, 32},  {8, 33},  {9, 33},
       {13, 33}, {14, 32}, {14, 33}, {15, 32}, {15, 33}, {18, 32}, {18, 33}, {19, 33}, {20, 32},
       {20, 33}, {22, 32}, {22, 33}, {23, 25}, {23, 27}, {23, 29}, {23, 32}, {23, 33}, {24, 25},
       {24, 27}, {24, 31}, {25, 31}, {26, 29}, {26, 33}, {27, 33}, {28, 31}, {28, 33}, {29, 32},
       {29, 33}, {30, 32}, {30, 33}, {31, 32}, {31, 33}, {32, 33}},
      34);
  const std::vector<Pair> pairs = {{0, 33}, {2, 33}, {16, 25}, {5, 6}, {8, 14}, {11, 12}, {4, 10}};
  const std::vector<std::pair<std::unique_ptr<PairScorer>, std::vector<double>>> wanted = [&] {
    std::vector<std::pair<std::unique_ptr<PairScorer>, std::vector<double>>> out;
    const LinkGraph graph = club.graph();
    const auto add = [&](std::unique_ptr<PairScorer> scorer, std::vector<double> figures) {
      out.emplace_back(std::move(scorer), std::move(figures));
    };
    add(common_neighbours_scorer(graph, {1}), {4, 6, 0, 2, 2, 1, 1});
    add(jaccard_scorer(graph, {1}), {0.137931034, 0.285714286, 0, 0.333333333, 0.4, 0.5, 0.2});
    add(adamic_adar_scorer(graph, {1}),
        {2.71101972, 4.71938126, 0, 1.8033688, 0.755385728, 0.36067376, 0.36067376});
    add(resource_allocation_scorer(graph, {1}),
        {0.9, 1.56666667, 0, 0.5625, 0.142156863, 0.0625, 0.0625});
    add(preferential_attachment_scorer(graph, {1}), {272, 170, 6, 16, 10, 2, 9});
    add(shortest_path_scorer(graph, {1}), {0.5, 0.5, 0.25, 1, 0.5, 0.5, 1});
    add(katz_scorer(graph, {}, {1}), {0.000101898168, 0.000152904465, 1.27022875e-09, 0.00505127497,
                                      5.06677755e-05, 2.51383572e-05, 0.00502601863});
    add(personalised_pagerank_scorer(graph, 0.15, {1}),
        {0.0993882143, 0.126882811, 0.00661716708, 0.201023006, 0.041483258, 0.0263931991,
         0.159686244});
    return out;
  }();
  for (std::size_t which = 0; which < wanted.size(); ++which) {
    const auto& [scorer, figures] = wanted[which];
    const std::vector<float> scores = scores_of(*scorer, pairs);
    for (std::size_t k = 0; k < pairs.size(); ++k)
      EXPECT_NEAR(scores[k], figures[k], 1e-6 * figures[k]) << which << " " << k;
  }
}

}  // namespace
}  // namespace cupel
