// t-SNE: points of many columns as points in the plane, neighbours beside each other.
//
// van der Maaten and Hinton, "Visualizing Data using t-SNE", JMLR 9 (2008); attraction by nearest
// neighbours only as in van der Maaten, "Accelerating t-SNE using Tree-Based Algorithms", JMLR 15
// (2014), repulsion by all points, without that paper's trees. Defaults, the number of neighbours,
// the course of the descent and when it ends are those of scikit-learn 0.21.
#pragma once

#include <functional>

#include "cupel/base/limits.h"
#include "cupel/base/matrix.h"
#include "cupel/base/parallel.h"
#include "cupel/base/random.h"

namespace cupel {

struct TsneSettings {
  double perplexity = 30;          // 1 to points - 1; a point has 3 perplexity + 1 neighbours
  double early_exaggeration = 12;  // at least 1; of p for the first 250 iterations, momentum 0.5
  double learning_rate = 200;
  int iterations = 1000;  // with the first 250; afterwards p as it is, momentum 0.8
};

// Called after each iteration, from the thread that called tsne; fewer than `all` may be taken.
using TsneProgress = std::function<void(int done, int all)>;

// points: n x d, one in each row, n >= 2. Returns n x 2; axes and origin mean nothing.
//
// Begins at normal numbers of deviation 1e-4, which `key` alone decides. Every 50 iterations it is
// seen whether to end: where the norm of the gradient is at most 1e-7, or the divergence was
// smallest more than 300 iterations ago. Unlike scikit-learn, which lets a perplexity above n - 1
// pass and never reaches it, this refuses it; p, positions and their steps are doubles; the search
// of p is finer.
//
// Takes n^2 d steps for the neighbours and n^2 for each iteration. Memory: a copy of the points and
// about 80 bytes for each point and neighbour. The bits depend neither on threads nor on the width
// of vectors. Throws Error where a setting is out of its range, n too small for the perplexity, a
// number of a point not finite or a learning rate so high that positions leave the range of floats;
// Interrupted or TimedOut.
[[nodiscard]] Matrix tsne(const Matrix& points, const TsneSettings& settings, StreamKey key,
                          Threads threads, const RunLimits& limits = {},
                          const TsneProgress& progress = {});

}  // namespace cupel
