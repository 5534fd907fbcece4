#include "cupel/data/stats/statistics.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <ctime>

#include "cupel/data/graph/graph.h"
#include "cupel/data/labels.h"
#include "cupel/data/stats/components.h"
#include "cupel/data/stats/distances.h"
#include "cupel/data/stats/label_statistics.h"
#include "cupel/data/stats/simple_graph.h"
#include "cupel/data/stats/triangles.h"

namespace cupel {
namespace {

class Watch {
 public:
  explicit Watch(std::vector<Statistics::PartTime>& parts) : parts_(parts) {}
  void lap(const char* part) {
    const auto wall = Clock::now();
    const std::clock_t processor = std::clock();
    parts_.push_back({part, std::chrono::duration<double>(wall - wall_).count(),
                      static_cast<double>(processor - processor_) / CLOCKS_PER_SEC});
    wall_ = wall;
    processor_ = processor;
  }

 private:
  using Clock = std::chrono::steady_clock;
  std::vector<Statistics::PartTime>& parts_;
  Clock::time_point wall_ = Clock::now();
  std::clock_t processor_ = std::clock();
};

// Linear interpolation between order statistics, from how many nodes have each degree.
class Quantiles {
 public:
  Quantiles(std::span<const Index> nodes_of_degree, Index nodes)
      : nodes_of_degree_(nodes_of_degree), nodes_(nodes) {}

  double at(double part) const {
    if (nodes_ == 0) return 0;
    const double place = part * (nodes_ - 1);
    const auto below = static_cast<Index>(place);
    const Index low = degree(below), high = degree(std::min(below + 1, nodes_ - 1));
    return low + (place - below) * (high - low);
  }

 private:
  // Of the node at `rank` in ascending order.
  Index degree(Index rank) const {
    std::size_t d = 0;
    while (rank >= nodes_of_degree_[d]) rank -= nodes_of_degree_[d++];
    return static_cast<Index>(d);
  }

  std::span<const Index> nodes_of_degree_;
  Index nodes_;
};

DegreeStatistics degree_statistics(const SimpleGraph& graph) {
  DegreeStatistics out;
  if (graph.nodes() == 0) return out;
  out.min = graph.degree(0);
  for (Index v = 0; v < graph.nodes(); ++v) {
    out.min = std::min(out.min, graph.degree(v));
    out.max = std::max(out.max, graph.degree(v));
  }
  std::vector<Index> nodes_of_degree(static_cast<std::size_t>(out.max) + 1);
  for (Index v = 0; v < graph.nodes(); ++v) ++nodes_of_degree[graph.degree(v)];
  const Quantiles quantiles(nodes_of_degree, graph.nodes());
  out.mean = static_cast<double>(graph.entries()) / graph.nodes();
  out.median = quantiles.at(0.5);
  out.p5 = quantiles.at(0.05);
  out.p25 = quantiles.at(0.25);
  out.p75 = quantiles.at(0.75);
  out.p95 = quantiles.at(0.95);
  out.p99 = quantiles.at(0.99);
  return out;
}

std::optional<double> feature_density(const Features& features, Index nodes, Threads threads) {
  const Index columns = feature_count(features);
  if (nodes == 0 || columns == 0) return std::nullopt;
  std::int64_t used = 0;
  const auto count = [&](const auto& values) {
    parallel_blocks(threads, std::ssize(values), 1 << 20, [&](auto begin, auto end) {
      const std::int64_t own = std::count_if(values.begin() + begin, values.begin() + end,
                                             [](float v) { return v != 0; });
      std::atomic_ref(used).fetch_add(own, std::memory_order_relaxed);
    });
  };
  if (const auto* dense = std::get_if<Matrix>(&features)) {
    count(dense->values);
  } else if (const auto& sparse = std::get<Csr>(features); sparse.is_pattern()) {
    used = sparse.entries();
  } else {
    count(sparse.values);
  }
  return static_cast<double>(used) / (static_cast<double>(nodes) * columns);
}

// Where some nodes have no label.
std::optional<LabelStatistics> of_labelled(const Dataset& dataset, Threads threads) {
  const std::vector<Index> nodes = labelled_examples(dataset);
  std::vector<Index> labels;
  for (const Index i : nodes) labels.push_back(dataset.labels()[static_cast<std::size_t>(i)]);
  const SimpleGraph graph(induced_subgraph(dataset.adjacency, nodes), threads);
  auto out = label_statistics(graph, labels, dataset.classes(), threads);
  if (out) out->unlabelled = dataset.nodes() - static_cast<Index>(nodes.size());
  return out;
}

}  // namespace

Statistics statistics(const Dataset& dataset, const StatisticsOptions& options) {
  Statistics out;
  Watch watch(out.seconds);
  const SimpleGraph graph(dataset.adjacency, options.threads);
  out.nodes = graph.nodes();
  out.edges = graph.edges();
  out.features = feature_count(dataset.features);
  out.arcs = dataset.adjacency.entries();
  out.self_loops = graph.self_loops();
  out.reciprocal = graph.reciprocal();
  out.degree = degree_statistics(graph);
  if (out.nodes > 0)
    out.mean_degree_with_loops =
        2 * static_cast<double>(graph.edges() + graph.looped_nodes()) / out.nodes;
  out.isolated_nodes = graph.nodes() - graph.connected_nodes();
  watch.lap("graph");

  out.feature_density = feature_density(dataset.features, out.nodes, options.threads);
  out.labels = count_unlabelled(dataset) > 0
                   ? of_labelled(dataset, options.threads)
                   : label_statistics(graph, dataset.labels(), dataset.classes(), options.threads);
  if (out.labels)
    out.classes = static_cast<Index>(
        std::ranges::count_if(out.labels->class_sizes, [](Index n) { return n > 0; }));
  watch.lap("labels");

  const ComponentSizes components = component_sizes(graph, options.threads);
  out.components = components.count;
  out.largest_component = components.largest;
  watch.lap("components");

  const Clustering triangles = clustering(graph, options.threads);
  out.triangles = triangles.triangles;
  out.global_clustering = triangles.global;
  out.local_clustering = triangles.average_local;
  watch.lap("triangles");

  const Distances far = distances(graph, components, options, [&] { watch.lap("diameter"); });
  out.diameter = far.diameter;
  out.average_path = far.average_path;
  out.average_path_reachable = far.average_path_reachable;
  out.reachable_pairs = far.reachable_pairs;
  watch.lap("paths");
  return out;
}

std::optional<LabelStatistics> label_statistics(const Dataset& dataset, Threads threads) {
  if (count_unlabelled(dataset) > 0) return of_labelled(dataset, threads);
  return label_statistics(SimpleGraph(dataset.adjacency, threads), dataset.labels(),
                          dataset.classes(), threads);
}

}  // namespace cupel
