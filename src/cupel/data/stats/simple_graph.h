// The simple undirected graph behind a stored adjacency, laid out for fast traversal.
#pragma once

#include <cstdlib>
#include <memory>
#include <span>
#include <vector>

#include "cupel/base/matrix.h"
#include "cupel/base/parallel.h"

namespace cupel {

// Nodes i != j are neighbours if (i, j) or (j, i) is stored, however often. Both directions are
// held, so entries() is twice the number of edges. Nodes are renumbered by falling number of stored
// entries, ties by their old number: hubs have small ids and share cache lines, isolated nodes come
// last, and the neighbours with smaller id of any node number at most sqrt(entries stored).
//
// 8 bytes per edge and 13 per node. While it is built, a pair that is stored in both directions
// takes 16 bytes. Immutable; safe to read from many threads.
class SimpleGraph {
 public:
  // A matrix that is not square is the caller's bug. The result does not depend on the threads.
  SimpleGraph(const Csr& stored, Threads threads);

  Index nodes() const { return static_cast<Index>(original_.size()); }
  // Nodes with neighbours: the ids below.
  Index connected_nodes() const { return connected_; }
  Offset entries() const { return row_ptr_.back(); }
  Offset edges() const { return entries() / 2; }
  Index degree(Index v) const { return static_cast<Index>(row_ptr_[v + 1] - row_ptr_[v]); }
  // Ascending.
  std::span<const Index> neighbours(Index v) const {
    return {columns_.get() + row_ptr_[v], static_cast<std::size_t>(row_ptr_[v + 1] - row_ptr_[v])};
  }
  std::span<const Offset> row_ptr() const { return row_ptr_; }
  std::span<const Index> original() const { return original_; }  // old number of each node

  // Of the stored matrix: entries on the diagonal, nodes that have one, pairs i != j with both
  // (i, j) and (j, i).
  Offset self_loops() const { return self_loops_; }
  Index looped_nodes() const { return looped_nodes_; }
  bool has_loop(Index v) const { return looped_[static_cast<std::size_t>(original_[v])] != 0; }
  Offset reciprocal() const { return reciprocal_; }

 private:
  struct Free {
    void operator()(Index* p) const { std::free(p); }
  };

  void number_nodes(const Csr& stored, std::span<Index> new_id, Threads threads);
  void place_entries(const Csr& stored, std::span<const Index> new_id, Threads threads);
  void sort_rows(Threads threads);

  std::vector<Offset> row_ptr_;
  std::unique_ptr<Index[], Free> columns_;
  std::vector<Index> original_;
  std::vector<char> looped_;  // by old number
  Index connected_ = 0, looped_nodes_ = 0;
  Offset self_loops_ = 0, reciprocal_ = 0;
  Offset distinct_ = 0;  // pairs (i, j), i != j, that are stored
};

}  // namespace cupel
