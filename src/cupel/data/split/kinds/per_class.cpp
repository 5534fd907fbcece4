// Equal numbers of every class, the protocol of Shchur et al. 2018, section 3.
#include "cupel/base/error.h"
#include "cupel/data/split/shchur_sampling.h"
#include "cupel/data/split/split_kind.h"

namespace cupel {
namespace {

Split draw_per_class(const SplitSource& source, int member) {
  const Dataset& dataset = source.dataset;
  const int train = source.size("train"), valid = source.size("valid");
  const std::string needed =
      fmt::format("a per-class split with {} training and {} validation {}s of each class", train,
                  valid, unit_name(example_unit(dataset)));
  NumpyLegacy random(shchur_effective_seed(shchur_config_seed(source.seed(), member)));
  std::vector<char> taken = none_taken(dataset);
  Split split;
  split.train = sample_per_class(random, dataset, train, taken, needed);
  take(taken, split.train);
  split.valid = sample_per_class(random, dataset, valid, taken, needed);
  take(taken, split.valid);
  split.test = remaining(taken);
  return split;
}

}  // namespace

extern const SplitKind split_per_class;
const SplitKind split_per_class = {
    .name = "per-class",
    .doc =
        "`train` nodes of each class, then `valid` nodes of each class, the rest test "
        "(Shchur et al. 2018, seeds as in their code)",
    .settings = {size_setting("train", 20, "training nodes of each class"),
                 size_setting("valid", 30, "validation nodes of each class"), seed_setting()},
    .words =
        "{count} x per-class: {train} training and {valid} validation nodes of each class, "
        "the rest test; seed {seed}",
    .draw = draw_per_class,
    .by_class = true};

}  // namespace cupel
