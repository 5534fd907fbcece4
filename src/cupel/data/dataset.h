// A data set: a graph with node features and node labels, or a set of graphs with a label each; and
// the splits it was stored with.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "cupel/base/matrix.h"

namespace cupel {

// Which examples (nodes, or graphs) may be seen when. Ids, disjoint; train and valid keep the order
// of their scheme, test ascends.
struct Split {
  std::vector<Index> train, valid, test;
};

// What one preparation step did.
struct PreparationStep {
  std::string name;  // e.g. "symmetrise", as written in a protocol file
  Index nodes = 0;   // after the step
  Offset arcs = 0;   // stored adjacency entries after the step
};

using Features = std::variant<Csr, Matrix>;  // nodes x features

// What a set of graphs has beyond a graph. The data set holds the union of its graphs, block after
// block: its adjacency is block-diagonal, simple and symmetric, without self-loops and without
// values; its features are the one-hot node labels (nodes x different labels, no column where the
// files have none).
struct GraphSet {
  std::vector<Index> start;  // graphs + 1: graph g has nodes [start[g], start[g + 1]), maybe none
  Matrix node_attributes;    // nodes x any, maybe no column
  Matrix arc_attributes;     // entries of the adjacency, in their order, x any, maybe no column
  Offset dropped_loops = 0;  // of the files: lines from a node to itself, left out
  // One per graph where the graphs are molecules read from SMILES, else empty: number of its
  // Bemis-Murcko scaffold, for the split kind "scaffold".
  std::vector<Index> scaffolds;

  Index size() const { return static_cast<Index>(start.size()) - 1; }
};

// Immutable by convention once built; safe to read from many threads.
struct Dataset {
  std::string name;  // catalog name, or the file's stem
  Csr adjacency;     // nodes x nodes; as stored until prepared
  Features features;
  std::optional<GraphSet> graphs;        // set: examples are graphs, else nodes
  std::vector<Index> labels;             // one per example, in [0, classes); of a node maybe -1
  std::vector<std::string> class_names;  // one per class: the stored label value or its name
  // Several binary tasks: examples x tasks of 0, 1 and NaN (not known). `labels` are then those of
  // the first task, unknown ones 0. Empty where each example has one label.
  Matrix tasks;
  std::vector<Split> stored_splits;      // splits that came with the file, ids of this object
  std::vector<PreparationStep> history;  // steps applied so far, in order
  Offset repeated_arcs = 0;  // of the file: entries merged into an arc that was there already

  Index nodes() const { return adjacency.rows; }
  Index examples() const { return graphs ? graphs->size() : nodes(); }
  Index classes() const { return static_cast<Index>(class_names.size()); }
};

[[nodiscard]] Index feature_count(const Features& features);
[[nodiscard]] Offset feature_entries(const Features& features);

// SHA-256 over adjacency, features, labels and stored splits: what a run's result depends on.
// Neither the name nor the history enters.
[[nodiscard]] std::string content_hash(const Dataset& dataset);

}  // namespace cupel
