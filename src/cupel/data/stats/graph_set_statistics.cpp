#include "cupel/data/stats/graph_set_statistics.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iterator>
#include <stdexcept>

#include "cupel/data/stats/correlation.h"
#include "cupel/data/stats/graph_set_properties.h"

namespace cupel {
namespace {

constexpr double kFar = 3;  // standard deviations

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

struct Moments {
  double mean = 0, sd = 0;
};

Moments moments(const std::vector<double>& values) {
  if (values.empty()) return {};
  double sum = 0, squares = 0;
  for (const double value : values) sum += value;
  const double mean = sum / static_cast<double>(values.size());
  for (const double value : values) squares += (value - mean) * (value - mean);
  return {mean, std::sqrt(squares / static_cast<double>(values.size()))};
}

// What is not known (NaN) is far from nothing, and takes no part in the moments.
void mark_far(const std::vector<double>& values, std::vector<char>& far) {
  std::vector<double> known;
  std::ranges::copy_if(values, std::back_inserter(known), [](double v) { return !std::isnan(v); });
  const auto [mean, sd] = moments(known);
  for (std::size_t g = 0; g < values.size(); ++g) {
    if (std::abs(values[g] - mean) > kFar * sd) far[g] = 1;
  }
}

// What graphs are labelled with: a list of numbers for each task, NaN where not known.
std::vector<std::vector<double>> label_lists(const Dataset& dataset) {
  if (!dataset.has_tasks()) {
    if (dataset.labels().empty()) return {};
    return {std::vector<double>(dataset.labels().begin(), dataset.labels().end())};
  }
  const Matrix& answers = dataset.task_answers();
  std::vector<std::vector<double>> lists(static_cast<std::size_t>(answers.cols));
  for (Index g = 0; g < answers.rows; ++g) {
    for (Index t = 0; t < answers.cols; ++t)
      lists[static_cast<std::size_t>(t)].push_back(answers(g, t));
  }
  return lists;
}

using Correlation = std::optional<double> (*)(std::span<const double>, std::span<const double>);

// Mean over tasks where it is defined.
std::optional<double> with_labels(Correlation correlation, const std::vector<double>& property,
                                  const std::vector<std::vector<double>>& labels,
                                  const std::vector<char>& far) {
  double sum = 0;
  int defined = 0;
  std::vector<double> x, y;
  for (const std::vector<double>& list : labels) {
    x.clear();
    y.clear();
    for (std::size_t g = 0; g < property.size(); ++g) {
      if (far[g] != 0 || std::isnan(list[g])) continue;
      x.push_back(property[g]);
      y.push_back(list[g]);
    }
    if (const auto found = correlation(x, y)) {
      sum += *found;
      ++defined;
    }
  }
  if (defined == 0) return {};
  return sum / defined;
}

std::vector<PropertyStatistics> statistics_of(const GraphProperties& properties,
                                              const std::vector<std::vector<double>>& labels,
                                              const std::vector<char>& far, Threads threads) {
  std::vector<PropertyStatistics> out(kFigureProperties);
  parallel_blocks(threads, std::ssize(out), 1, [&](std::int64_t at, std::int64_t) {
    const auto p = static_cast<std::size_t>(at);
    std::vector<double> kept;
    for (std::size_t g = 0; g < far.size(); ++g) {
      if (far[g] == 0) kept.push_back(properties.columns[p][g]);
    }
    const auto [mean, sd] = moments(kept);
    out[p] = {kGraphProperties[p], mean, sd,
              with_labels(pearson, properties.columns[p], labels, far),
              with_labels(spearman, properties.columns[p], labels, far)};
  });
  return out;
}

void describe(const Dataset& dataset, GraphSetStatistics& out) {
  const GraphSet& set = *dataset.graphs;
  const Csr& graphs = dataset.adjacency;
  out.graphs = set.size();
  out.classes = dataset.classes();
  if (out.graphs > 0) {
    out.average_nodes = static_cast<double>(graphs.rows) / out.graphs;
    out.average_edges = static_cast<double>(graphs.entries()) / 2 / out.graphs;
    out.fewest_nodes = set.start[1] - set.start[0];
  }
  for (Index g = 0; g < out.graphs; ++g) {
    const Index first = set.start[g], end = set.start[g + 1];
    out.fewest_nodes = std::min(out.fewest_nodes, end - first);
    out.most_nodes = std::max(out.most_nodes, end - first);
    out.without_edges += graphs.row_ptr[first] == graphs.row_ptr[end];
  }
  for (Index v = 0; v < graphs.rows; ++v) out.isolated_nodes += graphs.row_size(v) == 0;
  out.repeated_arcs = dataset.repeated_arcs;
  out.node_labels = feature_count(dataset.features);
  out.node_attributes = set.node_attributes.cols;
  out.edge_attributes = set.arc_attributes.cols;
  if (dataset.has_tasks()) {
    out.tasks = dataset.tasks();
    return;
  }
  out.class_sizes.assign(static_cast<std::size_t>(out.classes), 0);
  for (const Index label : dataset.labels()) ++out.class_sizes[static_cast<std::size_t>(label)];
}

}  // namespace

GraphSetStatistics graph_set_statistics(const Dataset& dataset, const GraphSetOptions& options) {
  if (!dataset.graphs) throw std::logic_error("graph_set_statistics: no set of graphs");
  GraphSetStatistics out;
  describe(dataset, out);
  const auto begin = std::chrono::steady_clock::now();
  const GraphProperties properties = graph_properties(dataset, options.threads);
  out.seconds_properties = seconds_since(begin);

  const auto middle = std::chrono::steady_clock::now();
  const std::vector<std::vector<double>> labels = label_lists(dataset);
  std::vector<char> far(static_cast<std::size_t>(out.graphs), 0);
  if (options.drop_outliers) {
    for (std::size_t p = 0; p < kFigureProperties; ++p) mark_far(properties.columns[p], far);
    if (out.tasks == 1 && !labels.empty()) mark_far(labels[0], far);
    out.dropped = static_cast<Index>(std::ranges::count(far, 1));
  }
  out.properties = statistics_of(properties, labels, far, options.threads);
  out.seconds_correlations = seconds_since(middle);
  return out;
}

std::vector<PropertyStatistics> property_statistics(const Dataset& dataset, Threads threads) {
  return graph_set_statistics(dataset, {threads}).properties;
}

}  // namespace cupel
