// How properties of graphs go with their labels, data set by data set (figure 4 of Li et al. 2024).
// Pure functions.
#pragma once

#include <string>
#include <vector>

#include "cupel/data/stats/graph_set_statistics.h"

namespace cupel::effectiveness {

struct DatasetCorrelations {
  std::string dataset;
  std::vector<PropertyStatistics> properties;  // the same ones in the same order for all
};

// A row for each data set, a field for each property, darker the larger |Spearman| is; a dash where
// it is not defined. As SVG and as Vega-Lite 5, which has Pearson's as well.
[[nodiscard]] std::string correlations_svg(const std::vector<DatasetCorrelations>& datasets);
[[nodiscard]] std::string correlations_vega(const std::vector<DatasetCorrelations>& datasets);

}  // namespace cupel::effectiveness
