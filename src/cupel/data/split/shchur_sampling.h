// Seeds and per-class sampling as in the code of Shchur et al., "Pitfalls of Graph Neural Network
// Evaluation", 2018 (https://github.com/shchur/gnn-benchmark).
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "cupel/data/dataset.h"
#include "cupel/data/split/numpy_legacy.h"

namespace cupel {

// The seed listed in a job's configuration for split `member`: the member-th draw of
// RandomState(base).randint(0, 1000000). A longer list begins with the shorter one.
[[nodiscard]] std::uint32_t shchur_config_seed(std::uint32_t base, int member);

// The seed that the job's random state really gets. The experiment framework (sacred 0.7) gives
// every captured function its own seed, drawn in order of registration from RandomState(config
// seed); the function that samples the split is the seventh, and its state is seeded by one more
// draw.
[[nodiscard]] std::uint32_t shchur_effective_seed(std::uint32_t config_seed);

// Draws `count` examples of each class, class by class, among those that are not `taken`.
// Throws Error naming the class that has too few; `needed` words what the scheme asks of a class.
[[nodiscard]] std::vector<Index> sample_per_class(NumpyLegacy& random, const Dataset& dataset,
                                                  int count, const std::vector<char>& taken,
                                                  const std::string& needed);

// Nothing is taken yet but the examples without a label (one entry per example).
[[nodiscard]] std::vector<char> none_taken(const Dataset& dataset);
// Marks `ids` in `taken`.
void take(std::vector<char>& taken, const std::vector<Index>& ids);
// Examples that are not taken, ascending.
[[nodiscard]] std::vector<Index> remaining(const std::vector<char>& taken);

}  // namespace cupel
