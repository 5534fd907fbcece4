// The constants of a binding, cut to the rows that their readers ask for.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <tuple>
#include <utility>
#include <vector>

#include "cupel/engine/program/op.h"
#include "cupel/engine/program/program.h"
#include "cupel/engine/program/row_sets.h"

namespace cupel {

// Cuts are shared between readers of the same rows, and stay where they are. Not thread-safe.
class BoundConstants {
 public:
  // `flows`: by value of the program, whether a gradient flows through it in this binding. All four
  // must outlive this.
  BoundConstants(const Program& program, const std::vector<ConstantMatrix>& constants,
                 const RowSets& sets, const std::vector<bool>& flows)
      : program_(program), constants_(constants), sets_(sets), flows_(flows) {}

  // What value `reader` of the program gets as its input `k`, which is a constant; read only.
  [[nodiscard]] Operand operand(int reader, int k);
  // How large that is; makes nothing.
  [[nodiscard]] OperandSize size(int reader, int k) const;
  // Of the cuts made so far.
  [[nodiscard]] std::size_t bytes() const;
  // What bytes() would be with those of all (reader, input) pairs, of which none need be made.
  [[nodiscard]] std::size_t planned_bytes(const std::vector<std::pair<int, int>>& read) const;

 private:
  [[nodiscard]] int slot_of(int reader, int k) const;
  [[nodiscard]] std::pair<const RowSet*, Turned> columns_of(int reader, int k) const;

  const Program& program_;
  const std::vector<ConstantMatrix>& constants_;
  const RowSets& sets_;
  const std::vector<bool>& flows_;
  std::map<std::tuple<int, const RowSet*, const RowSet*>, std::unique_ptr<BoundSparse>> sparse_;
  std::map<std::pair<int, const RowSet*>, std::unique_ptr<Matrix>> dense_;
};

}  // namespace cupel
