// The op behind bias, activation, dropout and what is added to that; the fuse pass merges chains.
#pragma once

#include "cupel/engine/kernels/pointwise.h"
#include "cupel/engine/program/op.h"

namespace cupel {

// out = addend + dropout(activation(x + bias)), or with the dropout before the activation; each
// part optional. Inputs: the addend if there is one, x, and the bias if there is one.
class Pointwise final : public Op {
 public:
  struct Spec {
    bool bias = false;
    kernels::Activation activation = kernels::Activation::kNone;
    double drop = 0;              // probability
    std::uint32_t purpose = 0;    // stream of the dropout
    bool drop_first = false;      // before the activation
    bool drop_evaluated = false;  // drops when evaluated, too
    bool addend = false;          // not with an activation: it could not be inverted from the sum

    bool only_bias() const {
      return bias && activation == kernels::Activation::kNone && drop == 0 && !addend;
    }
    bool only_relu() const {
      return !bias && activation == kernels::Activation::kRelu && drop == 0 && !addend;
    }
  };
  explicit Pointwise(Spec spec) : spec_(spec) {}
  const Spec& spec() const { return spec_; }

  // The chain that does `first` and then `second`, if one pass can do both.
  static bool fusible(const Spec& first, const Spec& second);
  static Spec fused(const Spec& first, const Spec& second);
  // Whether a sum with what it gives can be made in the same pass.
  static bool can_add(const Spec& spec) {
    return !spec.addend && spec.activation == kernels::Activation::kNone;
  }

  std::string_view name() const override { return "pointwise"; }
  Shape shape(std::span<const Shape> inputs) const override;
  Reads reads(int input) const override {
    return input <= x() ? Reads::kSameRows : Reads::kAllRows;
  }
  void forward(const OpRun& run) const override;
  void backward(const OpRun& run) const override;
  bool backward_reads_output() const override {
    return spec_.activation != kernels::Activation::kNone && !keeps();
  }
  bool keeps() const override { return spec_.activation == kernels::Activation::kGelu; }
  bool adds_gradient(int input) const override { return spec_.addend && input == 0; }
  bool in_place() const override { return true; }
  bool is_random() const override { return spec_.drop > 0; }
  bool folds_rows() const override { return !is_random(); }
  bool only_training() const override { return is_random() && !spec_.drop_evaluated; }
  std::shared_ptr<const Op> evaluation_form() const override;
  std::unique_ptr<OpState> bind(std::span<const Operand> in, const Operand& out) const override;
  std::size_t state_bytes(std::span<const OperandSize> in, const OperandSize& out) const override;

 private:
  int x() const { return spec_.addend ? 1 : 0; }
  int bias() const { return x() + 1; }
  kernels::Chain chain(const OpRun& run) const;

  Spec spec_;
};

}  // namespace cupel
