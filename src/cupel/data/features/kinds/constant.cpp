// The same number for every node. 0.1 as in Li et al. 2024 ("allone" of their code).
#include <algorithm>

#include "cupel/data/features/features.h"

namespace cupel {
namespace {

Features make(const FeatureSource& source, const Options& settings) {
  Matrix out(source.adjacency.rows, 1);
  std::ranges::fill(out.values, static_cast<float>(settings.real("value")));
  return out;
}

}  // namespace

extern const FeatureKind feature_constant;
const FeatureKind feature_constant = {"constant",
                                      "one number for all nodes",
                                      false,
                                      {{"value", 0.1, "the number", -1e30, 1e30, {}}},
                                      make};

}  // namespace cupel
