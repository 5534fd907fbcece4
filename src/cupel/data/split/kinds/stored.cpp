// The splits that came with the data.
#include "cupel/base/error.h"
#include "cupel/data/split/split_kind.h"

namespace cupel {
namespace {

std::string settings(const SplitScheme&) { return ""; }

Split draw(const Dataset& dataset, const SplitScheme&, int member) {
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

}  // namespace

extern const SplitKind split_stored;
const SplitKind split_stored = {"stored", "the splits that came with the data", settings, draw};

}  // namespace cupel
