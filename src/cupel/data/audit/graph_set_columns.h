// One number per graph: what a rule that has seen no graph model could go by.
#pragma once

#include <string>
#include <vector>

#include "cupel/data/dataset.h"

namespace cupel {

struct GraphColumn {
  std::string name;            // "nodes", "edges", "nodes of label 3", ...
  std::vector<double> values;  // graphs
};

// Nodes, edges, mean degree and components; then the nodes of each node label and the mean of each
// node attribute (0 without nodes), of at most kMostColumns each.
inline constexpr Index kMostColumns = 256;
[[nodiscard]] std::vector<GraphColumn> graph_columns(const Dataset& dataset);

// How well one number tells the classes, without a model:
//   accuracy  of a decision tree that asks for this number only, with at most as many leaves as
//             there are classes, grown best first by Gini's impurity: one threshold for two
//             classes. Tested by ten-fold cross-validation: example k is in fold k mod 10 of its
//             class. Equal numbers never part.
//   area      under the ROC curve, the number as score, of the class it orders best against the
//             rest (Mann-Whitney's U over the product of sizes, ties half), not below 1/2.
struct OneNumber {
  double accuracy = 0, area = 0.5;
  Index area_class = 0;
  double area_z = 0;               // standard errors of U from 1/2 if there is no relation
  std::vector<double> thresholds;  // ascending, of the tree of all graphs
};
[[nodiscard]] OneNumber judge_one_number(const std::vector<double>& values,
                                         const std::vector<Index>& labels, Index classes);

}  // namespace cupel
