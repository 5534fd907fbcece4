// How near points are to each other, as t-SNE has it: probabilities of pairs.
//
// van der Maaten and Hinton, "Visualizing Data using t-SNE", JMLR 9 (2008), equation 1 and section
// 3.1: p_{j|i} is proportional to exp(-beta_i |x_i - x_j|^2), beta_i such that these have the
// perplexity that is asked for, and p_ij = (p_{j|i} + p_{i|j}) / 2n. van der Maaten, "Accelerating
// t-SNE using Tree-Based Algorithms", JMLR 15 (2014), section 4.1: only the nearest neighbours of i
// have a p_{j|i} above 0.
#pragma once

#include <span>
#include <vector>

#include "cupel/base/matrix.h"
#include "cupel/base/parallel.h"
#include "cupel/learn/embedding/nearest_points.h"

namespace cupel {

// p_{j|i} over the neighbours of a point, given their squared distances, nearest first: exp of
// their entropy is `perplexity` to 1e-8. Where that many lie in one place at the smallest distance,
// no beta has so small a perplexity, and they share all evenly. Only ratios of differences of
// distances matter, so any scale does. Requires 1 <= perplexity <= squared.size().
[[nodiscard]] std::vector<double> conditional_affinities(std::span<const double> squared,
                                                         double perplexity);

// Compressed rows of the symmetric p_ij, which sum to 1. p_ii is no entry.
struct Affinities {
  Index points = 0;
  std::vector<Offset> row_ptr = {0};
  std::vector<Index> columns;  // ascending in a row
  std::vector<double> values;
};

// Of at most points x 2 count pairs.
[[nodiscard]] Affinities joint_affinities(const NearestPoints& nearest, double perplexity,
                                          Threads threads);

}  // namespace cupel
