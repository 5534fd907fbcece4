// The loss of a graph auto-encoder over all pairs of nodes, which never stores one number a pair.
//
// Kipf and Welling, "Variational Graph Auto-Encoders" (arXiv 1611.07308), equation 2: the entry
// (i, j) of the adjacency A is 1 with probability sigmoid(x_ij), x_ij = <z_i, z_j>, for all n^2
// ordered pairs, i = j among them. The loss is the cross-entropy in which terms with a_ij = 1 count
// more, which the paper says in words and its released code (tkipf/gae, train.py and optimizer.py)
// in numbers:
//   loss = scale / n^2 * sum over i, j of  a_ij w softplus(-x_ij) + (1 - a_ij) softplus(x_ij)
// with the gradient, sigma = sigmoid(x),
//   dL/dz_i = scale / n^2 * sum over j of (c_ij + c_ji) z_j,  c = a w (sigma - 1) + (1 - a) sigma.
#pragma once

#include <cstddef>
#include <vector>

#include "cupel/base/parallel.h"
#include "cupel/engine/kernels/views.h"

namespace cupel::kernels {

struct AllPairsWeights {
  double positive = 1;  // w: what a pair of A counts
  double scale = 1;     // of the mean over all n^2 pairs
};

// Those of the released code: w = (n^2 - m) / m and scale = n^2 / (2 (n^2 - m)), where m counts the
// arcs of the training graph, both directions, without self-loops, although its targets have one at
// every node. Requires 0 < m < n^2.
[[nodiscard]] AllPairsWeights released_weights(Index nodes, Offset arcs);

// Made once for a graph and computed every epoch without allocation, but for what a loop's threads
// need. Memory: 3 n width numbers (width rounded up to 16), and one for each pair of blocks of 96
// nodes. Not thread-safe.
//
// All pairs are first taken as absent, x_ij = x_ji once for both, then the entries of A corrected:
// the error is below 1e-6 of the sum of the losses with A and without. Blocks of nodes meet each
// other in the rounds of a tournament: no two threads add to the gradient of one block, and the
// order of additions is fixed. The bits depend neither on threads nor on the width of vectors.
class AllPairsLoss {
 public:
  // targets: nodes x nodes, no entry twice, values not read; it need not be symmetric, and must
  // outlive this. Throws std::logic_error unless it is square and width > 0.
  AllPairsLoss(const Csr& targets, Index width, AllPairsWeights weights);

  // z: nodes x width. Writes the gradient where its data is not null. Returns the loss, not finite
  // if any number of z or any x_ij is not; 0 without nodes.
  double compute(Threads threads, ConstDenseView z, DenseView grad);

  [[nodiscard]] std::size_t memory_bytes() const;

 private:
  void take(Threads threads, ConstDenseView z, bool gradient);
  double meet(Threads threads, bool gradient);
  double correct(Threads threads, DenseView grad);

  const Csr& targets_;
  Csr transposed_;  // empty if the targets are symmetric
  Index width_, blocks_;
  std::size_t stride_;
  AllPairsWeights weights_;
  AlignedVector<float> rows_;    // z, rows `stride_` apart, zeros behind
  AlignedVector<float> across_;  // z block by block, each width x 96
  AlignedVector<float> sums_;    // as rows_: sum over j of sigmoid(x_ij) z_j
  std::vector<double> partial_;  // losses: of the meetings of blocks, later of rows
};

}  // namespace cupel::kernels
