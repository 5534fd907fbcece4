// Small random graphs to ask about, all their pairs, and every heuristic by name.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "cupel/base/random.h"
#include "cupel/learn/links/heuristics/heuristics.h"

namespace cupel {

// What a LinkGraph refers to. A quarter of the nodes, the last ones, have no arc; some rows of the
// features are 0.
struct DrawnLinks {
  Csr arcs;
  Features features;
  bool directed = false;

  LinkGraph graph() const { return {arcs, features, directed}; }
  bool joined(Index i, Index j) const { return has_arc(arcs, {i, j}); }
};

inline DrawnLinks links_of(std::vector<Pair> pairs, Index nodes, bool directed = false) {
  return {arcs_of(pairs, nodes, directed), Matrix(nodes, 0), directed};
}

inline DrawnLinks drawn_links(std::uint32_t seed, Index nodes, int links, bool directed) {
  Stream stream(stream_key("drawn links"), 0, 0, seed);
  std::vector<Pair> pairs;
  const auto connected = static_cast<std::uint32_t>(nodes - nodes / 4);
  while (std::ssize(pairs) < links) {
    const auto i = static_cast<Index>(stream.next_below(connected));
    // Low numbers more often, so that rows are of unequal length.
    const auto j = static_cast<Index>(stream.next_below(1 + stream.next_below(connected)));
    if (i != j) pairs.push_back({i, j});
  }
  DrawnLinks out = links_of(pairs, nodes, directed);
  Matrix features(nodes, 11);
  for (Index i = 0; i < nodes; ++i)
    for (Index c = 0; c < features.cols; ++c)
      if (i % 5 != 3 && stream.next_below(2) == 0)
        features(i, c) = static_cast<float>(stream.next_normal());
  out.features = features;
  return out;
}

// In both orders, without pairs of a node with itself.
inline std::vector<Pair> all_pairs(Index nodes) {
  std::vector<Pair> out;
  for (Index i = 0; i < nodes; ++i)
    for (Index j = 0; j < nodes; ++j)
      if (i != j) out.push_back({i, j});
  return out;
}

inline std::vector<float> scores_of(PairScorer& scorer, const std::vector<Pair>& pairs,
                                    const RunLimits& limits = {}) {
  std::vector<float> out(pairs.size(), -1);
  scorer.score(pairs, out, limits);
  return out;
}

struct NamedHeuristic {
  std::string name;
  std::function<std::unique_ptr<PairScorer>(const LinkGraph&, Threads)> make;
};

inline std::vector<NamedHeuristic> all_heuristics() {
  return {
      {"common neighbours", common_neighbours_scorer},
      {"jaccard", jaccard_scorer},
      {"adamic-adar", adamic_adar_scorer},
      {"resource allocation", resource_allocation_scorer},
      {"preferential attachment", preferential_attachment_scorer},
      {"shortest path", shortest_path_scorer},
      {"katz", [](auto& graph, auto threads) { return katz_scorer(graph, {}, threads); }},
      {"katz to 3",
       [](auto& graph, auto threads) {
         return katz_scorer(graph, {0.005, 3}, threads);
       }},
      {"pagerank", [](auto& graph,
                      auto threads) { return personalised_pagerank_scorer(graph, 0.15, threads); }},
      {"cosine", feature_cosine_scorer}};
}

}  // namespace cupel
