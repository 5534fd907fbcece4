// What a model of links is once it is trained: a score for any pair of nodes.
#pragma once

#include <span>

#include "cupel/base/limits.h"
#include "cupel/base/parallel.h"
#include "cupel/data/dataset.h"
#include "cupel/data/graph/pairs.h"

namespace cupel {

// What such a model may see: the message arcs of one part of a split, and the features. None of the
// links that are asked about is among the arcs, unless by itself another pair says it.
struct LinkGraph {
  const Csr& arcs;           // nodes x nodes: a pattern without loops, symmetric unless `directed`
  const Features& features;  // nodes x features, maybe no column
  bool directed = false;
};

// Not thread-safe; may use the threads it was made with.
class PairScorer {
 public:
  virtual ~PairScorer() = default;
  // One finite score for each pair, in their order; larger means more likely. A score depends on
  // the pair alone, not on what is asked with it. Undirected graphs give (i, j) and (j, i) the same
  // score. Sizes are equal. Throws Interrupted or TimedOut where the limits say so.
  virtual void score(std::span<const Pair> pairs, std::span<float> scores,
                     const RunLimits& limits) = 0;
};

}  // namespace cupel
