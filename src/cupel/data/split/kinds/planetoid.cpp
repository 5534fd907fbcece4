// Equal training classes, then validation and test of a fixed size drawn from all other nodes:
// fresh splits of the shape of Yang et al., "Revisiting semi-supervised learning with graph
// embeddings" (ICML 2016), drawn as "planetoid_random" in the code of Shchur et al. 2018.
#include "cupel/base/error.h"
#include "cupel/data/labels.h"
#include "cupel/data/split/shchur_sampling.h"
#include "cupel/data/split/split_kind.h"

namespace cupel {
namespace {

SplitSetting test_setting() {
  SplitSetting out = size_setting("test", 1, "test nodes in all");
  out.needed = "the number of test nodes";
  return out;
}

Split draw_planetoid(const SplitSource& source, int member) {
  const Dataset& dataset = source.dataset;
  const int train = source.size("train"), valid = source.size("valid"), test = source.size("test");
  const auto wanted = std::int64_t{train} * dataset.classes() + valid + test;
  const char* const what = unit_name(example_unit(dataset));
  const Index labelled = dataset.examples() - count_unlabelled(dataset);
  if (wanted > labelled) {
    fail(
        "{}: a planetoid split of {} x {} training, {} validation and {} test {}s needs {} {}s, "
        "but there are {}{}; ask for fewer",
        dataset.name, train, dataset.classes(), valid, test, what, wanted, what, labelled,
        labelled < dataset.examples() ? " with a label" : "");
  }
  const std::string needed =
      fmt::format("a planetoid split with {} training {}s of each class", train, what);
  NumpyLegacy random(shchur_effective_seed(shchur_config_seed(source.seed(), member)));
  std::vector<char> taken = none_taken(dataset);
  Split split;
  split.train = sample_per_class(random, dataset, train, taken, needed);
  take(taken, split.train);
  split.valid = random.choice(remaining(taken), valid);
  take(taken, split.valid);
  split.test = random.choice(remaining(taken), test);
  return split;
}

}  // namespace

extern const SplitKind split_planetoid;
const SplitKind split_planetoid = {
    .name = "planetoid",
    .doc =
        "`train` nodes of each class, then `valid` and `test` nodes in total, drawn from the "
        "rest",
    .settings = {size_setting("train", 20, "training nodes of each class"),
                 size_setting("valid", 30, "validation nodes in all"), test_setting(),
                 seed_setting()},
    .words =
        "{count} x planetoid: {train} training nodes of each class, {valid} validation and "
        "{test} test nodes in all; seed {seed}",
    .draw = draw_planetoid,
    .by_class = true};

}  // namespace cupel
