#include "cupel/data/formats/node_graph.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iterator>

#include "cupel/base/error.h"
#include "cupel/data/check_split.h"
#include "cupel/data/formats/claims.h"
#include "cupel/data/formats/parts.h"
#include "cupel/data/graph/graph.h"

namespace cupel {
namespace {

// As many as there are labels: those have bytes for each.
Index nodes_of(const NodeGraph& graph) {
  if (!graph.y) fail("{}: has no labels; give y, a class number per node", graph.name);
  const NpyArray& y = *graph.y;
  const bool column = y.shape.size() == 2 && y.shape[1] == 1;
  if (y.shape.size() != 1 && !column) {
    fail(
        "{}: has the shape ({}) where a class number per node is needed; several labels of a node "
        "are not read, save one of them",
        y.where, fmt::join(y.shape, ", "));
  }
  if (y.shape[0] > kMostRows) {
    fail("{}: has {} rows, at most {} are possible; use a smaller data set", y.where, y.shape[0],
         kMostRows);
  }
  if (y.shape[0] == 0) fail("{}: the graph has no node; give at least one", graph.name);
  return static_cast<Index>(y.shape[0]);
}

Csr adjacency_of(const NodeGraph& graph, Index nodes, Offset& repeats) {
  const NpyArray& pairs = *graph.edge_index;
  if (pairs.shape.size() != 2 || pairs.shape[0] != 2) {
    fail("{}: has the shape ({}) where (2, edges) is needed; transpose it", pairs.where,
         fmt::join(pairs.shape, ", "));
  }
  const std::vector<Index> ids = to_indices(pairs, nodes, fmt::format("the {} nodes", nodes));
  const std::size_t edges = ids.size() / 2;
  AlignedVector<float> weights;
  if (graph.edge_weight) {
    const NpyArray& array = *graph.edge_weight;
    if (array.items() != static_cast<std::int64_t>(edges)) {
      fail("{}: has {} values for {} edges; give one for each", array.where, array.items(), edges);
    }
    weights = to_floats(array);
  }
  const std::span<const Index> all(ids);
  return arcs_of_pairs(nodes, all.first(edges), all.subspan(edges), weights, pairs.where, repeats);
}

Features features_of(const NodeGraph& graph, Index nodes, ReadMode mode) {
  if (graph.x) {
    Matrix out = make_dense(*graph.x);
    check_features(out, nodes, graph.x->where, mode);
    return out;
  }
  if (mode == ReadMode::kForAudit) return Matrix(nodes, 0);
  fail("{}: has no features; give x, nodes x features", graph.name);
}

// Flags of each split, one after the other.
struct Mask {
  std::vector<std::uint8_t> flags;
  std::size_t splits = 1;
  bool split_first = false;  // splits x nodes

  bool at(std::size_t split, std::size_t node, std::size_t nodes) const {
    if (splits == 1) return flags[node] != 0;
    return flags[split_first ? split * nodes + node : node * splits + split] != 0;
  }
};

Mask mask_of(const NpyArray& array, Index nodes) {
  Mask out;
  const auto& shape = array.shape;
  if (shape.size() == 2 && shape[0] == nodes) {
    out.splits = static_cast<std::size_t>(shape[1]);
  } else if (shape.size() == 2 && shape[1] == nodes) {
    out.splits = static_cast<std::size_t>(shape[0]);
    out.split_first = true;
  } else if (shape.size() != 1 || shape[0] != nodes) {
    fail("{}: has the shape ({}) where ({}) or ({}, splits) is needed; give a flag for every node",
         array.where, fmt::join(shape, ", "), nodes, nodes);
  }
  check_split_count(array.where, static_cast<std::int64_t>(out.splits));
  out.flags = to_flags(array);
  return out;
}

void add_splits(const NodeGraph& graph, ReadMode mode, Dataset& dataset) {
  constexpr const char* kNames[] = {"train_mask", "val_mask", "test_mask", "stopping_mask"};
  constexpr std::size_t kParts = std::size(kNames), kStopping = 3;  // which may be absent
  const auto has = [&](std::size_t p) { return graph.masks[p].has_value(); };
  if (!has(0) && !has(1) && !has(2) && !has(kStopping)) return;
  Mask masks[kParts];
  std::size_t splits = 1;
  for (std::size_t p = 0; p < kParts; ++p) {
    if (!has(p)) {
      if (p == kStopping || mode == ReadMode::kForAudit) continue;
      fail("{}: has no {}; a split needs train_mask, val_mask and test_mask, give all or none",
           graph.name, kNames[p]);
    }
    masks[p] = mask_of(*graph.masks[p], dataset.nodes());
    if (masks[p].splits != 1 && splits != 1 && masks[p].splits != splits) {
      fail("{}: has {} splits where another mask has {}; give the same number in all",
           graph.masks[p]->where, masks[p].splits, splits);
    }
    if (masks[p].splits != 1) splits = masks[p].splits;
  }
  const auto nodes = static_cast<std::size_t>(dataset.nodes());
  for (std::size_t s = 0; s < splits; ++s) {
    Split split;
    std::vector<Index>* const parts[] = {&split.train, &split.valid, &split.test, &split.stopping};
    for (std::size_t p = 0; p < kParts; ++p) {
      for (std::size_t i = 0; i < nodes && !masks[p].flags.empty(); ++i) {
        if (masks[p].at(s, i, nodes)) parts[p]->push_back(static_cast<Index>(i));
      }
    }
    if (mode == ReadMode::kForUse) {
      check_split(dataset, split, fmt::format("{}: split {} of its masks", graph.name, s));
    }
    dataset.stored_splits.push_back(std::move(split));
  }
}

}  // namespace

Csr arcs_of_pairs(Index nodes, std::span<const Index> sources, std::span<const Index> targets,
                  std::span<const float> weights, const std::string& where, Offset& repeats) {
  std::vector<Edge> edges(sources.size());
  for (std::size_t e = 0; e < edges.size(); ++e) edges[e] = {sources[e], targets[e]};
  Csr out = weights.empty() ? from_edges(nodes, edges, std::vector<float>(edges.size(), 1.0f))
                            : from_edges(nodes, edges, weights);
  repeats = static_cast<Offset>(edges.size()) - out.entries();
  if (!std::ranges::all_of(out.values, [](float v) { return std::isfinite(v); })) {
    fail("{}: the weights of a repeated edge sum to more than a float32 holds; use smaller weights",
         where);
  }
  return out;
}

Dataset dataset_of(const NodeGraph& graph, ReadMode mode) {
  if (!graph.edge_index) fail("{}: has no edges; give edge_index, 2 x edges", graph.name);
  Dataset dataset;
  dataset.name = std::filesystem::path(graph.name).stem().string();
  const Index nodes = nodes_of(graph);
  dataset.features = features_of(graph, nodes, mode);
  dataset.adjacency = adjacency_of(graph, nodes, dataset.repeated_arcs);
  set_labels(dataset, to_integers(*graph.y), {}, graph.y->where);
  add_splits(graph, mode, dataset);
  return dataset;
}

}  // namespace cupel
