// What a model of a graph may start from: features, adjacencies in their usual forms, entry
// constants.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cupel/engine/program/builder.h"
#include "cupel/engine/program/equal_rows.h"
#include "cupel/engine/program/row_sets.h"
#include "cupel/learn/task.h"

namespace cupel {

// Declares constants of the program on first use and remembers the matrices behind them.
// Lives as long as executors bound to constants().
class GraphInputs {
 public:
  GraphInputs(Builder& builder, const TaskView& task);
  // For a model whose rows are no classes: `outputs` numbers describe a node to a decoder.
  GraphInputs(Builder& builder, std::shared_ptr<const VisibleGraph> graph, Index outputs);

  Index features() const { return feature_count(graph_->features()); }
  Index classes() const { return outputs_; }  // columns that a model gives
  // Whether these are scores of classes, or else numbers that describe a node to a decoder.
  bool gives_classes() const { return task_.has_value(); }
  Index nodes() const { return graph_->nodes(); }
  const VisibleGraph& graph() const { return *graph_; }
  // For models that read labels of training nodes. Throws Error where nodes have none.
  const TaskView& task() const;
  // What the rows of a space of the program are. Throws std::logic_error if that is not known.
  Unit unit_of(SpaceId space) const;

  // nodes x features. Sparse where stored so, or where at most a quarter of it is not zero.
  Value feature_matrix();
  // nodes x columns of a composition ("labels,degree", data/features/features.h).
  Value node_features(const std::string& composition);

  // Of a set of graphs. Rows of their space are graphs.
  Value graph_features(const std::string& composition);  // graphs x columns, dense
  // graphs x nodes: 1 where the node is one of the graph's, or 1 / number of its nodes. Propagating
  // along it pools; neighbour_max takes the maximum.
  Value members(bool mean);
  // Each row divided by its sum, which may be negative; rows whose sum is 0 become 0. Sparse.
  Value features_by_row_sum();
  // A sparse constant, nodes x anything: `make` makes it, once per data set for each `name`, which
  // must therefore name everything that the matrix depends on.
  Value sparse(const std::string& name, const DerivedMatrix& make);
  // The same over rows that are neither nodes nor graphs: `space` is the model's name for them. Not
  // for sets of graphs.
  Value sparse_over(const std::string& space, const std::string& name, const DerivedMatrix& make);
  // A constant with one row for each entry of `pattern`, a value of sparse() or the like, in stored
  // order. May depend on the split: it is made once per program.
  Value entry_constant(const std::string& name, Value pattern,
                       const std::function<Matrix(const Csr& pattern)>& make);
  // A constant without rows of nodes.
  Value static_constant(const std::string& name, Matrix matrix);
  // Patterns: A, or A + I with every entry 1.
  Value adjacency(bool self_loops);
  // D^-1/2 A D^-1/2, of A or A + I; rows of isolated nodes stay empty.
  Value symmetric_normalised(bool self_loops);
  // D^-1 A: the mean over neighbours.
  Value row_normalised(bool self_loops);
  // For each entry (i, j) of adjacency(self_loops): (d_i^-1/2, d_j^-1/2), d its row sizes.
  Value degree_coordinates(bool self_loops);

  const std::vector<ConstantMatrix>& constants() const { return constants_; }
  // Of those that no other program has.
  [[nodiscard]] std::size_t memory_bytes() const;
  // Rows of a compiled program's values that are equal. What is found is kept with the graph, for
  // all programs that derive the same from it.
  [[nodiscard]] EqualRows equal_rows(const Program& compiled) const;

 private:
  const Value* declared(const std::string& name) const;
  Value declare(const std::string& name, SpaceId space, std::shared_ptr<const Features> matrix);
  Value declare_derived(const std::string& name, SpaceId space, const DerivedMatrix& make);
  SpaceId graph_space();

  Builder& builder_;
  std::shared_ptr<const VisibleGraph> graph_;
  Index outputs_;
  std::optional<TaskView> task_;
  SpaceId nodes_, graphs_ = kStaticSpace;
  std::vector<std::pair<std::string, SpaceId>> others_;  // spaces of the model's own
  std::vector<ConstantMatrix> constants_;
  std::vector<std::pair<std::string, Value>> declared_;
  std::vector<std::shared_ptr<const void>> held_;
  std::vector<std::unique_ptr<Matrix>> held_dense_;
};

}  // namespace cupel
