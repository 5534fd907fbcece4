#include "cupel/data/stats/statistics_json.h"

#include <optional>

namespace cupel {
namespace {

using Json = nlohmann::ordered_json;

template <class T>
Json json_of(const std::optional<T>& value) {
  return value ? Json(*value) : Json();
}

// A label number, if there are labels and it is defined.
template <class Field>
std::optional<double> label_number(const Statistics& s, Field field) {
  return s.labels ? (*s.labels).*field : std::nullopt;
}

Json degree_json(const DegreeStatistics& d) {
  return {{"min", d.min}, {"p5", d.p5},   {"p25", d.p25}, {"median", d.median}, {"mean", d.mean},
          {"p75", d.p75}, {"p95", d.p95}, {"p99", d.p99}, {"max", d.max}};
}

Json path_json(const std::optional<AveragePath>& path) {
  if (!path)
    return {
        {"value", nullptr}, {"exact", false}, {"low", nullptr}, {"high", nullptr}, {"sources", 0}};
  return {{"value", path->value},
          {"exact", path->exact},
          {"low", path->low},
          {"high", path->high},
          {"sources", path->sources}};
}

Json class_sizes_json(const Dataset& dataset, const std::optional<LabelStatistics>& labels) {
  Json out = Json::array();
  for (std::size_t k = 0; labels && k < labels->class_sizes.size(); ++k)
    out.push_back({{"name", dataset.class_names()[k]}, {"nodes", labels->class_sizes[k]}});
  return out;
}

Json shares_json(const std::optional<LabelStatistics>& labels) {
  if (!labels) return nullptr;
  Json bins = Json::array();
  const std::size_t count = labels->same_class_share.size();
  for (std::size_t b = 0; b < count; ++b) {
    bins.push_back({{"from", static_cast<double>(b) / static_cast<double>(count)},
                    {"to", static_cast<double>(b + 1) / static_cast<double>(count)},
                    {"nodes", labels->same_class_share[b]}});
  }
  return {{"bins", bins},
          {"exactly_0", labels->none_of_same_class},
          {"exactly_1", labels->all_of_same_class}};
}

Json fine_shares_json(const SameClassShares& shares) {
  return {{"bins", shares.bins},
          {"nodes", shares.nodes},
          {"without_neighbours", shares.left_out},
          {"mean", json_of(shares.mean)}};
}

}  // namespace

Json statistics_json(const Dataset& dataset, const Statistics& s) {
  const bool exact = s.diameter && s.diameter->exact();
  Json out = {
      {"nodes", s.nodes},
      {"edges", s.edges},
      {"features", s.features},
      {"classes", s.classes},
      {"average_degree", s.degree.mean},
      {"components", s.components},
      {"global_clustering", json_of(s.global_clustering)},
      {"local_clustering", json_of(s.local_clustering)},
      {"diameter", exact ? Json(s.diameter->lower) : Json()},
      {"edge_homophily", json_of(label_number(s, &LabelStatistics::edge_homophily))},
      {"node_homophily", json_of(label_number(s, &LabelStatistics::node_homophily))},
      {"class_homophily", json_of(label_number(s, &LabelStatistics::class_homophily))},
      {"adjusted_homophily", json_of(label_number(s, &LabelStatistics::adjusted_homophily))},
      {"label_informativeness", json_of(label_number(s, &LabelStatistics::label_informativeness))},
      {"name", dataset.name},
      {"diameter_lower", s.diameter ? Json(s.diameter->lower) : Json()},
      {"diameter_upper", s.diameter ? Json(s.diameter->upper) : Json()},
      {"diameter_exact", exact},
      {"average_shortest_path", path_json(s.average_path)},
      {"degree", degree_json(s.degree)},
      {"isolated_nodes", s.isolated_nodes},
      {"largest_component", s.largest_component},
      {"triangles", s.triangles},
      {"class_sizes", class_sizes_json(dataset, s.labels)},
      {"same_class_share", shares_json(s.labels)},
      {"feature_density", json_of(s.feature_density)},
      {"arcs", s.arcs},
      {"self_loops", s.self_loops},
      {"reciprocal_pairs", s.reciprocal},
      {"average_shortest_path_reachable", path_json(s.average_path_reachable)},
      {"reachable_pairs", s.reachable_pairs},
      {"average_degree_with_self_loops", s.mean_degree_with_loops},
      {"same_class_share_25", s.labels ? fine_shares_json(s.labels->shares) : Json()},
      {"same_class_share_25_with_self_loops",
       s.labels ? fine_shares_json(s.labels->shares_with_loops) : Json()}};
  if (s.labels && s.labels->unlabelled > 0) out["unlabelled"] = s.labels->unlabelled;
  return out;
}

Json statistics_json(const Dataset& dataset, const GraphSetStatistics& s) {
  Json out = {{"graphs", s.graphs},
              {"classes", s.classes},
              {"average_nodes", s.average_nodes},
              {"average_edges", s.average_edges}};
  for (const PropertyStatistics& p : s.properties)
    out[p.name] = {{"mean", p.mean},
                   {"sd", p.sd},
                   {"pearson", json_of(p.pearson)},
                   {"spearman", json_of(p.spearman)}};
  Json sizes = Json::array();
  for (std::size_t c = 0; c < s.class_sizes.size(); ++c)
    sizes.push_back({{"name", dataset.class_names()[c]}, {"graphs", s.class_sizes[c]}});
  out["name"] = dataset.name;
  out["tasks"] = s.tasks;
  out["class_sizes"] = sizes;
  out["node_labels"] = s.node_labels;
  out["node_attributes"] = s.node_attributes;
  out["edge_attributes"] = s.edge_attributes;
  out["fewest_nodes"] = s.fewest_nodes;
  out["most_nodes"] = s.most_nodes;
  out["graphs_without_edges"] = s.without_edges;
  out["isolated_nodes"] = s.isolated_nodes;
  out["repeated_arcs"] = s.repeated_arcs;
  out["dropped_outliers"] = s.dropped;
  return out;
}

}  // namespace cupel
