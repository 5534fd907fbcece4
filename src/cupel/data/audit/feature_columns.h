// Features column by column.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "cupel/data/dataset.h"

namespace cupel {

// The non-zero entries of one feature, nodes ascending. An entry stored as zero is none.
struct FeatureColumn {
  Index feature = 0;
  std::span<const Index> nodes;
  std::span<const float> values;
};

// Calls visit for every feature, possibly many at a time from several threads; which one sees which
// feature is not defined. Spans live as long as the call. Memory: for sparse features a transposed
// copy, for dense ones a few columns per thread.
void visit_columns(const Features& features,
                   const std::function<void(const FeatureColumn&)>& visit);

// Columns, ascending, with the same value for every node, and how many of them are always zero.
struct ConstantColumns {
  std::vector<Index> columns;
  Offset zeros = 0;
};
[[nodiscard]] ConstantColumns constant_columns(const Features& features, Index nodes);

// Whether each node's only feature is a column of its own, with the value 1, as where a graph came
// without features: the unit matrix with its columns in any order, sparse or dense.
[[nodiscard]] bool is_identity(const Features& features);

}  // namespace cupel
