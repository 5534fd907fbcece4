// A data set: what is known, a graph with node features, a set of graphs, or facts over time; what
// is asked of its nodes or graphs; and the splits it was stored with.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "cupel/base/matrix.h"

namespace cupel {

struct TemporalFacts;  // facts/facts.h

// Which examples (nodes, graphs or facts) may be seen when. Ids, disjoint; train, valid and
// stopping keep the order of their scheme (docs/formats.md says that of stored ones), test ascends.
struct Split {
  std::vector<Index> train, valid, test;
  // Where training is not stopped by `valid`, which then chooses between models alone: what stops
  // it. Empty: `valid` does both.
  std::vector<Index> stopping = {};

  auto parts() { return std::array{&train, &valid, &test, &stopping}; }
  auto parts() const { return std::array{&train, &valid, &test, &stopping}; }
};
inline constexpr const char* kPartNames[] = {"training", "validation", "test", "stopping"};
inline constexpr std::size_t kNeededParts = 3;  // the first of them

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

// What is asked of each example, a node or a graph (example_unit, unit.h), and the answers.

// Which of several classes it has.
struct Classes {
  std::vector<Index> labels;       // one per example, in [0, classes); of a node maybe -1
  std::vector<std::string> names;  // one per class: the stored label value or its name
};
// Several questions of yes or no.
struct BinaryTasks {
  Matrix answers;  // examples x tasks of 0, 1 and NaN (not known); at least one task
};
using Target = std::variant<Classes, BinaryTasks>;

// Immutable by convention once built; safe to read from many threads.
struct Dataset {
  std::string name;  // catalog name, or the file's stem
  Csr adjacency;     // nodes x nodes; as stored until prepared
  Features features;
  std::optional<GraphSet> graphs;  // set: examples are graphs
  // Set: examples are facts, and nodes their entities. They are no arcs: `adjacency` has none.
  std::shared_ptr<const TemporalFacts> facts;
  Target target;                         // classes without a label: nothing is asked of examples
  std::vector<Split> stored_splits;      // splits that came with the file, ids of this object
  std::vector<PreparationStep> history;  // steps applied so far, in order
  Offset repeated_arcs = 0;  // of the file: entries merged into an arc that was there already

  Index nodes() const { return adjacency.rows; }
  Index examples() const;

  // Of a target of classes. std::bad_variant_access where tasks are asked.
  std::vector<Index>& labels() { return std::get<Classes>(target).labels; }
  const std::vector<Index>& labels() const { return std::get<Classes>(target).labels; }
  std::vector<std::string>& class_names() { return std::get<Classes>(target).names; }
  const std::vector<std::string>& class_names() const { return std::get<Classes>(target).names; }

  // How many tasks are asked; 0 where classes are.
  Index tasks() const { return has_tasks() ? task_answers().cols : 0; }
  bool has_tasks() const { return std::holds_alternative<BinaryTasks>(target); }
  Matrix& task_answers() { return std::get<BinaryTasks>(target).answers; }
  const Matrix& task_answers() const { return std::get<BinaryTasks>(target).answers; }

  // How many different answers a question has.
  Index classes() const { return has_tasks() ? 2 : static_cast<Index>(class_names().size()); }
};

[[nodiscard]] Index feature_count(const Features& features);
[[nodiscard]] Offset feature_entries(const Features& features);

// Facts over time as a data set: without features, labels and stored splits.
[[nodiscard]] Dataset dataset_of(std::shared_ptr<const TemporalFacts> facts);

// SHA-256 over adjacency, features, labels and stored splits: what a run's result depends on. Of
// facts over time, theirs.
// Neither the name nor the history enters.
[[nodiscard]] std::string content_hash(const Dataset& dataset);

}  // namespace cupel
