// Scores that are entries of the inverse of a matrix as large as the graph: a column for each node
// that pairs are put down under, 16 columns at a time.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "cupel/learn/pair_scorer.h"

namespace cupel {

// For column t, with A the arcs (rows: sources) and e_t the unit vector:
//   y_0 = start e_t,   y_{k+1} = start e_t + scale A y_k,
// or, where there are factors, the semi-iteration of Golub and Varga (1961) on it:
//   y_{k+1} = y_{k-1} + factors[k] (start e_t + scale A y_k - y_{k-1}),   y_{-1} = 0.
// The sum over a row's entries is in their order.
struct ColumnIteration {
  double start = 1;
  std::vector<double> scale;    // one per node
  int steps = 0;                // products with A
  std::vector<double> factors;  // one per step, or none
};

// A score from y[node] of the column of `of`. Called by several threads at once.
using FinishColumn = std::function<double(double value, Index node, Index of)>;

// A pair's column is that of its target where the graph is directed, else that of its smaller node;
// its other node says the entry. A step of 16 columns takes 132 bytes of memory or cache per arc
// and 400 per node; there are `steps` of them for every 16 different columns. 256 bytes per node,
// and as much again for each further thread up to 65536 nodes; larger graphs share a step instead.
void score_columns(const LinkGraph& graph, const ColumnIteration& iteration,
                   const FinishColumn& finish, std::span<const Pair> pairs, std::span<float> scores,
                   Threads threads, const RunLimits& limits);

}  // namespace cupel
