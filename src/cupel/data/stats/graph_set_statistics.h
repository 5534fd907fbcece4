// Statistics of a set of graphs, and how the properties of its graphs go with their labels.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cupel/base/parallel.h"
#include "cupel/data/dataset.h"

namespace cupel {

struct GraphSetOptions {
  Threads threads;
  // Leave graphs out of `properties` that are far off in any property or, of one task, in the
  // label: more than 3 population standard deviations from the mean over all graphs, of labels over
  // those that are known. The code of Li et al. 2024 does so before it correlates; a rare class is
  // then left out as a whole.
  bool drop_outliers = false;
};

// Of one property over graphs; see graph_set_properties.h.
struct PropertyStatistics {
  std::string name;
  double mean = 0, sd = 0;  // population deviation
  // With the label, a number from 0 in the order of the classes, of however many classes. Where a
  // graph has several tasks: the mean over tasks (where defined) of the correlation over the graphs
  // whose label is known. None where either is constant, or without labels.
  std::optional<double> pearson, spearman;
};

struct GraphSetStatistics {
  Index graphs = 0, classes = 0;
  double average_nodes = 0, average_edges = 0;  // undirected, without repeats; 0 without graphs
  std::vector<PropertyStatistics> properties;   // the eight of their figure 4

  Index tasks = 1;                 // labels of a graph
  Index dropped = 0;               // graphs left out of `properties`
  std::vector<Index> class_sizes;  // graphs per class; of several tasks none
  Index node_labels = 0, node_attributes = 0, edge_attributes = 0;  // columns
  Index fewest_nodes = 0, most_nodes = 0;
  Index without_edges = 0;  // graphs
  Offset repeated_arcs = 0, isolated_nodes = 0;

  // How long each part took, in seconds of wall time. Not part of the result.
  double seconds_properties = 0, seconds_correlations = 0;
};

// A data set that is no set of graphs is the caller's bug. The same on any number of threads.
[[nodiscard]] GraphSetStatistics graph_set_statistics(const Dataset& dataset,
                                                      const GraphSetOptions& options);

// Correlations of each property with the labels over all graphs, in the order of kGraphProperties'
// first eight; mean and sd as well.
[[nodiscard]] std::vector<PropertyStatistics> property_statistics(const Dataset& dataset,
                                                                  Threads threads);

}  // namespace cupel
