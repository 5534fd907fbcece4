// What a binding makes of a program: values, the steps that compute them, and when they live.
#pragma once

#include <memory>
#include <vector>

#include "cupel/engine/program/arena.h"
#include "cupel/engine/program/op.h"
#include "cupel/engine/program/program.h"
#include "cupel/engine/program/row_sets.h"

namespace cupel {

// A value of the binding: one of the program, or one that select-rows adds.
struct BoundValue {
  Index rows = 0, cols = 0;
  const RowSet* set = nullptr;
  bool sparse = false, hoisted = false, wants_grad = false;
  int parameter = -1;
  int buffer = -1, grad_buffer = -1;
  int producer = -1;         // step
  std::vector<int> readers;  // steps, ascending; repeated if read twice
};

// An op of the program, or a select-rows, and what it runs on.
struct BoundStep {
  int node = -1;  // of the program; -1: a select-rows
  std::shared_ptr<const Op> op;
  std::vector<int> inputs;  // bound values, -1 for constants
  int output = -1;
  std::vector<Operand> in;
  Operand out;
  std::unique_ptr<OpState> state;
  std::vector<std::vector<Index>> row_maps;
  bool hoisted = false;
  // Gradients that join one written before: computed into `in[i].grad`, then added to `target`.
  struct Join {
    int input, buffer;
    DenseView target;
  };
  std::vector<Join> joins;
  int kept_buffer = -1;
  DenseView kept;
};

struct BoundSteps {
  std::vector<BoundValue> values;
  std::vector<BoundStep> steps;  // in the order in which they run forward
  int output = -1;               // value
};

// The steps that compute `rows` of the program's output. By value of the program: `flows`, whether
// a gradient flows through it in this binding; `hoisted`, whether it is computed once. Row sets are
// those of `sets`, which must outlive the steps.
[[nodiscard]] BoundSteps trace_steps(const Program& program, RowSets& sets,
                                     const std::vector<Index>& rows, const std::vector<bool>& flows,
                                     const std::vector<bool>& hoisted);

// Gives values, gradients and what ops keep their buffers in an empty `arena`, by when they are
// made and last read. `training`: a loss and a way back follow.
void plan_memory(BoundSteps& bound, bool training, ArenaPlan& arena);

}  // namespace cupel
