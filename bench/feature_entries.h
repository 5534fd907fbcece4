// Features as other programs read them.
#pragma once

#include <variant>
#include <vector>

#include "cupel/data/dataset.h"
#include "cupel/data/graph/pairs.h"

namespace cupel::bench {

// Node and feature of each entry that is not 0, and their values.
struct FeatureEntries {
  std::vector<Pair> places;
  std::vector<float> values;
};

inline FeatureEntries listed_features(const Features& features) {
  FeatureEntries out;
  const auto add = [&](Index node, Index feature, float value) {
    if (value == 0) return;
    out.places.push_back({node, feature});
    out.values.push_back(value);
  };
  if (const Csr* sparse = std::get_if<Csr>(&features)) {
    for (Index i = 0; i < sparse->rows; ++i)
      for (Offset at = sparse->row_ptr[i]; at < sparse->row_ptr[i + 1]; ++at)
        add(i, sparse->columns[static_cast<std::size_t>(at)], sparse->value(at));
    return out;
  }
  const Matrix& dense = std::get<Matrix>(features);
  for (Index i = 0; i < dense.rows; ++i)
    for (Index f = 0; f < dense.cols; ++f) add(i, f, dense(i, f));
  return out;
}

}  // namespace cupel::bench
