#include "cupel/api/given_data.h"

#include <algorithm>
#include <utility>

#include "cupel/base/error.h"
#include "cupel/data/graph/graph.h"
#include "cupel/data/prepare/prepare.h"

namespace cupel {
namespace {

std::int64_t nodes_of(const GivenGraph& graph) {
  std::optional<std::int64_t> out = graph.nodes;
  const NodeGraph& arrays = graph.arrays;
  for (const auto* array : {&arrays.y, &arrays.x}) {
    if (!*array || (*array)->shape.empty()) continue;
    const std::int64_t rows = (*array)->shape[0];
    if (out && *out != rows)
      fail("{}: has {} rows where there are {} nodes; give one for each", (*array)->where, rows,
           *out);
    out = rows;
  }
  if (!out && graph.sparse_x) out = to_integers(graph.sparse_x->shape).at(0);
  if (!out) fail("{}: how many nodes there are is not known; give num_nodes, x or y", arrays.name);
  if (*out < 1 || *out > kMostRows)
    fail("{}: {} nodes are not possible; there are 1 to {}", arrays.name, *out, kMostRows);
  return *out;
}

// A graph of whose nodes nothing is asked.
Dataset unlabelled(const GivenGraph& graph, Index nodes) {
  NodeGraph arrays = graph.arrays;
  const std::vector<std::int64_t> zeros(static_cast<std::size_t>(nodes), 0);
  arrays.y = make_npy(std::span<const std::int64_t>(zeros));
  for (const auto& mask : arrays.masks)
    if (mask) fail("{}: is a part of a split, and nodes have no labels; give y", mask->where);
  Dataset out = cupel::dataset_of(arrays, ReadMode::kForAudit);
  out.target = Classes{};
  return out;
}

void set_sparse_features(const CsrArrays& x, Dataset& dataset) {
  Csr features = make_csr(x);
  if (std::ranges::all_of(features.values, [](float value) { return value == 1; }))
    features.values.clear();
  dataset.features = std::move(features);
  check_features(dataset.features, dataset.nodes(), x.data.where, ReadMode::kForUse);
}

Dataset without_sparse_features(const GivenGraph& graph) {
  const auto nodes = static_cast<Index>(nodes_of(graph));
  if (!graph.arrays.y) return unlabelled(graph, nodes);
  NodeGraph arrays = graph.arrays;
  const bool bare = !arrays.x;
  if (bare) {  // refused by what trains, not here
    arrays.x = make_npy(std::span<const float>(), {nodes, 0});
    arrays.x->where.push_back('x');
  }
  Dataset out = cupel::dataset_of(arrays, bare ? ReadMode::kForAudit : ReadMode::kForUse);
  if (bare) {
    for (const Split& split : out.stored_splits) check_split(out, split, "splits");
  }
  if (!graph.class_names.empty()) {
    if (graph.class_names.size() != out.class_names().size())
      fail("class_names: {} names for {} classes; give one for each", graph.class_names.size(),
           out.class_names().size());
    out.class_names() = graph.class_names;
  }
  return out;
}

}  // namespace

Dataset dataset_of(const GivenGraph& graph) {
  Dataset out = without_sparse_features(graph);
  if (graph.sparse_x) set_sparse_features(*graph.sparse_x, out);
  return out;
}

std::string given_reference(const std::string& name) { return "in memory:/" + name; }

PlanSources with_given(PlanSources sources, GivenData given) {
  auto all = std::make_shared<const GivenData>(std::move(given));
  PlanSources out = sources;
  const auto find = [all](const std::string& name) -> const Dataset* {
    const auto found = all->find(name);
    return found == all->end() ? nullptr : found->second.get();
  };
  out.load = [find, load = sources.load](const std::string& name) {
    if (const Dataset* known = find(name)) {
      if (known->facts)
        fail("{}: holds facts over time, and the task is about a graph; take task = \"events\"",
             known->name);
      return *known;
    }
    return load(name);
  };
  out.load_facts = [find, load = sources.load_facts](const std::string& name) {
    if (const Dataset* known = find(name)) {
      if (!known->facts) fail("{}: is a graph, and the task is about facts over time", known->name);
      return *known;
    }
    return load(name);
  };
  out.prepare = [find, prepare = sources.prepare](const std::string& name, Dataset stored,
                                                  const std::vector<std::string>& steps) {
    if (find(name) != nullptr) return cupel::prepare(std::move(stored), steps);
    return prepare(name, std::move(stored), steps);
  };
  return out;
}

}  // namespace cupel
