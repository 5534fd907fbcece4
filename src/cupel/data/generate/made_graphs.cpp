#include "cupel/data/generate/made_graphs.h"

#include <cmath>
#include <limits>
#include <utility>

#include "cupel/base/error.h"

namespace cupel {
namespace {

constexpr std::size_t kMostArcs = 2'000'000'000;  // 16 GB while they are collected

}  // namespace

Index MadeGraphs::add_nodes(Index count) {
  const Index first = nodes();
  if (count > std::numeric_limits<Index>::max() - start_.back()) {
    fail("{}: all graphs together have more than 2^31 nodes; take fewer or smaller graphs", where_);
  }
  start_.back() += count;
  return first;
}

void MadeGraphs::add_edge(Index a, Index b) {
  if (edges_.size() >= kMostArcs) {
    fail("{}: all graphs together have more than {} edges; take fewer, smaller or sparser graphs",
         where_, kMostArcs / 2);
  }
  const Index base = start_[start_.size() - 2];
  edges_.push_back({base + a, base + b});
  edges_.push_back({base + b, base + a});
  arcs_of_.resize(start_.size() - 1);
  arcs_of_.back() += 2;
}

// Batagelj and Brandes, "Efficient generation of large random networks", Phys. Rev. E 71 (2005):
// the number of pairs passed over until the next edge is geometric.
void MadeGraphs::add_random_edges(Index first, Index count, double p, Stream& stream) {
  if (!(p > 0)) return;
  const double log_miss = p < 1 ? std::log1p(-p) : 0;
  double w = -1;
  for (Index v = 1; v < count;) {
    const double passed = p < 1 ? std::floor(std::log1p(-stream.next_unit()) / log_miss) : 0;
    w += 1 + passed;
    while (v < count && w >= v) {
      w -= v;
      ++v;
    }
    if (v < count) add_edge(first + static_cast<Index>(w), first + v);
  }
}

std::vector<double> MadeGraphs::average_degrees() const {
  std::vector<double> out;
  for (std::size_t g = 0; g + 1 < start_.size(); ++g) {
    const double nodes = start_[g + 1] - start_[g];
    const std::size_t arcs = g < arcs_of_.size() ? arcs_of_[g] : 0;
    out.push_back(nodes == 0 ? 0 : static_cast<double>(arcs) / nodes);
  }
  return out;
}

Dataset MadeGraphs::finish(std::vector<Index> labels, Index classes) && {
  std::vector<Index> sizes(static_cast<std::size_t>(classes), 0);
  for (const Index label : labels) ++sizes[static_cast<std::size_t>(label)];
  Dataset out;
  for (Index c = 0; c < classes; ++c) {
    if (sizes[static_cast<std::size_t>(c)] == 0) {
      fail("{}: no graph got label {} of 0 to {}; take more graphs or fewer classes", where_, c,
           classes - 1);
    }
    out.class_names().push_back(std::to_string(c));
  }
  const Index nodes = start_.back();
  out.adjacency = from_edges(nodes, edges_);
  Csr features;  // one label for all
  features.rows = nodes;
  features.cols = 1;
  features.columns.assign(static_cast<std::size_t>(nodes), 0);
  for (Index i = 0; i < nodes; ++i) features.row_ptr.push_back(i + 1);
  out.features = std::move(features);
  out.labels() = std::move(labels);
  out.graphs.emplace();
  out.graphs->start = std::move(start_);
  out.graphs->node_attributes = Matrix(nodes, 0);
  out.graphs->arc_attributes = Matrix(static_cast<Index>(out.adjacency.entries()), 0);
  return out;
}

}  // namespace cupel
