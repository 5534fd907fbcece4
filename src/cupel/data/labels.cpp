#include "cupel/data/labels.h"

#include <algorithm>

namespace cupel {

std::vector<Index> labelled_examples(const Dataset& dataset) {
  std::vector<Index> out;
  out.reserve(dataset.labels.size());
  for (std::size_t i = 0; i < dataset.labels.size(); ++i) {
    if (dataset.labels[i] != kNoLabel) out.push_back(static_cast<Index>(i));
  }
  return out;
}

Index count_unlabelled(const Dataset& dataset) {
  return static_cast<Index>(std::ranges::count(dataset.labels, kNoLabel));
}

}  // namespace cupel
