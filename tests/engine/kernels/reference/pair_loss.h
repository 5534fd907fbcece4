// Slow oracle of pair_loss.h: logarithms of probabilities, in long double.
#pragma once

#include <cmath>

#include "cupel/engine/kernels/pair_loss.h"

namespace cupel::reference {

inline double pair_loss(kernels::PairLossForm form, std::span<const float> scores,
                        std::span<const float> links, std::span<float> grad) {
  const bool both = form == kernels::PairLossForm::kMeansOfBoth;
  const long double epsilon = both ? 1e-15L : 0.0L;
  long double parts[2] = {0, 0}, counts[2] = {0, 0};
  for (const float link : links) counts[link == 1 ? 1 : 0] += 1;
  const long double all = counts[0] + counts[1];
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const int link = links[i] == 1 ? 1 : 0;
    const long double x = scores[i], t = link == 1 ? x : -x;
    const long double p = 1 / (1 + std::exp(-t)), not_p = 1 / (1 + std::exp(t));
    const long double of = both ? counts[link] : all;
    parts[link] -= std::log(p + epsilon) / of;
    const long double slope = -p * not_p / (p + epsilon) / of;
    grad[i] = static_cast<float>(link == 1 ? slope : -slope);
  }
  return static_cast<double>(parts[0] + parts[1]);
}

}  // namespace cupel::reference
