#include "cupel/api/given_data.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "cupel/base/error.h"
#include "cupel/base/sort_unique.h"
#include "cupel/data/facts/fact_lines.h"
#include "cupel/data/facts/temporal_edges.h"
#include "cupel/data/formats/graph_union.h"
#include "cupel/data/graph/graph.h"

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

// Edges of each graph by itself.
std::vector<Edge> rows_of(const GivenSet& set) {
  const std::vector<std::int64_t> ids = to_integers(set.edge_index);
  const std::size_t edges = ids.size() / 2;
  std::vector<Edge> out(edges);
  for (std::size_t g = 0; g + 1 < set.start.size(); ++g) {
    const auto node = [&](std::int64_t id) {
      if (id < set.start[g] || id >= set.start[g + 1])
        fail("{}: graph {} has {} nodes, numbered from 0, and an edge of it names node {}",
             set.name, g, set.start[g + 1] - set.start[g], id - set.start[g]);
      return static_cast<Index>(id);
    };
    for (auto e = static_cast<std::size_t>(set.edge_start[g]);
         e < static_cast<std::size_t>(set.edge_start[g + 1]); ++e)
      out[e] = {node(ids[e]), node(ids[edges + e])};
  }
  return out;
}

// Classes 0, 1, ... in the order of the values.
Classes classes_of(const std::vector<std::int64_t>& values, const std::vector<std::string>& names) {
  std::vector<std::int64_t> distinct = values;
  sort_unique(distinct);
  if (distinct.empty() || distinct.front() < 0)
    fail("y: each graph needs a class, a number from 0 on; give one for each");
  Classes out;
  for (const std::int64_t value : values)
    out.labels.push_back(
        static_cast<Index>(std::ranges::lower_bound(distinct, value) - distinct.begin()));
  out.names = names;
  for (const std::int64_t value : distinct)
    if (names.empty()) out.names.push_back(std::to_string(value));
  return out;
}

// One of the columns of facts, of numbers from `least` to `most`.
std::vector<std::int64_t> column_of(const NpyArray& array, std::size_t facts, std::int64_t least,
                                    std::int64_t most) {
  if (array.shape.size() != 1)
    fail("{}: has {} axes where one is needed; give one number for each fact", array.where,
         array.shape.size());
  std::vector<std::int64_t> out = to_integers(array);
  if (out.size() != facts)
    fail("{}: has {} entries where there are {} facts; give one for each", array.where, out.size(),
         facts);
  for (std::size_t i = 0; i < out.size(); ++i)
    if (out[i] < least || out[i] > most)
      fail("{}[{}] is {}, where numbers from {} to {} are possible; correct it", array.where, i,
           out[i], least, most);
  return out;
}

}  // namespace

Dataset dataset_of(const GivenFacts& given) {
  constexpr std::int64_t kLargestNode = 0x7ffffffe,
                         kAnyTime = std::numeric_limits<std::int64_t>::max();
  const std::int64_t count = given.source.shape.empty() ? 0 : given.source.shape[0];
  if (count < 1 || count > kMostFacts)
    fail("{}: {} facts are not possible; there are 1 to {}", given.name, count, kMostFacts);
  const auto facts = static_cast<std::size_t>(count);
  const std::int64_t last_node =
      given.entity_names.empty() ? kLargestNode : std::ssize(given.entity_names) - 1;
  const auto source = column_of(given.source, facts, 0, last_node),
             target = column_of(given.target, facts, 0, last_node),
             time = column_of(given.time, facts, -kAnyTime - 1, kAnyTime);
  std::vector<std::int64_t> relation(facts, 0);
  if (given.relation)
    relation = column_of(*given.relation, facts, 0, std::ssize(given.relation_names) - 1);
  auto out = std::make_shared<TemporalFacts>();
  out->name = given.name;
  out->time_unit = given.time_unit;
  for (const std::string& name : given.relation_names)
    out->relations.push_back({one_line_name(name)});
  for (std::size_t i = 0; i < facts; ++i)
    out->push(static_cast<Index>(source[i]), static_cast<Index>(relation[i]),
              static_cast<Index>(target[i]), time[i]);
  if (given.entity_names.empty()) {
    number_entities(
        *out, static_cast<Index>(std::max(std::ranges::max(source), std::ranges::max(target))));
  } else {
    out->types = {"node"};
    for (const std::string& name : given.entity_names) out->entity_names.add(one_line_name(name));
    out->entity_types.assign(given.entity_names.size(), 0);
  }
  settle(*out, nullptr);
  return dataset_of(std::shared_ptr<const TemporalFacts>(std::move(out)));
}

Dataset dataset_of(const GivenSet& set) {
  if (set.start.back() > kMostRows)
    fail("{}: {} nodes are not possible; there are at most {}", set.name, set.start.back(),
         kMostRows);
  const std::vector<Index> start(set.start.begin(), set.start.end());
  Dataset out;
  out.name = set.name;
  std::optional<Matrix> attributes;
  if (set.edge_attr) attributes = make_dense(*set.edge_attr);
  set_graphs(out, {start, set.edge_start, rows_of(set), attributes ? &*attributes : nullptr},
             set.name);
  if (set.x) {
    Matrix features = make_dense(*set.x);
    check_features(features, out.nodes(), set.x->where, ReadMode::kForUse);
    out.features = std::move(features);
  }
  if (set.answers)
    set_graph_labels(out, label_table(*set.answers), set.name);
  else
    out.target = classes_of(set.classes, set.class_names);
  return out;
}

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
  if (sources.absent)
    out.absent = [find, absent = sources.absent](const std::string& name, Unit unit) {
      return find(name) ? std::nullopt : absent(name, unit);
    };
  return out;
}

}  // namespace cupel
