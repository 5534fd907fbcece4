// A node-level data set: one graph, node features, node labels, and the splits it was stored with.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "cupel/base/matrix.h"

namespace cupel {

// Which nodes may be seen when. Node ids, disjoint; train and valid keep the order of their scheme,
// test ascends.
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

// Immutable by convention once built; safe to read from many threads.
struct Dataset {
  std::string name;  // catalog name, or the file's stem
  Csr adjacency;     // nodes x nodes; as stored until prepared
  Features features;
  std::vector<Index> labels;             // one per node, in [0, classes)
  std::vector<std::string> class_names;  // one per class: the stored label value or its name
  std::vector<Split> stored_splits;      // splits that came with the file, node ids of this object
  std::vector<PreparationStep> history;  // steps applied so far, in order
  Offset repeated_arcs = 0;  // of the file: entries merged into an arc that was there already

  Index nodes() const { return adjacency.rows; }
  Index classes() const { return static_cast<Index>(class_names.size()); }
};

[[nodiscard]] Index feature_count(const Features& features);
[[nodiscard]] Offset feature_entries(const Features& features);

// SHA-256 over adjacency, features, labels and stored splits: what a run's result depends on.
// Neither the name nor the history enters.
[[nodiscard]] std::string content_hash(const Dataset& dataset);

}  // namespace cupel
