#include "cupel/judge/picture/mapper.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>
#include <utility>

#include "cupel/base/error.h"
#include "cupel/data/graph/graph.h"

namespace cupel {
namespace {

void check(const Csr& graph, const std::vector<LensPoint>& lens, const MapperSettings& settings) {
  if (std::ssize(lens) != graph.rows) throw std::logic_error("[mapper] a lens point per node");
  if (settings.intervals < 1 || settings.intervals > kMostIntervals || !(settings.overlap >= 0) ||
      settings.overlap > 1)
    throw std::logic_error("[mapper] cover out of range");
  for (const LensPoint& point : lens)
    for (const double value : point)
      if (!(value >= 0 && value <= 1)) throw std::logic_error("[mapper] lens not in [0, 1]");
}

// Neighbours in either direction, once each, and never the node itself.
Csr undirected_simple(const Csr& graph) {
  std::vector<Edge> edges;
  edges.reserve(2 * graph.columns.size());
  for (Index v = 0; v < graph.rows; ++v) {
    for (Offset at = graph.row_ptr[v]; at < graph.row_ptr[v + 1]; ++at) {
      const Index w = graph.columns[at];
      if (w == v || graph.value(at) == 0) continue;
      edges.push_back({v, w});
      edges.push_back({w, v});
    }
  }
  return from_edges(graph.rows, edges);
}

// The intervals of one axis.
class Cover {
 public:
  explicit Cover(const MapperSettings& settings)
      : intervals_(settings.intervals), grow_(settings.overlap / (settings.intervals + 1)) {}

  // First and last interval that hold a value: those between them do so too.
  std::pair<int, int> of(double value) const {
    const int near = static_cast<int>(value * intervals_);
    int first = std::min(near + 3, intervals_ - 1), last = std::max(near - 3, 0);
    for (int i = std::max(near - 3, 0); i <= std::min(near + 3, intervals_ - 1); ++i) {
      if (!holds(i, value)) continue;
      first = std::min(first, i);
      last = std::max(last, i);
    }
    return {first, last};
  }

 private:
  double bound(int i) const { return static_cast<double>(i) / intervals_; }
  bool holds(int i, double value) const {
    return bound(i) - grow_ <= value && value <= bound(i + 1) + grow_;
  }

  int intervals_;
  double grow_;
};

using Cells = std::map<std::pair<int, int>, std::vector<Index>>;

// Nodes of each cell that has some, ascending.
Cells cells_of(const std::vector<LensPoint>& lens, const MapperSettings& settings) {
  const Cover cover(settings);
  Cells cells;
  for (std::size_t v = 0; v < lens.size(); ++v) {
    const auto [left, right] = cover.of(lens[v][0]);
    const auto [low, high] = cover.of(lens[v][1]);
    for (int column = left; column <= right; ++column)
      for (int row = low; row <= high; ++row) cells[{column, row}].push_back(static_cast<Index>(v));
  }
  return cells;
}

LensPoint mean_of(const std::vector<Index>& nodes, const std::vector<LensPoint>& lens) {
  LensPoint sum{};
  for (const Index v : nodes)
    for (std::size_t axis = 0; axis < 2; ++axis)
      sum[axis] += lens[static_cast<std::size_t>(v)][axis];
  for (double& value : sum) value /= static_cast<double>(nodes.size());
  return sum;
}

std::vector<Cluster> clusters_of(const Csr& simple, const std::vector<LensPoint>& lens,
                                 const MapperSettings& settings) {
  std::vector<Cluster> out;
  // The cell that a node was last put in, and the last one it was reached in.
  std::vector<int> inside(lens.size(), -1), reached(lens.size(), -1);
  int number = 0;
  for (const auto& [place, nodes] : cells_of(lens, settings)) {
    for (const Index v : nodes) inside[static_cast<std::size_t>(v)] = number;
    const LensPoint cell_mean = mean_of(nodes, lens);
    for (const Index start : nodes) {
      if (reached[static_cast<std::size_t>(start)] == number) continue;
      Cluster cluster{place.first, place.second, {start}, cell_mean};
      reached[static_cast<std::size_t>(start)] = number;
      for (std::size_t next = 0; next < cluster.nodes.size(); ++next) {
        for (const Index w : simple.row_columns(cluster.nodes[next])) {
          const auto at = static_cast<std::size_t>(w);
          if (inside[at] != number || reached[at] == number) continue;
          reached[at] = number;
          cluster.nodes.push_back(w);
        }
      }
      std::ranges::sort(cluster.nodes);
      cluster.mean = mean_of(cluster.nodes, lens);
      out.push_back(std::move(cluster));
    }
    ++number;
  }
  return out;
}

// The clusters of each node, ascending.
std::vector<std::vector<Index>> memberships(const std::vector<Cluster>& clusters, Index nodes) {
  std::vector<std::vector<Index>> out(static_cast<std::size_t>(nodes));
  for (std::size_t c = 0; c < clusters.size(); ++c)
    for (const Index v : clusters[c].nodes)
      out[static_cast<std::size_t>(v)].push_back(static_cast<Index>(c));
  return out;
}

// Every pair of clusters with something in common, by (source, target).
std::vector<ClusterEdge> common(const Csr& simple, const std::vector<Cluster>& clusters,
                                MapperEdges kind) {
  const auto of_node = memberships(clusters, simple.rows);
  std::vector<ClusterEdge> out;
  std::vector<Offset> count(clusters.size(), 0);
  std::vector<Index> touched;
  for (std::size_t c = 0; c < clusters.size(); ++c) {
    const auto source = static_cast<Index>(c);
    const auto meet = [&](Index v) {
      for (const Index target : of_node[static_cast<std::size_t>(v)]) {
        if (target <= source) continue;
        if (count[static_cast<std::size_t>(target)]++ == 0) touched.push_back(target);
      }
    };
    for (const Index v : clusters[c].nodes) {
      if (kind == MapperEdges::kSharedNodes) {
        meet(v);
      } else {
        for (const Index w : simple.row_columns(v)) meet(w);
      }
    }
    std::ranges::sort(touched);
    for (const Index target : touched)
      out.push_back({source, target, std::exchange(count[static_cast<std::size_t>(target)], 0)});
    touched.clear();
  }
  return out;
}

void weigh(MapperGraph& out, const MapperSettings& settings) {
  for (const ClusterEdge& edge : out.edges)
    out.largest_count = std::max(out.largest_count, edge.count);
  for (ClusterEdge& edge : out.edges)
    edge.weight = static_cast<double>(edge.count) / (static_cast<double>(out.largest_count) + 1e-8);
  if (settings.edges == MapperEdges::kSharedNodes) return;
  out.pairs_left_out = static_cast<Offset>(std::erase_if(
      out.edges, [&](const ClusterEdge& edge) { return !(edge.weight >= settings.epsilon); }));
}

void leave_out_small(MapperGraph& out, Index smallest) {
  std::vector<Edge> pairs;
  for (const ClusterEdge& edge : out.edges) pairs.push_back({edge.source, edge.target});
  const Components found =
      connected_components(from_edges(static_cast<Index>(out.clusters.size()), pairs));
  std::vector<Offset> nodes(found.sizes.size(), 0);
  for (std::size_t c = 0; c < out.clusters.size(); ++c) {
    out.clusters[c].component = found.of_node[c];
    nodes[static_cast<std::size_t>(found.of_node[c])] += std::ssize(out.clusters[c].nodes);
  }
  for (Cluster& cluster : out.clusters)
    cluster.drawn = nodes[static_cast<std::size_t>(cluster.component)] >= smallest;
}

}  // namespace

std::vector<LensPoint> normalised_lens(const Matrix& lens) {
  if (lens.cols != 2) throw std::logic_error("[mapper] a lens has two columns");
  std::vector<LensPoint> out(static_cast<std::size_t>(lens.rows));
  for (Index axis = 0; axis < 2; ++axis) {
    double low = INFINITY, high = -INFINITY;
    for (Index v = 0; v < lens.rows; ++v) {
      const double value = lens(v, axis);
      if (!std::isfinite(value))
        fail("lens: node {} has {} in column {}, which is no place in a picture", v, value, axis);
      low = std::min(low, value);
      high = std::max(high, value);
    }
    for (Index v = 0; v < lens.rows; ++v)
      out[static_cast<std::size_t>(v)][static_cast<std::size_t>(axis)] =
          (lens(v, axis) - low) / (high - low + 1e-6);
  }
  return out;
}

MapperGraph mapper_graph(const Csr& graph, const std::vector<LensPoint>& lens,
                         const MapperSettings& settings) {
  check(graph, lens, settings);
  const Csr simple = undirected_simple(graph);
  MapperGraph out;
  out.clusters = clusters_of(simple, lens, settings);
  out.edges = common(simple, out.clusters, settings.edges);
  weigh(out, settings);
  leave_out_small(out, settings.smallest);
  return out;
}

}  // namespace cupel
