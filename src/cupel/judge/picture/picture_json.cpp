// A picture as JSON: everything that is drawn, what is left out, and who is in which cluster.
#include <nlohmann/json.hpp>

#include <cmath>

#include "cupel/base/json_text.h"
#include "cupel/judge/picture/picture.h"

namespace cupel {
namespace {

using Json = nlohmann::ordered_json;

// A place on a page, which needs no more digits.
Json place_json(const LensPoint& place) {
  Json out = Json::array();
  for (const double value : place) out.push_back(std::round(value * 1e6) / 1e6 + 0.0);
  return out;
}

Json class_json(Index one) { return one < 0 ? Json() : Json(one); }

Json classes_json(const std::vector<Index>& classes) {
  Json out = Json::array();
  for (const Index one : classes) out.push_back(class_json(one));
  return out;
}

Json settings_json(const Picture& picture) {
  const MapperSettings& settings = picture.settings;
  Json out = {
      {"intervals", settings.intervals},
      {"overlap", settings.overlap},
      {"edges", settings.edges == MapperEdges::kSharedArcs ? "shared-arcs" : "shared-nodes"},
      {"epsilon", settings.epsilon},
      {"smallest", settings.smallest},
      {"layout", picture.wanted == PictureLayout::kStress ? "stress" : "lens"}};
  for (const auto& [name, value] : picture.made_by) out[name] = value;
  return out;
}

Json clusters_json(const Picture& picture) {
  Json out = Json::array();
  for (std::size_t c = 0; c < picture.mapper.clusters.size(); ++c) {
    const Cluster& cluster = picture.mapper.clusters[c];
    out.push_back({{"id", c},
                   {"cell", {cluster.column, cluster.row}},
                   {"cell_mean", cluster.cell_mean},
                   {"mean", cluster.mean},
                   {"component", cluster.component},
                   {"drawn", cluster.drawn},
                   {"place", cluster.drawn ? place_json(picture.layout.places[c]) : Json()},
                   {"true_class", class_json(picture.true_classes[c])},
                   {"size", cluster.nodes.size()},
                   {"nodes", cluster.nodes}});
  }
  return out;
}

Json edges_json(const MapperGraph& mapper) {
  Json out = Json::array();
  for (const ClusterEdge& edge : mapper.edges)
    out.push_back({{"source", edge.source},
                   {"target", edge.target},
                   {"count", edge.count},
                   {"weight", edge.weight},
                   {"drawn", mapper.clusters[static_cast<std::size_t>(edge.source)].drawn}});
  return out;
}

Json panel_json(const Panel& panel) {
  Json source = Json::object();
  for (const auto& [name, value] : panel.colouring.source) source[name] = value;
  return {{"title", panel.colouring.title},
          {"note", panel.colouring.note},
          {"source", std::move(source)},
          {"foretold", panel.colouring.foretold},
          {"nodes_of_another_class", panel.otherwise ? Json(*panel.otherwise) : Json()},
          {"of_cluster", classes_json(panel.of_cluster)},
          {"nodes_of_it", panel.nodes_of_it},
          {"of_node", classes_json(panel.colouring.of_node)}};
}

}  // namespace

std::string picture_json(const Picture& picture) {
  Json out;
  out["kind"] = "picture";
  out["dataset"] = picture.dataset;
  out["caption"] = picture_caption(picture);
  out["nodes"] = picture.nodes;
  out["edges"] = picture.edges;
  out["classes"] = picture.classes;
  out["settings"] = settings_json(picture);
  out["layout"] = picture.layout.kind == PictureLayout::kStress ? "stress" : "lens";
  out["drawn"] = {{"clusters", picture.drawn_clusters()},
                  {"edges", picture.drawn_edges()},
                  {"nodes", picture.drawn_nodes()}};
  out["largest_count"] = picture.mapper.largest_count;
  out["pairs_below_epsilon"] = picture.mapper.pairs_left_out;
  out["clusters"] = clusters_json(picture);
  out["cluster_edges"] = edges_json(picture.mapper);
  out["panels"] = Json::array();
  for (const Panel& panel : picture.panels) out["panels"].push_back(panel_json(panel));
  out["lens"] = picture.lens;
  out["labels"] = classes_json(picture.labels);
  return json_text(out, 1);
}

}  // namespace cupel
