#include "cupel/data/prepare/keep.h"

#include <algorithm>

#include "cupel/data/graph/graph.h"
#include "cupel/data/labels.h"
#include "cupel/data/rows.h"

namespace cupel {
namespace {

std::vector<std::string> drop_unused(Classes& target) {
  std::vector<Index> new_class(target.names.size(), -1);
  for (const Index label : target.labels) {
    if (label != kNoLabel) new_class[static_cast<std::size_t>(label)] = 0;
  }
  std::vector<std::string> stay, lost;
  for (std::size_t c = 0; c < new_class.size(); ++c) {
    if (new_class[c] == 0) new_class[c] = static_cast<Index>(stay.size());
    (new_class[c] < 0 ? lost : stay).push_back(std::move(target.names[c]));
  }
  target.names = std::move(stay);
  for (Index& label : target.labels) {
    if (label != kNoLabel) label = new_class[static_cast<std::size_t>(label)];
  }
  return lost;
}

// Returns the names of classes that lost all their examples.
std::vector<std::string> keep_answers(Target& target, std::span<const Index> kept) {
  if (auto* tasks = std::get_if<BinaryTasks>(&target)) {
    tasks->answers = rows_of(tasks->answers, kept);
    return {};
  }
  auto& classes = std::get<Classes>(target);
  if (classes.labels.empty()) return {};
  std::vector<Index> labels;
  labels.reserve(kept.size());
  for (const Index i : kept) labels.push_back(classes.labels[static_cast<std::size_t>(i)]);
  classes.labels = std::move(labels);
  return drop_unused(classes);
}

// Returns the numbers of those that lost all of a part.
std::vector<int> keep_in_splits(std::vector<Split>& splits, const std::vector<Index>& new_id) {
  std::vector<Split> stay;
  std::vector<int> lost;
  for (std::size_t s = 0; s < splits.size(); ++s) {
    bool whole = true;
    for (std::vector<Index>* part : splits[s].parts()) {
      const bool had_any = !part->empty();
      for (Index& i : *part) i = new_id[static_cast<std::size_t>(i)];
      std::erase(*part, -1);
      whole = whole && part->empty() != had_any;
    }
    if (whole) {
      stay.push_back(std::move(splits[s]));
    } else {
      lost.push_back(static_cast<int>(s));
    }
  }
  splits = std::move(stay);
  return lost;
}

// Answers and stored splits. Before the examples themselves go.
Gone keep_examples(Dataset& dataset, std::span<const Index> kept) {
  std::vector<Index> new_id(static_cast<std::size_t>(dataset.examples()), -1);
  for (std::size_t k = 0; k < kept.size(); ++k) new_id[kept[k]] = static_cast<Index>(k);
  return {keep_answers(dataset.target, kept), keep_in_splits(dataset.stored_splits, new_id)};
}

}  // namespace

Gone keep_nodes(Dataset& dataset, std::span<const Index> nodes) {
  if (static_cast<Index>(nodes.size()) == dataset.nodes()) return {};
  Gone gone = keep_examples(dataset, nodes);
  dataset.adjacency = induced_subgraph(dataset.adjacency, nodes);
  dataset.features = rows_of(dataset.features, nodes);
  return gone;
}

Gone keep_graphs(Dataset& dataset, std::span<const Index> graphs) {
  GraphSet& set = *dataset.graphs;
  if (static_cast<Index>(graphs.size()) == set.size()) return {};
  Gone gone = keep_examples(dataset, graphs);
  std::vector<Index> nodes, arcs, start = {0}, scaffolds;
  for (const Index g : graphs) {
    for (Index i = set.start[g]; i < set.start[g + 1]; ++i) nodes.push_back(i);
    start.push_back(static_cast<Index>(nodes.size()));
    if (!set.scaffolds.empty()) scaffolds.push_back(set.scaffolds[g]);
    if (set.arc_attributes.cols == 0) continue;
    // The arcs of a graph stand together.
    const Offset from = dataset.adjacency.row_ptr[set.start[g]];
    const Offset to = dataset.adjacency.row_ptr[set.start[g + 1]];
    for (Offset e = from; e < to; ++e) arcs.push_back(static_cast<Index>(e));
  }
  dataset.adjacency = induced_subgraph(dataset.adjacency, nodes);
  dataset.features = rows_of(dataset.features, nodes);
  set.node_attributes = rows_of(set.node_attributes, nodes);
  if (set.arc_attributes.cols == 0) {
    set.arc_attributes = Matrix(static_cast<Index>(dataset.adjacency.entries()), 0);
  } else {
    set.arc_attributes = rows_of(set.arc_attributes, arcs);
  }
  set.start = std::move(start);
  set.scaffolds = std::move(scaffolds);
  return gone;
}

}  // namespace cupel
