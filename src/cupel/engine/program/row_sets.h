// Demand: which rows of every value a binding computes, found by walking the program backwards:
// those that are read, or all where nearly all are.
#pragma once

#include <memory>
#include <vector>

#include "cupel/engine/program/op.h"
#include "cupel/engine/program/program.h"

namespace cupel {

// What the constants of a program are in one binding, by slot: exactly one pointer is set. The
// matrices must outlive the binding.
struct ConstantMatrix {
  const Csr* sparse = nullptr;
  const Matrix* dense = nullptr;
};

// Rows of a value that are equal whatever the parameters are.
struct RowClasses {
  std::vector<Index> first;   // ascending: the first row of each class
  std::vector<Index> of;      // class of each row
  std::vector<float> behind;  // rows of each class
};

class RowSets {
 public:
  // `groups`: ascending rows of the output that are wanted. Without `prune`, all rows of
  // everything, and of values with classes in `equal` (by value; null, or all left out: none) one
  // row of each. Throws Error if a graph has more arcs than values on arcs have numbers.
  RowSets(const Program& program, const std::vector<ConstantMatrix>& constants,
          const std::vector<Index>& groups, bool prune,
          const std::vector<const RowClasses*>& equal = {});

  // Rows of a value; null for static values, and for constants (they are cut for each reader).
  const RowSet* of(int value) const { return sets_[value]; }
  // Rows that value `reader` reads of its input; null for static inputs.
  const RowSet* read(int reader, int input) const;
  // The set with these groups in a space, shared with an equal one made before.
  const RowSet* intern(SpaceId space, std::vector<Index> groups);
  [[nodiscard]] std::size_t bytes() const;

 private:
  // Fills sets_ and reads_; false if rows were added to `joined`, so that it has to be done again.
  bool walk(const std::vector<Index>& groups, std::vector<std::vector<char>>& joined);
  void take_all(const std::vector<const RowClasses*>& equal);
  const RowSet* all_of(SpaceId space);
  const RowSet* add(SpaceId space, std::unique_ptr<RowSet> set);

  const Program& program_;
  const std::vector<ConstantMatrix>& constants_;
  std::vector<Index> group_counts_;
  std::vector<std::unique_ptr<RowSet>> owned_;
  std::vector<SpaceId> owned_space_;
  std::vector<const RowSet*> all_of_;  // by space, once asked for
  std::vector<const RowSet*> sets_;
  std::vector<std::vector<const RowSet*>> reads_;
};

// The rows `rows` of a sparse matrix. With `columns`, column numbers become places of that row set,
// which holds all of them.
[[nodiscard]] BoundSparse cut(const Csr& matrix, const RowSet& rows, const RowSet* columns,
                              Turned turned);
// Fills the transposed members of `bound` from its view, as far as they are read.
void add_transpose(BoundSparse& bound, Turned turned);
[[nodiscard]] std::size_t bytes_of(const Csr& matrix);
[[nodiscard]] Offset entries_in(const Csr& matrix, const RowSet& rows);
// Bytes of a transpose with so many rows.
[[nodiscard]] std::size_t bytes_of_transpose(Index rows, Offset entries, bool valued,
                                             Turned turned);
// Bytes that such a cut takes without its transpose, and those of the transpose.
[[nodiscard]] std::size_t bytes_of_cut(const Csr& matrix, const RowSet& rows,
                                       const RowSet* columns);
[[nodiscard]] std::size_t bytes_of_transpose(const Csr& matrix, const RowSet& rows,
                                             const RowSet* columns, Turned turned);
[[nodiscard]] Matrix cut(const Matrix& matrix, const RowSet& rows);

}  // namespace cupel
