// The op behind bias, activation and dropout; the fuse pass merges chains of it.
#pragma once

#include "cupel/engine/kernels/pointwise.h"
#include "cupel/engine/program/op.h"

namespace cupel {

// out = dropout(activation(x + bias)), each part optional. Inputs: x, and the bias if there is one.
class Pointwise final : public Op {
 public:
  struct Spec {
    bool bias = false;
    kernels::Activation activation = kernels::Activation::kNone;
    double drop = 0;            // probability
    std::uint32_t purpose = 0;  // stream of the dropout
  };
  explicit Pointwise(Spec spec) : spec_(spec) {}
  const Spec& spec() const { return spec_; }

  // The chain that does `first` and then `second`, if one pass can do both.
  static bool fusible(const Spec& first, const Spec& second);
  static Spec fused(const Spec& first, const Spec& second);

  std::string_view name() const override { return "pointwise"; }
  Shape shape(std::span<const Shape> inputs) const override;
  Reads reads(int input) const override { return input == 0 ? Reads::kSameRows : Reads::kAllRows; }
  void forward(const OpRun& run) const override;
  void backward(const OpRun& run) const override;
  bool backward_reads_output() const override {
    return spec_.activation != kernels::Activation::kNone;
  }
  bool in_place() const override { return true; }
  bool is_random() const override { return spec_.drop > 0; }
  std::shared_ptr<const Op> evaluation_form() const override;
  std::unique_ptr<OpState> bind(std::span<const Operand> in, const Operand& out) const override;

 private:
  Spec spec_;
};

}  // namespace cupel
