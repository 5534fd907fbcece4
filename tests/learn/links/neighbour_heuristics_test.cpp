#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "learn/links/drawn_links.h"

namespace cupel {
namespace {

// Every node is asked whether it stands between.
struct Oracle {
  const DrawnLinks& links;

  Index out(Index i) const {
    return count([&](Index k) { return links.joined(i, k); });
  }
  Index in(Index j) const {
    return count([&](Index k) { return links.joined(k, j); });
  }
  bool between(Pair p, Index k) const {
    return links.joined(p.source, k) && links.joined(k, p.target);
  }
  double arcs(Index k) const { return links.directed ? out(k) + in(k) : out(k); }
  double sum(Pair p, const std::function<double(double)>& f) const {
    double total = 0;
    for (Index k = 0; k < links.arcs.rows; ++k)
      if (between(p, k)) total += f(arcs(k));
    return total;
  }
  double jaccard(Pair p) const {
    const Index either =
        count([&](Index k) { return links.joined(p.source, k) || links.joined(k, p.target); });
    return either == 0 ? 0 : sum(p, [](double) { return 1; }) / either;
  }
  template <class Test>
  Index count(Test test) const {
    Index n = 0;
    for (Index k = 0; k < links.arcs.rows; ++k) n += test(k);
    return n;
  }
};

void expect_scores(PairScorer& scorer, Index nodes, const std::function<double(Pair)>& wanted) {
  const std::vector<Pair> pairs = all_pairs(nodes);
  const std::vector<float> scores = scores_of(scorer, pairs);
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    const double want = wanted(pairs[k]);
    EXPECT_NEAR(scores[k], want, 1e-7 * want) << pairs[k].source << " " << pairs[k].target;
  }
}

TEST(NeighbourHeuristics, AreWhatTheirDefinitionsSay) {
  for (std::uint32_t seed = 0; seed < 24; ++seed) {
    const DrawnLinks links = drawn_links(seed, 21, 15 + 3 * static_cast<int>(seed), seed % 2 == 1);
    const Oracle oracle{links};
    const LinkGraph graph = links.graph();
    const Index n = links.arcs.rows;
    expect_scores(*common_neighbours_scorer(graph, {2}), n,
                  [&](Pair p) { return oracle.sum(p, [](double) { return 1; }); });
    expect_scores(*jaccard_scorer(graph, {2}), n, [&](Pair p) { return oracle.jaccard(p); });
    expect_scores(*adamic_adar_scorer(graph, {2}), n,
                  [&](Pair p) { return oracle.sum(p, [](double d) { return 1 / std::log(d); }); });
    expect_scores(*resource_allocation_scorer(graph, {2}), n,
                  [&](Pair p) { return oracle.sum(p, [](double d) { return 1 / d; }); });
    expect_scores(*preferential_attachment_scorer(graph, {2}), n,
                  [&](Pair p) { return double(oracle.out(p.source)) * oracle.in(p.target); });
  }
}

// Rows of very unequal length, and sources asked often enough to be marked.
TEST(NeighbourHeuristics, AreTheSameWhicheverWayRowsAreCompared) {
  for (const bool directed : {false, true}) {
    std::vector<Pair> arcs;
    Stream stream(stream_key("hubs"), 0);
    constexpr Index kNodes = 600;
    for (Index k = 3; k < kNodes; ++k) {
      if (stream.next_below(4) != 0) arcs.push_back({0, k});
      if (stream.next_below(3) == 0) arcs.push_back({k, 1});
      if (stream.next_below(50) == 0) arcs.push_back({2, k});
      arcs.push_back({k, static_cast<Index>(3 + stream.next_below(kNodes - 3))});
    }
    std::erase_if(arcs, [](Pair p) { return p.source == p.target; });
    const DrawnLinks links = links_of(arcs, kNodes, directed);
    const Oracle oracle{links};
    std::vector<double> inverse(kNodes);
    for (Index k = 0; k < kNodes; ++k) inverse[k] = 1 / std::log(oracle.arcs(k));
    std::vector<Pair> grouped, scattered;
    for (const Index i : {0, 1, 2, 77, 300})
      for (Index j = 0; j < kNodes; ++j)
        if (i != j) grouped.push_back({i, j});
    for (std::size_t k = 0; k < grouped.size(); ++k)
      scattered.push_back(grouped[k * 1009 % grouped.size()]);
    const auto scorer = adamic_adar_scorer(links.graph(), {1});
    const std::vector<float> scores = scores_of(*scorer, grouped);
    const std::vector<float> others = scores_of(*scorer, scattered);
    for (std::size_t k = 0; k < grouped.size(); ++k) {
      double sum = 0;
      for (Index z = 0; z < kNodes; ++z)
        if (oracle.between(grouped[k], z)) sum += inverse[z];
      EXPECT_EQ(scores[k], static_cast<float>(sum));
      EXPECT_EQ(others[k], scores[k * 1009 % grouped.size()]);
    }
  }
}

TEST(NeighbourHeuristics, AStarOfAHundredThousandIsAskedAMillionTimes) {
  constexpr Index kLeaves = 100'000;
  std::vector<Pair> arcs;
  for (Index k = 1; k <= kLeaves; ++k) arcs.push_back({0, k});
  const DrawnLinks links = links_of(arcs, kLeaves + 1);
  Stream stream(stream_key("star"), 0);
  std::vector<Pair> pairs;
  while (pairs.size() < 1'000'000) {
    const auto i = static_cast<Index>(stream.next_below(kLeaves + 1));
    const auto j = static_cast<Index>(stream.next_below(kLeaves + 1));
    if (i != j) pairs.push_back(pairs.size() % 2 == 0 ? Pair{i, j} : Pair{0, 1 + i % kLeaves});
  }
  const std::vector<float> count = scores_of(*common_neighbours_scorer(links.graph(), {2}), pairs);
  const std::vector<float> weight = scores_of(*adamic_adar_scorer(links.graph(), {2}), pairs);
  const auto inverse = static_cast<float>(1 / std::log(double{kLeaves}));
  std::size_t wrong = 0;
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    const bool leaves = pairs[k].source != 0 && pairs[k].target != 0;
    wrong += count[k] != (leaves ? 1 : 0) || weight[k] != (leaves ? inverse : 0);
  }
  EXPECT_EQ(wrong, 0u);
}

}  // namespace
}  // namespace cupel
