// Splits from a JSON file of the user, or one published beside a paper.
#include "cupel/base/error.h"
#include "cupel/data/formats/split_json.h"
#include "cupel/data/split/split_kind.h"

namespace cupel {
namespace {

// By content: a file that is moved is the same family, an edited one is another.
std::string settings(const SplitScheme& scheme) {
  if (!scheme.members) return "file=" + scheme.file;
  return "splits=" + scheme.members->content;
}

Split draw(const Dataset& dataset, const SplitScheme& scheme, int member) {
  const SplitScheme resolved = resolved_scheme(scheme, dataset);
  const std::vector<Split>& splits = resolved.members->splits;
  if (static_cast<std::size_t>(member) >= splits.size()) {
    fail("{}: split {} was asked for, but it holds {} (0 to {}); lower the split count",
         resolved.members->path, member, splits.size(), splits.size() - 1);
  }
  return splits[static_cast<std::size_t>(member)];
}

}  // namespace

extern const SplitKind split_file;
const SplitKind split_file = {
    "file", "those of the JSON file `file`, in which {dataset} stands for the data set's name",
    settings, draw};

}  // namespace cupel
