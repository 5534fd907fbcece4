// k-fold assessment with a hold-out of each fold's training part, the protocol of Errica et al., "A
// fair comparison of graph neural networks for graph classification" (ICLR 2020).
#include "cupel/data/split/stratified_kfold.h"

#include "cupel/base/error.h"
#include "cupel/data/labels.h"
#include "cupel/data/split/split_kind.h"

namespace cupel {
namespace {

std::string settings(const SplitScheme& scheme) {
  return fmt::format("folds={} valid={}% seed={}", scheme.folds, scheme.valid, scheme.seed);
}

Split draw(const Dataset& dataset, const SplitScheme& scheme, int member) {
  const Index examples = dataset.examples() - count_unlabelled(dataset);
  if (scheme.folds < 2 || scheme.folds > examples) {
    fail("{}: {} folds of {} {} are not possible; use 2 to {}", dataset.name, scheme.folds,
         examples, dataset.graphs ? "graphs" : "nodes", examples);
  }
  if (scheme.valid >= 100) {
    fail("{}: {} percent for validation leave nothing to train on; use less than 100", dataset.name,
         scheme.valid);
  }
  const StreamKey key =
      stream_key(fmt::format("split/stratified-kfold/{}/{}", scheme.folds, scheme.seed));
  return stratified_kfold_split(dataset.labels, dataset.classes(), scheme.folds, scheme.valid, key,
                                static_cast<std::uint32_t>(member / scheme.folds),
                                member % scheme.folds);
}

}  // namespace

extern const SplitKind split_stratified_kfold;
const SplitKind split_stratified_kfold = {
    "stratified-kfold",
    "each of `folds` parts with its share of every class is tested in turn; `valid` percent of the "
    "others for validation; further members draw the parts again",
    settings, draw, true};

}  // namespace cupel
