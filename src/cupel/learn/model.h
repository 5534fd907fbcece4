// What a model is, and the registry of all models.
//
// One file per published model, in models/nodes/, graphs/, links/ or events/: citation, equations,
// where paper and released code disagree, and `extern const ModelEntry model_<file stem>`. Nothing
// else lists models.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "cupel/base/limits.h"
#include "cupel/base/options.h"
#include "cupel/engine/program/builder.h"
#include "cupel/learn/events/event_model.h"
#include "cupel/learn/layers/graph_inputs.h"
#include "cupel/learn/pair_scorer.h"
#include "cupel/learn/schedule.h"
#include "cupel/learn/task.h"

namespace cupel {

// A model trained by gradient descent.
class TrainableModel {
 public:
  virtual ~TrainableModel() = default;
  // Traces the model: class scores before softmax, nodes or graphs x classes.
  virtual Value logits(Builder& b, GraphInputs& in) const = 0;
  // How it is trained: by `logits` from the first step to the last, unless a model says more. Asked
  // once for each training. Refers to the model.
  virtual Schedule schedule() const {
    return {.phases = {{.logits = [this](Builder& b, GraphInputs& in) { return logits(b, in); }}}};
  }
};

// A model without gradients: sees the sealed view, gives scores.
class DirectModel {
 public:
  struct Result {
    Scores valid_scores, test_scores;  // rows as in view.valid, view.test
    int iterations = 0;
  };
  virtual ~DirectModel() = default;
  // Looks at its limits between its steps, and several times a second: throws Interrupted or
  // TimedOut.
  virtual Result fit_predict(const TaskView& view, const RunLimits& limits = {}) const = 0;
  // Upper estimate of the bytes that fit_predict holds besides scores, with what it keeps for other
  // runs on the same data.
  virtual std::size_t memory_bytes(const TaskView&) const { return 0; }
  // Throws Error, with an estimate and the way out, if fit_predict would refuse the data as too
  // large. For plans: takes a small part of its time.
  virtual void check(const TaskView&) const {}
};

// Where a paper, its released code and what is here are not the same.
struct Disagreement {
  // What selects a side: the default ("self_loops = true"), a setting that protocols give ("l2"), a
  // key of the rule ("train.patience"), or "(no setting)".
  std::string setting;
  std::string text;  // what each did, which reproduces the table, and so which is the default
};

// What the conformance tests ask of every trained model.
enum class Requirement : std::uint8_t {
  kEquivariance,  // renumbered nodes, or graphs, get the same scores
  kCapacity,      // twenty random labels are learnt by heart
};

// A setting under which a model cannot promise one of them. The tests then want equivariance to
// fail on their data, and half of the capacity.
struct Exemption {
  Requirement from;
  std::string option;
  OptionValue value;
  std::string reason;  // one sentence
};

struct ModelEntry {
  std::string name;   // "gs-mean": what protocol files and --models say
  std::string title;  // "GraphSAGE (mean)"
  std::string citation;
  std::vector<std::string> equations;  // plain text, one per line
  std::vector<Disagreement> disagreements;
  std::vector<OptionSpec> options;
  std::vector<Exemption> exemptions = {};
  Unit unit = Unit::kNode;  // what it gives scores to
  // Raised whenever a change of this model changes the bits of its results: a part of the identity
  // of its runs from 2 on (lab/record/identity.h).
  int revision = 1;
  // Without gradients, and yet its result depends on the initialisation.
  bool draws = false;
  // Exactly one of the four is set.
  std::unique_ptr<TrainableModel> (*trainable)(const Options&) = nullptr;
  std::unique_ptr<DirectModel> (*direct)(const Options&) = nullptr;
  // Of pairs: a score that follows from what may be seen. The graph must outlive the scorer.
  std::unique_ptr<PairScorer> (*scorer)(const LinkGraph&, const Options&, Threads) = nullptr;
  // Of facts over time. What the world refers to must outlive the model; `key` is of what it draws.
  std::unique_ptr<EventModel> (*events)(const EventWorld& world, const Options&, StreamKey key,
                                        Threads) = nullptr;
  // What that holds at most once it has learnt so many facts, fit() included.
  std::size_t (*event_bytes)(const EventWorld& world, const Options&, Offset facts) = nullptr;
};

// What entries make models with.
template <class Model>
std::unique_ptr<TrainableModel> make_trainable(const Options& options) {
  return std::make_unique<Model>(options);
}
template <class Model>
std::unique_ptr<DirectModel> make_direct(const Options& options) {
  return std::make_unique<Model>(options);
}

// Sorted by name.
[[nodiscard]] const std::vector<const ModelEntry*>& models();
// nullptr if unknown. Case and '_' / '-' do not matter.
[[nodiscard]] const ModelEntry* find_model(const std::string& name);

}  // namespace cupel
