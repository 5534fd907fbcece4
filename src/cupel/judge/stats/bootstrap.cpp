#include "cupel/judge/stats/bootstrap.h"

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <vector>

#include "cupel/judge/stats/descriptive.h"

namespace cupel {

Interval bootstrap_mean(std::span<const double> draws, StreamKey key, int resamples, double alpha) {
  assert(!draws.empty() && resamples > 0);
  constexpr std::uint32_t kPurpose = 0x626F6F74;  // "boot"
  std::vector<double> sample(draws.size()), means;
  means.reserve(static_cast<std::size_t>(resamples));
  for (int r = 0; r < resamples; ++r) {
    Stream stream(key, kPurpose, static_cast<std::uint32_t>(r));
    for (double& x : sample) x = draws[stream.next_below(static_cast<std::uint32_t>(draws.size()))];
    means.push_back(mean_of(sample));
  }
  std::sort(means.begin(), means.end());
  return {quantile(means, alpha / 2), quantile(means, 1 - alpha / 2)};
}

}  // namespace cupel
