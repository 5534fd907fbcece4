// A compiled program bound to data and rows once, then replayed without allocation.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "cupel/base/parallel.h"
#include "cupel/base/random.h"
#include "cupel/engine/program/parameters.h"
#include "cupel/engine/program/program.h"
#include "cupel/engine/program/row_sets.h"

namespace cupel {

class Op;
struct OpRun;

struct Binding {
  std::vector<ConstantMatrix> constants;  // by slot; must outlive the binding
  std::vector<Index> rows;                // rows of the output that are wanted, ascending
  bool prune = true;                      // compute only demanded rows; false computes all
  ParameterSet* values = nullptr;         // must outlive the binding
  ParameterSet* gradients = nullptr;      // null: no gradient is wanted
  // Memory for values and gradients, used instead of memory of its own and made larger as needed;
  // must outlive the binding. Bindings that share it take turns: what one computed is lost when
  // the next runs, and constants' products are computed anew with every forward. An earlier
  // binding must not run again once a later one has made the memory larger: it has moved then,
  // though maybe back to where it was once.
  AlignedVector<float>* memory = nullptr;
  // By value of the program, for bindings that compute all rows: rows that are equal, of which one
  // each is computed (equal_rows.h). Null, or all left out: no two. Must outlive the binding.
  std::vector<const RowClasses*> equal = {};
};

// Not thread-safe. Forward and backward allocate nothing.
class BoundProgram {
 public:
  // `program` is a compiled one (passes.h). Starts it.
  BoundProgram(Program program, Binding binding, Threads threads = {});
  // The same of one that many bindings share: to copy it takes longer than a small batch's rows.
  BoundProgram(std::shared_ptr<const Program> program, Binding binding, Threads threads = {});
  ~BoundProgram();
  BoundProgram(BoundProgram&&) noexcept;

  // What is to be done before it can be started, which reads neither parameters nor shared memory:
  // another binding may run meanwhile.
  static BoundProgram prepared(std::shared_ptr<const Program> program, Binding binding,
                               Threads threads = {});
  // Takes its memory, and computes what is computed once.
  void start();

  // Computes the output for the current parameter values. Random ops draw from (key, step).
  void forward(StreamKey key, std::uint32_t step);
  // Rows as in Binding::rows. Valid until the next forward.
  ConstDenseView output() const;
  // Where the loss writes its gradient before backward().
  DenseView output_gradient();
  // Gradients of every parameter that the output depends on; the others' slices stay untouched
  // (zero).
  void backward();

  // Of all that it holds once it was started, but for Binding::memory.
  [[nodiscard]] std::size_t memory_bytes() const;
  // Rows computed per value of the program, summed: what pruning saves.
  [[nodiscard]] std::int64_t computed_rows() const;

  // For measurements: called after every op of a forward or backward with what it ran on. What was
  // computed once, when this was bound, is not seen.
  using Watcher = std::function<void(const Op&, const OpRun&, bool backward)>;
  void watch(Watcher watcher);  // empty: nobody

  struct Impl;

 private:
  explicit BoundProgram(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

// What memory_bytes() of this binding would be, without taking it: rows are found and places of
// values planned as for the real one, and ops say what they would keep.
[[nodiscard]] std::size_t planned_memory(Program program, Binding binding);

}  // namespace cupel
