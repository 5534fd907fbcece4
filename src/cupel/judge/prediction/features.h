// What the effectiveness of a data set is predicted from: 26 numbers of a part of its graphs (Li et
// al. 2024, section 4.3, in the order of their released code).
#pragma once

#include <array>
#include <span>
#include <string>

#include "cupel/data/stats/graph_set_properties.h"

namespace cupel {

inline constexpr std::size_t kPredictionFeatures = 26;
using PredictionFeatures = std::array<double, kPredictionFeatures>;

// "degree mean", "degree sd", "degree correlation", ... One for each feature, in their order: mean,
// standard deviation (over n) and Pearson's correlation with the label of degree, clustering,
// degree / nodes and nodes; mean and standard deviation of the label; then the three of the
// numbers of cycles of length 4, 5, 6 and 7.
[[nodiscard]] std::array<std::string, kPredictionFeatures> prediction_feature_names();

// Of these graphs of a set, whose properties are `properties`. Labels are the numbers of classes.
// A correlation that is not defined is 0, as in the code, whose single precision is not followed.
// Of several binary tasks, the features are the means of those of each task over the graphs whose
// label is known; a task without one counts nothing. Throws Error naming the data set where no
// graph has a label.
[[nodiscard]] PredictionFeatures prediction_features(const Dataset& dataset,
                                                     const GraphProperties& properties,
                                                     std::span<const Index> graphs);

}  // namespace cupel
