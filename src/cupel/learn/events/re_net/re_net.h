// RE-Net as a model of facts over time: recurrences over what happened around an entity, and over
// the whole graph. re_net_program.h has the source and the equations.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "cupel/engine/nn/adam.h"
#include "cupel/learn/events/event_model.h"
#include "cupel/learn/events/re_net/answer_head.h"
#include "cupel/learn/events/re_net/global_state.h"
#include "cupel/learn/events/re_net/query_batch.h"

namespace cupel {

struct ReNetSettings {
  Index width = 200;   // of embeddings and states; even, 2 to 1024
  Index history = 10;  // the last steps of an entity, and of the graph; 1 to 1000
  Index batch = 1024;  // facts of a step of Adam; 1 to 10^6
  double dropout = 0.5;
  double lr = 1e-3;  // Adam's
  double decay = 1e-5;
  Index epochs = 20;
  Index global_epochs = 20;
  Index global_batch = 16;  // steps of time of a step of Adam; 1 to 10^6
  double global_lr = 1e-3;
  // Where nothing is known of the steps between, how many facts of each are foretold, and taken as
  // history; 0: none, so that histories end with what is known. At most 10^4.
  Index foretold = 1000;
  bool shared_masks = true;   // of dropout: see ReNetShape
  bool released = false;      // as the released code has it: see GlobalSettings and foretell()
  bool drawn_order = false;   // of the facts of an epoch, anew for each; else that of time
  Offset valid_facts = 4000;  // of validation, drawn, that choose the epoch
  Offset logits = 1 << 24;    // that are held at a time: 200 MB with their parts
};

// fit() trains the global state first, which then stays, and then the rest by cross-entropy: facts
// in the order of time or in a drawn one, `batch` at a time, each asked from both ends by what was
// before its step.
// From the middle of the epochs on each is tried on some facts of validation, as if it came step by
// step, and the best mean reciprocal rank (time filter) is kept; the last epoch without validation.
//
// Histories are the last steps at which the given entity was at its end of any fact. score() is the
// mean of the logarithms of both ends' probabilities, rank() gives logits. An entity that was never
// seen scores minus infinity in rank() and the lowest number there is in score(). A relation
// without direction is asked in one form, and its facts count from both ends. Everything random
// follows from the key; the bits depend neither on the threads nor on how facts are cut into calls
// of learn(), and not on whether fit() was stopped and begun again with the same checkpoint, which
// it asks after each epoch.
//
// Memory: see re_net_bytes(). Throws Error if training diverges.
class ReNet final : public EventModel {
 public:
  // Throws Error for settings out of range.
  ReNet(const EventWorld& world, const ReNetSettings& settings, StreamKey key, Threads threads);

  void fit(const FactColumns& train, const FactColumns& valid, const EventRules& rules,
           const RunLimits& limits) override;
  void learn(const FactColumns& facts) override;
  void rank(std::int64_t time, std::span<const EventQuery> queries, EventAnswers& out,
            const RunLimits& limits) override;
  void score(const FactColumns& asked, std::span<float> scores, const RunLimits& limits) override;

  // Parts of fit(), for measurements and tests.
  // The global state, on `train`, after which everything is forgotten.
  void train_global(const FactColumns& train, const RunLimits& limits);
  // The mean loss of a fact from both ends; nothing is known before.
  double train_epoch(const FactColumns& train, const RunLimits& limits);
  // Mean reciprocal rank of some of the facts, by what was learnt; which is learnt on from.
  double validate(const FactColumns& valid, const RunLimits& limits);
  // The mean loss of facts that follow what was learnt; leaves its gradient. Facts of one time or
  // of several, by what is before each; learns nothing.
  double loss(const FactColumns& facts, std::uint32_t step);
  // Forgets what was learnt, and keeps parameters.
  void forget();

  const Program& program() const { return program_; }
  ParameterSet& values() { return values_; }
  ParameterSet& gradients() { return gradients_; }
  GlobalState& global() { return global_; }
  Snapshots& past() { return past_; }
  // Of the step `time`, by what is before it: the most likely facts, and none twice. Subjects, and
  // then objects, are drawn `foretold` times by the global state, and each fact is as likely as its
  // subject, its relation and its object are together.
  FactColumns foretell(std::int64_t time, const RunLimits& limits);
  void tell_multi_step(bool multi_step) { multi_step_ = multi_step; }

 private:
  Index kind_of(Index relation, bool source_asked) const;
  void ask(const RunLimits& limits, const std::function<void(std::size_t, const float*)>& take);
  void see(const FactColumns& facts);
  double step_loss(double facts, std::uint32_t step);
  void begin_adam();
  double go_through(const FactColumns& train, const RunLimits& limits);
  std::vector<Offset> order_of_epoch(Offset facts) const;
  void come_to(std::int64_t time, const RunLimits& limits);
  void foretell_from(bool targets, std::int64_t time, const RunLimits& limits);

  EventWorld world_;
  ReNetSettings settings_;
  StreamKey key_;
  Threads threads_;
  ReNetAnswers at_;
  ReNetShape shape_;
  Program program_, training_, asking_;
  ParameterSet values_, gradients_;
  GlobalState global_;
  AnswerHead head_;
  QueryBatch batch_;
  Snapshots past_;
  std::vector<std::uint8_t> seen_;
  std::uint32_t steps_ = 0;
  AlignedVector<float> training_memory_, asking_memory_;
  std::optional<Adam> adam_;

  bool multi_step_ = false;
  bool any_foretold_ = false;
  Index known_steps_ = 0;              // those behind are foretold, if any is
  std::optional<std::int64_t> asked_;  // the last time that was asked about since
  struct Foretold {
    double probability;
    Index source, relation, target;
  };
  std::vector<Foretold> foretold_;
  std::vector<Index> foretold_source_, foretold_relation_, foretold_target_;
  std::vector<std::int64_t> foretold_time_;
};

// Estimate of what a ReNet holds with so many facts: five copies of the parameters, the past, and
// what is larger of a batch (queries x history steps, with four entities around each on average)
// with its logits, and of the global model's snapshots, were every entity active in each.
[[nodiscard]] std::size_t re_net_bytes(const EventWorld& world, const ReNetSettings& settings,
                                       Offset facts);

}  // namespace cupel
