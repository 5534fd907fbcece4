// Charts of lines and points, one below the other, as SVG (self-contained, for light and dark
// pages) and as Vega-Lite 5. Pure functions.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace cupel::effectiveness {

// Points in the order in which a line joins them.
struct Series {
  std::string name;
  std::vector<std::pair<double, double>> points;  // at least one, finite
};

struct Chart {
  std::string title, x, y;
  std::vector<Series> series;  // at least one
  bool joined = true;          // lines; else points
};

[[nodiscard]] std::string charts_svg(const std::string& title, const std::vector<Chart>& charts);
[[nodiscard]] std::string charts_vega(const std::string& description,
                                      const std::vector<Chart>& charts);

}  // namespace cupel::effectiveness
