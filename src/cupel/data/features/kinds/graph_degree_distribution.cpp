// The degrees of a graph in falling order, brought to one length and standardised ("degree_dist"
// of Li et al. 2024): of up to `width` nodes all, followed by the smallest, else those at width
// places spread evenly; then minus their mean and by their population deviation (unless it is 0).
// Zeros for a graph without nodes.
#include <algorithm>
#include <cmath>
#include <functional>

#include "cupel/data/features/parts.h"

namespace cupel {
namespace {

Features make(const FeatureSource& source, const Options& settings) {
  const std::vector<Index> start = graph_starts(source);
  const Index graphs = static_cast<Index>(start.size()) - 1;
  check_dense(graphs, settings.integer("width"), "feature 'degree-distribution'",
              "lower its 'width'");
  Matrix out(graphs, static_cast<Index>(settings.integer("width")));
  const auto width = static_cast<std::size_t>(out.cols);
  std::vector<double> degrees, row(width);
  for (Index g = 0; g < out.rows; ++g) {
    degrees.clear();
    for (Index i = start[g]; i < start[g + 1]; ++i)
      degrees.push_back(static_cast<double>(source.adjacency.row_size(i)));
    if (degrees.empty()) continue;
    std::ranges::sort(degrees, std::greater<>());
    // As NumPy's linspace(0, n - 1, width), cut to whole numbers.
    const double step = static_cast<double>(degrees.size() - 1) / static_cast<double>(width - 1);
    for (std::size_t j = 0; j < width; ++j) {
      if (degrees.size() <= width) {
        row[j] = degrees[std::min(j, degrees.size() - 1)];
      } else {
        row[j] = degrees[j + 1 == width ? degrees.size() - 1
                                        : static_cast<std::size_t>(static_cast<double>(j) * step)];
      }
    }
    double sum = 0, squares = 0;
    for (const double d : row) sum += d;
    const double mean = sum / static_cast<double>(width);
    for (const double d : row) squares += (d - mean) * (d - mean);
    const double deviation =
        row.front() == row.back() ? 1 : std::sqrt(squares / static_cast<double>(width));
    for (Index j = 0; j < out.cols; ++j)
      out(g, j) = static_cast<float>((row[static_cast<std::size_t>(j)] - mean) / deviation);
  }
  return out;
}

}  // namespace

extern const FeatureKind feature_graph_degree_distribution;
const FeatureKind feature_graph_degree_distribution = {
    "degree-distribution",
    "degrees in falling order, at one length, standardised within the graph",
    true,
    {{"width", std::int64_t{128}, "columns", 2, 100'000, {}}},
    make};

}  // namespace cupel
