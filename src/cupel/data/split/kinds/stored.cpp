// The splits that came with the data.
#include "cupel/base/error.h"
#include "cupel/data/split/split_kind.h"

namespace cupel {
namespace {

Split draw_stored(const SplitSource& source, int member) {
  const Dataset& dataset = source.dataset;
  if (dataset.stored_splits.empty()) {
    fail("{}: no split is stored with this data set; use split scheme \"{}\" or \"random\"",
         dataset.name, dataset.graphs ? "stratified-kfold" : "per-class");
  }
  if (static_cast<std::size_t>(member) >= dataset.stored_splits.size()) {
    fail("{}: stored split {} was asked for, but {} are stored (0 to {}); lower the split count",
         dataset.name, member, dataset.stored_splits.size(), dataset.stored_splits.size() - 1);
  }
  return dataset.stored_splits[static_cast<std::size_t>(member)];
}

std::optional<int> size(const Dataset& dataset, const Options&, const SplitFile*) {
  return static_cast<int>(dataset.stored_splits.size());
}

}  // namespace

extern const SplitKind split_stored;
const SplitKind split_stored = {.name = "stored",
                                .doc = "the splits that came with the data",
                                .words = "the first {count} stored with the data",
                                .all = "all that are stored with the data",
                                .draw = draw_stored,
                                .count = 0,
                                .shared = true,
                                .size = size};

}  // namespace cupel
