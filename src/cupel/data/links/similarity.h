// How near all nodes are to a few, by links and by features: kBatch nodes at once, since what is
// read for one of them is read for all.
//
// A batch holds a row of kBatch numbers for each node: column c has the scores of all nodes for the
// c-th node asked about; columns beyond these are 0. Scores are made in double and rounded to
// float32, so that what is equal but for the order of a sum is equal. A column depends on its node
// alone, not on the others. Safe to call from many threads.
#pragma once

#include <span>
#include <vector>

#include "cupel/data/dataset.h"
#include "cupel/data/links/batch_rows.h"

namespace cupel {

using NodeBatch = AlignedVector<float>;

// Personalised PageRank: where a walk from the node ends that stops before each step with
// probability `restart`, in (0, 1), or at a node without links.
//
// Solves p = restart e + (1 - restart) A D^-1 p by Chebyshev's semi-iteration (Varga, "Matrix
// Iterative Analysis", 1962, chapter 5): with r = rho / (1 + sqrt(1 - rho^2)), rho = 1 - restart,
// step k leaves 2 r^k sqrt(degree(v) / degree(source)) of the error at node v. It runs in float32
// until that is 1e-7, then once more on what a double sees to be missing: 58 steps for restart
// 0.15, to 1e-13 or so. The power method takes 185 to get there. Nodes with one link are eliminated
// first, which leaves the spectral radius at most rho. A step reads entries x kBatch floats, most
// of them of nodes with many links, which are kept next to each other.
class PersonalisedPageRank {
 public:
  // `arcs`: a symmetric pattern without loops; copied.
  PersonalisedPageRank(const Csr& arcs, double restart);
  // Memory that batches one after another use again.
  struct Work {
    NodeBatch start, first, missing, second, before;
  };
  void batch(std::span<const Index> sources, Work& work, NodeBatch& out) const;

 private:
  void solve(const NodeBatch& start, NodeBatch& before, NodeBatch& out) const;
  double restart_;
  // Nodes with one link are folded into the node at its other end; the others are renumbered, many
  // links first.
  Csr inner_;  // links between these others
  std::vector<float> rounded_weight_;
  std::vector<double> weight_, own_;  // per inner node: of the sum over its links, of its start
  std::vector<Index> place_;          // per node: its inner number, or that of the other end
  std::vector<double> share_;         // of the inner node's value that is the node's
  std::vector<char> folded_;
  std::vector<double> degree_;
};

// Cosine of the nodes' rows of features; 0 where one of them is zero. The norms are made once.
class FeatureCosine {
 public:
  explicit FeatureCosine(const Features& features);  // refers to them
  // A batch takes entries x kBatch multiply-adds.
  void batch(std::span<const Index> nodes, NodeBatch& out) const;
  [[nodiscard]] double of(Index a, Index b) const;  // one pair: linear in their rows

 private:
  const Features& features_;
  std::vector<double> scale_;  // 1 / norm, 0 for a row of zeros
};

// Resource allocation (Zhou, Lu, Zhang 2009): the sum of 1 / degree over common neighbours. Fills
// `scores`, one per node and all 0 when called, and lists the nodes that it touched, ascending.
// `arcs` as above.
void resource_allocation(const Csr& arcs, Index node, std::vector<double>& scores,
                         std::vector<Index>& touched);

}  // namespace cupel
