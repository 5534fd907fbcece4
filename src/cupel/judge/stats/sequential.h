// Looking at data more than once: levels at which each look may conclude, so that all looks
// together err as rarely as one would.
//
// Alpha spending (Lan and DeMets, Biometrika 1983) with the linear spending function of Kim and
// DeMets (Biometrika 1987): after a fraction t of the largest sample, alpha t is spent. The
// boundary of each look is that of a Brownian motion seen at the fractions of the looks (Armitage,
// McPherson and Rowe, JRSS A 1969). A statistic with an error that all looks share, as the
// published mean has, is more alike from look to look, so that it errs less often than that.
// Levels depend on the schedule alone, never on the data.
//
// Pure functions, safe from any thread.
#pragma once

#include <span>
#include <vector>

namespace cupel {

// Sample sizes at which to look: multiples of `unit`, the first at least `first`, each a quarter
// larger than the one before, the last `largest`. Requires first, unit, largest >= 1; one look
// at `largest` where that is smaller than `first` or `unit`.
[[nodiscard]] std::vector<int> look_schedule(int first, int unit, int largest);

// The nominal one-sided level of each look at sizes `looks` (ascending, the last at most `largest`)
// of a test whose overall one-sided level is `alpha` when all looks up to `largest` are made.
// Errors of the boundary: below 1 % of alpha, but where a look's step is far shorter than the time
// before it, as from 1,032 of 1,033: such a look spends as little as half its share, which costs it
// power and no level.
[[nodiscard]] std::vector<double> look_levels(std::span<const int> looks, int largest,
                                              double alpha);

}  // namespace cupel
