// A model whose validation losses are written down beforehand and whose one parameter counts steps.
#pragma once

#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include "cupel/engine/program/op.h"
#include "cupel/learn/train/trainer.h"
#include "learn/made_task.h"

namespace cupel {

struct Script {
  std::vector<double> losses;  // of validation, epoch by epoch; the last one lasts
  double nan_gradient_from = std::numeric_limits<double>::infinity();  // epoch
  double l2 = 0;
  bool all_rows_first = false;
  // What was seen.
  int evaluations = 0;
  std::vector<Index> rows_trained = {};
};

// Logits over two classes. Rows of training and test nodes: (w, 0), w being a parameter whose
// gradient is always -1, so that Adam makes it grow by the rate every step. Rows of the validation
// nodes, all of class 0: whatever gives the loss of the script.
class ScriptedOp final : public Op {
 public:
  ScriptedOp(Script* script, Index first_valid) : script_(script), first_valid_(first_valid) {}
  std::string_view name() const override { return "scripted"; }
  Shape shape(std::span<const Shape> in) const override {
    return {Layout::kDense, in[0].space, 0, 2};
  }
  Reads reads(int input) const override { return input == 0 ? Reads::kSameRows : Reads::kAllRows; }
  void forward(const OpRun& run) const override {
    const DenseView& out = run.out.value;
    const bool validating = run.out.rows->ids[0] == first_valid_;
    float other = 0;
    if (validating) {
      const auto epoch = static_cast<std::size_t>(script_->evaluations++);
      const double loss = script_->losses[std::min(epoch, script_->losses.size() - 1)];
      other = static_cast<float>(std::log(std::expm1(loss)));  // log(1 + e^other) = loss
    }
    for (Index r = 0; r < out.rows; ++r) {
      out.row(r)[0] = validating ? 0 : run.in[1].value.data[0];
      out.row(r)[1] = other;
    }
  }
  void backward(const OpRun& run) const override {
    script_->rows_trained.push_back(run.out.value.rows);
    const bool nan = run.step >= script_->nan_gradient_from;
    run.in[1].grad.data[0] = nan ? std::numeric_limits<float>::quiet_NaN() : -1.0f;
  }

 private:
  Script* script_;
  Index first_valid_;
};

// Registry entries are made from plain functions, so the script in force is a global of the tests.
inline Script* scripted = nullptr;

class ScriptedModel final : public TrainableModel {
 public:
  explicit ScriptedModel(const Options&) {}
  Value logits(Builder& b, GraphInputs& in) const override {
    const Value w = b.parameter({.name = "w",
                                 .rows = 1,
                                 .cols = 1,
                                 .init = Parameter::Init::kFill,
                                 .fill = {0.0f},
                                 .l2 = scripted->l2});
    return b.add_node(std::make_shared<ScriptedOp>(scripted, kTrain), {in.feature_matrix(), w});
  }
  Schedule schedule() const override {
    Schedule out = TrainableModel::schedule();
    out.first_step_on_all_rows = scripted->all_rows_first;
    return out;
  }

  static constexpr Index kTrain = 6, kValid = 4;
};

inline const ModelEntry kScriptedEntry = {
    .name = "scripted",
    .title = "Scripted",
    .citation = "none",
    .equations = {},
    .disagreements = {},
    .options = {{.name = "lr", .fallback = 0.5, .doc = "Rate."}},
    .trainable = [](const Options& o) -> std::unique_ptr<TrainableModel> {
      return std::make_unique<ScriptedModel>(o);
    },
};

inline ClassTask scripted_task() {
  Dataset data = made_dataset({.nodes = 30, .classes = 2});
  for (Index i = 2; i < data.nodes(); ++i) data.labels()[i] = 0;
  const Split split = leading_split(data, ScriptedModel::kTrain, ScriptedModel::kValid);
  return task_of(std::move(data), split);
}

inline TrialOutcome play(Script& script, const TrainRule& rule, const RunLimits& limits = {}) {
  scripted = &script;
  Trainer trainer(scripted_task().view, kScriptedEntry,
                  Options("scripted", kScriptedEntry.options, {}), rule);
  return trainer.run(stream_key("scripted"), limits);
}

// Steps behind the parameter that the test scores were made with.
inline double steps_kept(const TrialOutcome& outcome) { return (*outcome.test_scores)(0, 0) / 0.5; }

}  // namespace cupel
