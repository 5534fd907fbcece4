// Inner products of rows of a table: what a row-dot of two gather-rows becomes, so that the rows
// are not copied and no gradient of a copy is stored.
#pragma once

#include "cupel/engine/program/op.h"

namespace cupel {

// Inputs: two selections as gather_rows() has them, and the table that both are of.
class PairDot final : public Op {
 public:
  std::string_view name() const override { return "pair-dot"; }
  Shape shape(std::span<const Shape> in) const override;
  Reads reads(int input) const override { return input < 2 ? Reads::kSameRows : Reads::kAllRows; }
  bool folds_rows() const override { return true; }
  bool backward_reads_input(int input) const override { return input == 2; }
  bool adds_gradient(int input) const override { return input == 2; }
  std::unique_ptr<OpState> bind(std::span<const Operand> in, const Operand& out) const override;
  void forward(const OpRun& run) const override;
  void backward(const OpRun& run) const override;
};

// One entry in each row of a constant without values: its columns, as they are stored, are then the
// rows of the table. Throws std::logic_error of `op` if not.
void require_selection(const Operand& operand, std::string_view op);

}  // namespace cupel
