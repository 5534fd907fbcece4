// A model that counts how often its program runs, and rings while that goes on: what interrupts a
// training in its midst.
#pragma once

#include <algorithm>
#include <atomic>
#include <memory>

#include "cupel/engine/program/op.h"
#include "cupel/learn/model.h"

namespace cupel {

// Registry entries are made from plain functions, so there is one bell, a global of the tests.
struct Bell {
  int passes = 0;  // forward, in training and validation
  int rings_at = 0;
  std::atomic<bool> rung = false;

  void set(int at) {
    passes = 0;
    rings_at = at;
    rung = false;
  }
};
inline Bell bell;

class BellOp final : public Op {
 public:
  std::string_view name() const override { return "bell"; }
  Shape shape(std::span<const Shape> in) const override { return in[0]; }
  Reads reads(int) const override { return Reads::kSameRows; }
  void forward(const OpRun& run) const override {
    copy(run.in[0].value, run.out.value);
    if (++bell.passes == bell.rings_at) bell.rung = true;
  }
  void backward(const OpRun& run) const override {
    if (run.in[0].grad.data != nullptr) copy(run.out.grad, run.in[0].grad);
  }

 private:
  static void copy(const DenseView& from, const DenseView& to) {
    for (Index r = 0; r < from.rows; ++r) std::copy_n(from.row(r), from.cols, to.row(r));
  }
};

// Linear in the features of nodes, or in their mean over each graph.
class RingingModel final : public TrainableModel {
 public:
  Value logits(Builder& b, GraphInputs& in) const override {
    Value h = matmul(in.feature_matrix(), b.glorot("w", in.features(), in.classes()));
    if (in.graph().set()) h = propagate(in.members(true), h);
    return b.add_node(std::make_shared<BellOp>(), {h});
  }
};

inline ModelEntry ringing_entry(Unit unit) {
  ModelEntry entry;
  entry.name = "ringing";
  entry.title = "Ringing";
  entry.citation = "none";
  entry.options = {{.name = "lr", .fallback = 0.05, .doc = "Rate."}};
  entry.unit = unit;
  entry.trainable = [](const Options&) -> std::unique_ptr<TrainableModel> {
    return std::make_unique<RingingModel>();
  };
  return entry;
}

}  // namespace cupel
