// Kernel matrices of sets of graphs whose kernel counts features: substructures, or patterns of
// them, of which there are few in each graph.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cupel/base/limits.h"
#include "cupel/base/matrix.h"
#include "cupel/base/parallel.h"

namespace cupel {

// How often each graph has each feature. Graph g has features ids[start[g] .. start[g + 1]), each
// named once, in any order, counts[...] times.
struct Histograms {
  std::vector<Offset> start = {0};
  std::vector<Index> ids;      // in [0, features)
  std::vector<double> counts;  // whole numbers
  Index features = 0;
  std::vector<double> weights;  // of each feature in the inner product; empty: all 1

  Index graphs() const { return static_cast<Index>(start.size()) - 1; }
};

// Symmetric, row-major.
struct Gram {
  Index graphs = 0;
  AlignedVector<double> values;

  double* row(Index i) { return values.data() + static_cast<std::size_t>(i) * graphs; }
  const double* row(Index i) const { return values.data() + static_cast<std::size_t>(i) * graphs; }
  double operator()(Index i, Index j) const { return row(i)[j]; }
};

// K(i, j) = sum over features f of weight(f) count_i(f) count_j(f). Exact below 2^53; the same
// bits on any number of threads and processor. Throws Interrupted or TimedOut.
[[nodiscard]] Gram inner_products(const Histograms& histograms, Threads threads,
                                  const RunLimits& limits = {});

// K(i, j) / sqrt(K(i, i) K(j, j)); 0 where that is 0 / 0.
void normalise(Gram& gram);

// Bytes that a kernel matrix takes while a kernel SVM is prepared from it (svm.h).
[[nodiscard]] std::uint64_t gram_bytes(Index graphs);
// Throws Error, before anything is computed, if that is more than half of `memory` bytes (default:
// this machine's). `who` begins the message.
void refuse_large_gram(const std::string& who, Index graphs, std::uint64_t memory = 0);

// "3 hours", "40 days" or "2000 years": so many operations, `rate` a second on each of this
// machine's processors. For messages.
[[nodiscard]] std::string rough_time(double operations, double rate);

}  // namespace cupel
