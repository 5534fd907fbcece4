// Some rows of a value: the op that the binding inserts where row sets differ.
#pragma once

#include "cupel/engine/program/op.h"

namespace cupel {

class SelectRows final : public Op {
 public:
  std::string_view name() const override { return "select-rows"; }
  Shape shape(std::span<const Shape> in) const override;
  Reads reads(int) const override { return Reads::kSameRows; }
  bool adds_gradient(int) const override { return true; }
  std::unique_ptr<OpState> bind(std::span<const Operand> in, const Operand& out) const override;
  std::size_t state_bytes(std::span<const OperandSize> in, const OperandSize& out) const override;
  void forward(const OpRun& run) const override;
  void backward(const OpRun& run) const override;
};

}  // namespace cupel
