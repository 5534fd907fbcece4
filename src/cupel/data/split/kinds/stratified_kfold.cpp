// k-fold assessment with a hold-out of each fold's training part, the protocol of Errica et al., "A
// fair comparison of graph neural networks for graph classification" (ICLR 2020).
#include "cupel/data/split/stratified_kfold.h"

#include "cupel/base/error.h"
#include "cupel/data/labels.h"
#include "cupel/data/split/split_kind.h"

namespace cupel {
namespace {

SplitSetting folds_setting() {
  SplitSetting out = size_setting("folds", 10, "parts, each of which is tested in turn");
  out.option.min = 2;
  return out;
}

Split draw_stratified_kfold(const SplitSource& source, int member) {
  const Dataset& dataset = source.dataset;
  const int folds = source.size("folds"), valid = source.size("valid");
  const Index examples = dataset.examples() - count_unlabelled(dataset);
  if (examples < 2) {
    fail("{}: {} labelled {}{} cannot be split into folds, which takes two or more", dataset.name,
         examples, unit_name(example_unit(dataset)), examples == 1 ? "" : "s");
  }
  if (folds < 2 || folds > examples) {
    fail("{}: {} folds of {} {}s are not possible; use 2 to {}", dataset.name, folds, examples,
         unit_name(example_unit(dataset)), examples);
  }
  if (valid >= 100) {
    fail("{}: {} percent for validation leave nothing to train on; use less than 100", dataset.name,
         valid);
  }
  const StreamKey key =
      stream_key(fmt::format("split/stratified-kfold/{}/{}", folds, source.seed()));
  return stratified_kfold_split(dataset.labels(), dataset.classes(), folds, valid, key,
                                static_cast<std::uint32_t>(member / folds), member % folds);
}

}  // namespace

extern const SplitKind split_stratified_kfold;
const SplitKind split_stratified_kfold = {
    .name = "stratified-kfold",
    .doc =
        "each of `folds` parts with its share of every class is tested in turn; `valid` percent "
        "of the others for validation; further members draw the parts again",
    .settings = {folds_setting(), percent_setting("valid", 10, "of the other parts"),
                 seed_setting()},
    .words =
        "{count} of {folds} folds by class, {valid} % of the others for validation; seed "
        "{seed}",
    .draw = draw_stratified_kfold,
    .by_class = true,
    .folds = "folds"};

}  // namespace cupel
