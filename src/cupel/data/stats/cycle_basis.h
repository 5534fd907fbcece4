// A cycle basis of simple undirected graphs, the one that NetworkX up to 3.0 finds.
//
// Paton, "An algorithm for finding a fundamental set of cycles of a graph", CACM 12 (1969). A graph
// has many cycle bases and the lengths of their cycles differ, so counts by length mean something
// only with the search they came from. Here: components in the order of their smallest node, which
// is the root; nodes are taken from a stack, neighbours ascending. (NetworkX takes neighbours in
// the order in which edges were added, which ascends for graphs made from a matrix, and from 3.1 on
// another root.) Each component of n nodes and m edges has m - n + 1 cycles.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "cupel/base/matrix.h"

namespace cupel {

// Finds cycles in one graph of a union after another; keeps its space between them. Not
// thread-safe: one for each thread.
class CycleBasis {
 public:
  // `graphs` must outlive the finder and be symmetric, without self-loops. Block-diagonal.
  explicit CycleBasis(const Csr& graphs) : graphs_(graphs) {}

  // Calls visit(cycle) with the nodes (of the union) along each cycle of the basis of the graph on
  // nodes [begin, end), which no edge leaves. The span is valid during the call. Time: the lengths
  // of all cycles times the logarithm of the largest degree, and linear in the graph.
  void find(Index begin, Index end, const std::function<void(std::span<const Index>)>& visit);

 private:
  bool is_used(Index of, Index node) const;

  const Csr& graphs_;
  std::vector<Index> parent_, stack_, cycle_;
  std::vector<Offset> reverse_, next_;
  std::vector<char> used_;  // for the arc v -> w: whether w is in the set `used` of v
  Index begin_ = 0;
  Offset first_ = 0;
};

}  // namespace cupel
