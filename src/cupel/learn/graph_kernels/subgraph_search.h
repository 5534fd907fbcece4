// Every connected induced subgraph of at most k nodes, once (ESU: Wernicke, "Efficient detection of
// network motifs", IEEE/ACM TCBB 3, 2006).
#pragma once

#include <cstdint>
#include <vector>

#include "cupel/learn/graph_kernels/labelled_graphs.h"

namespace cupel {

// A subgraph is grown from its lowest node, the root, by nodes above it. The nodes that may come
// next (`candidates`) are those above the root that the subgraph reaches and that no brother
// before has taken.
class SubgraphSearch {
 public:
  explicit SubgraphSearch(const LabelledGraphs& graphs) : graphs_(graphs) {}

  // Before subgraphs of graph `g`, whose nodes are the roots from here on.
  void enter(Index g) {
    base_ = graphs_.start[g];
    reach_.assign(static_cast<std::size_t>(graphs_.start[g + 1] - base_), 0);
  }

  // Calls visit(nodes, joined, size) for each subgraph with lowest node `root`, where joined[p] has
  // bit q set if nodes p and q < p are. nodes and joined have `size` entries.
  template <class Visit>
  void from(Index root, int k, Visit&& visit) {
    begin(root);
    visit(nodes_, joined_, 1);
    if (k > 1) {
      extend(root, 0);
      grow(1, k, visit);
      retract(root, 0);
    }
  }

  // Subgraphs below a random walk from `root`, an unbiased estimate of how many there are:
  // pick(n) is uniform in [0, n).
  template <class Pick>
  double probe(Index root, int k, Pick&& pick) {
    begin(root);
    double sum = 1, weight = 1;
    int size = 1;
    Index last = root;
    std::vector<Index> taken;
    while (size < k) {
      taken.push_back(last);
      extend(last, size - 1);
      const auto choices = static_cast<std::uint32_t>(candidates_[size - 1].size());
      if (choices == 0) break;
      weight *= choices;
      sum += weight;
      const std::uint32_t at = pick(choices);
      last = candidates_[size - 1][at];
      auto& next = candidates_[size];
      next.assign(candidates_[size - 1].begin() + at + 1, candidates_[size - 1].end());
      joined_[size] = reach_[last - base_];
      ++size;
    }
    while (!taken.empty()) {
      retract(taken.back(), static_cast<int>(taken.size()) - 1);
      taken.pop_back();
    }
    return sum;
  }

 private:
  static constexpr int kDeepest = 8;  // bits of reach_

  void begin(Index root) {
    root_ = root;
    nodes_[0] = root;
    joined_[0] = 0;
    candidates_[0].clear();
  }

  // Marks the neighbours of `node`, which is at position `at`; those above the root that nothing
  // reached before become candidates of that depth.
  void extend(Index node, int at) {
    for (const Index u : graphs_.adjacency.row_columns(node)) {
      if (u < root_) continue;
      if (reach_[u - base_] == 0 && u != root_) candidates_[at].push_back(u);
      reach_[u - base_] |= static_cast<std::uint8_t>(1u << at);
    }
  }
  void retract(Index node, int at) {
    for (const Index u : graphs_.adjacency.row_columns(node))
      if (u >= root_) reach_[u - base_] &= static_cast<std::uint8_t>(~(1u << at));
  }

  template <class Visit>
  void grow(int size, int k, Visit& visit) {
    std::vector<Index>& own = candidates_[size - 1];
    for (std::size_t i = 0; i < own.size(); ++i) {
      const Index node = own[i];
      nodes_[size] = node;
      joined_[size] = reach_[node - base_];
      visit(nodes_, joined_, size + 1);
      if (size + 1 == k) continue;
      candidates_[size].assign(own.begin() + static_cast<std::ptrdiff_t>(i) + 1, own.end());
      extend(node, size);
      grow(size + 1, k, visit);
      retract(node, size);
    }
  }

  const LabelledGraphs& graphs_;
  Index root_ = 0, base_ = 0;  // base_: first node of the graph
  std::vector<std::uint8_t>
      reach_;  // by node of the graph: positions in the subgraph that are joined to it
  Index nodes_[kDeepest];
  std::uint8_t joined_[kDeepest];
  std::vector<Index> candidates_[kDeepest];
};

}  // namespace cupel
