// Batch normalisation as passes know it: the bias before it and the relu behind it join it.
#pragma once

#include "cupel/engine/program/op.h"

namespace cupel {

// Inputs: x, gain, shift, running, and the bias if there is one. See batch_norm() in builder.h.
class BatchNorm final : public Op {
 public:
  struct Spec {
    // What x lacks. In training it moves the running mean and nothing else, so that its gradient
    // is zero: exactly so here, where a sum over rows would leave noise for the optimiser.
    bool bias = false;
    bool relu = false;       // of what is normalised
    bool evaluated = false;  // by the running moments
  };
  explicit BatchNorm(Spec spec) : spec_(spec) {}
  const Spec& spec() const { return spec_; }

  std::string_view name() const override {
    return spec_.evaluated ? "scale-columns" : "batch-norm";
  }
  Shape shape(std::span<const Shape> in) const override;
  Reads reads(int input) const override { return input == 0 ? Reads::kSameRows : Reads::kAllRows; }
  bool needs_all_rows() const override { return !spec_.evaluated; }
  bool folds_rows() const override { return true; }
  bool backward_reads_input(int input) const override { return input == 0; }
  bool in_place() const override { return true; }
  bool only_training() const override { return !spec_.evaluated; }
  std::shared_ptr<const Op> evaluation_form() const override;
  std::unique_ptr<OpState> bind(std::span<const Operand> in, const Operand& out) const override;
  std::size_t state_bytes(std::span<const OperandSize> in, const OperandSize& out) const override;
  void forward(const OpRun& run) const override;
  void backward(const OpRun& run) const override;

 private:
  Spec spec_;
};

}  // namespace cupel
