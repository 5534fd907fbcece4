// What Li et al. 2024 draw without any data set: how lambda and E depend on scores (figure 2), and
// labels made by their theorem 1 (figure 5). Pure functions.
#pragma once

#include <vector>

#include "cupel/judge/effectiveness/chart.h"

namespace cupel::effectiveness {

// For 2 to 10 classes:
//   lambda against the lower score;
//   E of a graph model over a baseline that guesses (their caption has a perfect model instead);
//   E of a gap of 0.2 against the lower score.
[[nodiscard]] std::vector<Chart> equation_charts();

// 11 labels by r = -0.7, 0.1 and 0.7, as in the figure, whose three properties are uniform here
// (one of its three is Gaussian): each property, in standard units, against the label. Titles say
// which correlation came out over 4096 graphs, of which some are drawn.
[[nodiscard]] std::vector<Chart> theorem_charts();

}  // namespace cupel::effectiveness
