#include "cupel/judge/picture/picture.h"

#include <algorithm>
#include <map>
#include <stdexcept>

#include "cupel/data/graph/graph.h"

namespace cupel {
namespace {

std::vector<Index> labels_of(const Dataset& dataset) {
  std::vector<Index> out(static_cast<std::size_t>(dataset.nodes()), -1);
  if (!dataset.has_tasks() && !dataset.labels().empty()) out = dataset.labels();
  return out;
}

Panel panel_of(const Picture& picture, Colouring colouring) {
  if (std::ssize(colouring.of_node) != picture.nodes)
    throw std::logic_error("[picture] a class per node");
  for (const Index one : colouring.of_node)
    if (one < -1 || one >= std::ssize(picture.classes))
      throw std::logic_error("[picture] no such class");
  Panel out;
  for (const Cluster& cluster : picture.mapper.clusters) {
    const auto [most, count] = most_frequent(cluster.nodes, colouring.of_node);
    out.of_cluster.push_back(most);
    out.nodes_of_it.push_back(count);
  }
  if (colouring.foretold) {
    Offset otherwise = 0;
    for (std::size_t v = 0; v < picture.labels.size(); ++v)
      otherwise += picture.labels[v] >= 0 && colouring.of_node[v] >= 0 &&
                   picture.labels[v] != colouring.of_node[v];
    out.otherwise = otherwise;
  }
  out.colouring = std::move(colouring);
  return out;
}

}  // namespace

std::pair<Index, Offset> most_frequent(const std::vector<Index>& nodes,
                                       const std::vector<Index>& classes) {
  std::map<Index, Offset> counts;
  for (const Index v : nodes) {
    const Index one = classes[static_cast<std::size_t>(v)];
    if (one >= 0) ++counts[one];
  }
  std::pair<Index, Offset> best{-1, 0};
  for (const auto& [one, count] : counts)
    if (count > best.second) best = {one, count};
  return best;
}

Index Picture::drawn_clusters() const {
  return static_cast<Index>(std::ranges::count_if(mapper.clusters, &Cluster::drawn));
}

// An edge joins clusters of one component: both are drawn, or neither.
Offset Picture::drawn_edges() const {
  return std::ranges::count_if(mapper.edges, [&](const ClusterEdge& edge) {
    return mapper.clusters[static_cast<std::size_t>(edge.source)].drawn;
  });
}

Index Picture::drawn_nodes() const {
  std::vector<bool> drawn(static_cast<std::size_t>(nodes), false);
  for (const Cluster& cluster : mapper.clusters) {
    if (!cluster.drawn) continue;
    for (const Index v : cluster.nodes) drawn[static_cast<std::size_t>(v)] = true;
  }
  return static_cast<Index>(std::ranges::count(drawn, true));
}

Colouring classes_of(const Dataset& dataset) {
  return {.title = "classes", .of_node = labels_of(dataset)};
}

Picture make_picture(const Dataset& dataset, const Matrix& lens, const MapperSettings& settings,
                     PictureLayout layout, std::vector<Colouring> colourings) {
  if (dataset.graphs) throw std::logic_error("[picture] of one graph");
  Picture out;
  out.dataset = dataset.name;
  out.nodes = dataset.nodes();
  out.edges = count_undirected_edges(dataset.adjacency);
  if (!dataset.has_tasks()) out.classes = dataset.class_names();
  out.settings = settings;
  out.lens = normalised_lens(lens);
  out.mapper = mapper_graph(dataset.adjacency, out.lens, settings);
  out.wanted = layout;
  out.layout = lay_out(out.mapper, layout);
  out.labels = labels_of(dataset);
  for (const Cluster& cluster : out.mapper.clusters)
    out.true_classes.push_back(most_frequent(cluster.nodes, out.labels).first);
  for (Colouring& colouring : colourings) out.panels.push_back(panel_of(out, std::move(colouring)));
  return out;
}

}  // namespace cupel
