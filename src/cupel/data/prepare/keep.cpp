#include "cupel/data/prepare/keep.h"

#include <algorithm>

#include "cupel/data/graph/graph.h"
#include "cupel/data/labels.h"
#include "cupel/data/rows.h"

namespace cupel {
namespace {

// Classes that lost all their examples go; the others keep their order.
void renumber_classes(Dataset& dataset) {
  std::vector<Index> new_class(dataset.class_names.size(), -1);
  for (const Index label : dataset.labels) {
    if (label != kNoLabel) new_class[label] = 0;
  }
  std::vector<std::string> names;
  for (std::size_t c = 0; c < new_class.size(); ++c) {
    if (new_class[c] < 0) continue;
    new_class[c] = static_cast<Index>(names.size());
    names.push_back(std::move(dataset.class_names[c]));
  }
  for (Index& label : dataset.labels) {
    if (label != kNoLabel) label = new_class[label];
  }
  dataset.class_names = std::move(names);
}

// Labels, tasks and stored splits of the examples that stay.
void keep_labels(Dataset& dataset, std::span<const Index> kept) {
  std::vector<Index> new_id(dataset.labels.size(), -1);
  for (std::size_t k = 0; k < kept.size(); ++k) new_id[kept[k]] = static_cast<Index>(k);

  std::vector<Index> labels;
  labels.reserve(kept.size());
  for (const Index i : kept) labels.push_back(dataset.labels[i]);
  dataset.labels = std::move(labels);
  if (dataset.tasks.values.empty()) {
    renumber_classes(dataset);
  } else {
    dataset.tasks = rows_of(dataset.tasks, kept);
  }

  const auto follow = [&](std::vector<Index>& part) {
    std::size_t count = 0;
    for (const Index i : part) {
      if (new_id[i] >= 0) part[count++] = new_id[i];
    }
    part.resize(count);
    return count > 0;
  };
  std::erase_if(dataset.stored_splits, [&](Split& split) {
    const bool train = follow(split.train), valid = follow(split.valid), test = follow(split.test);
    return !(train && valid && test);
  });
}

}  // namespace

void keep_nodes(Dataset& dataset, std::span<const Index> nodes) {
  if (static_cast<Index>(nodes.size()) == dataset.nodes()) return;
  dataset.adjacency = induced_subgraph(dataset.adjacency, nodes);
  dataset.features = rows_of(dataset.features, nodes);
  keep_labels(dataset, nodes);
}

void keep_graphs(Dataset& dataset, std::span<const Index> graphs) {
  GraphSet& set = *dataset.graphs;
  if (static_cast<Index>(graphs.size()) == set.size()) return;
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
  keep_labels(dataset, graphs);
}

}  // namespace cupel
