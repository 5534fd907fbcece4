// Equal numbers of every class, the protocol of Shchur et al. 2018, section 3.
#include "cupel/base/error.h"
#include "cupel/data/split/shchur_sampling.h"
#include "cupel/data/split/split_kind.h"

namespace cupel {
namespace {

std::string settings(const SplitScheme& scheme) {
  return fmt::format("train={} valid={} seed={}", scheme.train, scheme.valid, scheme.seed);
}

Split draw(const Dataset& dataset, const SplitScheme& scheme, int member) {
  const std::string needed =
      fmt::format("a per-class split with {} training and {} validation nodes of each class",
                  scheme.train, scheme.valid);
  NumpyLegacy random(shchur_effective_seed(shchur_config_seed(scheme.seed, member)));
  std::vector<char> taken = none_taken(dataset);
  Split split;
  split.train = sample_per_class(random, dataset, scheme.train, taken, needed);
  take(taken, split.train);
  split.valid = sample_per_class(random, dataset, scheme.valid, taken, needed);
  take(taken, split.valid);
  split.test = remaining(taken);
  return split;
}

}  // namespace

extern const SplitKind split_per_class;
const SplitKind split_per_class = {
    "per-class",
    "`train` nodes of each class, then `valid` nodes of each class, the rest test "
    "(Shchur et al. 2018, seeds as in their code)",
    settings, draw, true};

}  // namespace cupel
