// Equal training classes, then validation and test of a fixed size drawn from all other nodes:
// fresh splits of the shape of Yang et al., "Revisiting semi-supervised learning with graph
// embeddings" (ICML 2016), drawn as "planetoid_random" in the code of Shchur et al. 2018.
#include "cupel/base/error.h"
#include "cupel/data/labels.h"
#include "cupel/data/split/shchur_sampling.h"
#include "cupel/data/split/split_kind.h"

namespace cupel {
namespace {

std::string settings(const SplitScheme& scheme) {
  return fmt::format("train={} valid={} test={} seed={}", scheme.train, scheme.valid, scheme.test,
                     scheme.seed);
}

Split draw(const Dataset& dataset, const SplitScheme& scheme, int member) {
  const auto wanted = std::int64_t{scheme.train} * dataset.classes() + scheme.valid + scheme.test;
  const Index nodes = dataset.examples() - count_unlabelled(dataset);
  if (wanted > nodes) {
    fail(
        "{}: a planetoid split of {} x {} training, {} validation and {} test nodes needs {} "
        "nodes, but there are {}{}; ask for fewer",
        dataset.name, scheme.train, dataset.classes(), scheme.valid, scheme.test, wanted, nodes,
        nodes < dataset.examples() ? " with a label" : "");
  }
  const std::string needed =
      fmt::format("a planetoid split with {} training nodes of each class", scheme.train);
  NumpyLegacy random(shchur_effective_seed(shchur_config_seed(scheme.seed, member)));
  std::vector<char> taken = none_taken(dataset);
  Split split;
  split.train = sample_per_class(random, dataset, scheme.train, taken, needed);
  take(taken, split.train);
  split.valid = random.choice(remaining(taken), scheme.valid);
  take(taken, split.valid);
  split.test = random.choice(remaining(taken), scheme.test);
  return split;
}

}  // namespace

extern const SplitKind split_planetoid;
const SplitKind split_planetoid = {
    "planetoid",
    "`train` nodes of each class, then `valid` and `test` nodes in total, drawn from the rest",
    settings, draw, true};

}  // namespace cupel
