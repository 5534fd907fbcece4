#include "cupel/data/labels.h"

#include <algorithm>
#include <numeric>

namespace cupel {
std::vector<Index> labelled_examples(const Dataset& dataset) {
  std::vector<Index> out(dataset.has_tasks() ? static_cast<std::size_t>(dataset.examples())
                                             : dataset.labels().size());
  std::iota(out.begin(), out.end(), 0);
  std::erase_if(out, [&](Index i) { return !is_labelled(dataset, i); });
  return out;
}

Index count_unlabelled(const Dataset& dataset) {
  return dataset.has_tasks() ? 0
                             : static_cast<Index>(std::ranges::count(dataset.labels(), kNoLabel));
}

}  // namespace cupel
