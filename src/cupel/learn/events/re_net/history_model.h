// What RE-Net's forms share as models of facts over time: queries are answered by their histories,
// facts are learnt from both ends, and the epoch is chosen on validation.
//
// Jin, Qu, Jin and Ren, "Recurrent Event Network: Autoregressive Structure Inference over Temporal
// Knowledge Graphs", EMNLP 2020.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "cupel/engine/nn/adam.h"
#include "cupel/engine/program/bound_program.h"
#include "cupel/learn/events/event_model.h"
#include "cupel/learn/events/re_net/answer_heads.h"
#include "cupel/learn/events/re_net/history_settings.h"

namespace cupel {

// That rank() and score() put into one batch, at most.
inline constexpr std::size_t kQueriesTogether = 2048;

// A program that gives a state for each query of a batch, and what answers by it.
struct TracedHistories {
  Program program;
  std::vector<ReNetAnswers> answers;  // by head: see AnswerHeads
};

// score() is the mean of the logarithms of both ends' probabilities, rank() gives logits. An entity
// that was never seen scores minus infinity in rank() and the lowest number there is in score(). A
// relation without direction is asked in one form. Training is by cross-entropy, `batch` facts at a
// time, each asked from both ends by what was before its step. From the middle of the epochs on
// each is tried on some facts of validation, as if it came step by step, and the best mean
// reciprocal rank (time filter) is kept; the last epoch without validation.
//
// Everything random follows from the key; the bits depend neither on the threads nor on how facts
// are cut into calls of learn(), and not on whether fit() was stopped and begun again with the same
// checkpoint, which it asks after each epoch. Not thread-safe. Throws Error if training diverges.
class HistoryModel : public EventModel {
 public:
  void fit(const FactColumns& train, const FactColumns& valid, const EventRules& rules,
           const RunLimits& limits) final;
  void learn(const FactColumns& facts) final;
  void rank(std::int64_t time, std::span<const EventQuery> queries, EventAnswers& out,
            const RunLimits& limits) final;
  void score(const FactColumns& asked, std::span<float> scores, const RunLimits& limits) final;

  // Parts of fit(), for measurements and tests.
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
  void tell_multi_step(bool multi_step) { multi_step_ = multi_step; }

 protected:
  HistoryModel(const EventWorld& world, const HistoryForm& form, const HistorySettings& training,
               TracedHistories traced, StreamKey key, Threads threads);

  Index kind_of(Index relation, bool source_asked) const;
  // The state of each query of the batch, until the next call.
  BoundProgram states_of(std::vector<ConstantMatrix> constants, Index queries);
  // Calls take(i, logits) for the i-th query of the batch, in order.
  void ask(const RunLimits& limits, const std::function<void(std::size_t, const float*)>& take);
  bool multi_step() const { return multi_step_; }
  std::size_t filled() const { return filled_; }  // of two batches: 0 or 1
  AnswerHeads& heads() { return heads_; }

  EventWorld world_;
  StreamKey key_;
  Threads threads_;

 private:
  // The batch of queries that are asked together: the filled() of two. add_query() gives the number
  // of a query that is asked at `time` by what was learnt; one query has one number. constants() is
  // of the whole batch, until it is cleared. A batch that is not the first after what was learnt
  // may be filled while another thread asks the other.
  virtual void clear_batch() = 0;
  virtual Index add_query(std::int64_t time, Index given, Index kind) = 0;
  virtual std::vector<HistoryQuery>& batch_queries() = 0;
  virtual std::vector<ConstantMatrix> constants() = 0;

  // What was learnt, in steps of time.
  virtual void remember(const FactColumns& facts) = 0;  // not empty
  virtual void forget_past() = 0;
  virtual Index past_steps() = 0;
  virtual void go_back(Index steps) = 0;  // forgets what came behind the first `steps`
  // Before `time` is asked about.
  virtual void come_to(std::int64_t time, const RunLimits& limits) = 0;

  // What fit() trains before the epochs, on what was learnt: its share of an epoch, and parameters.
  virtual double share_of_first() const { return 0; }
  virtual void fit_first(const RunLimits&) {}
  virtual ParameterSet* fitted_first() { return nullptr; }

  // A batch that was filled, until it is cleared.
  struct FilledBatch {
    std::vector<ConstantMatrix> constants;
    const std::vector<HistoryQuery>* queries;
  };
  FilledBatch take_batch();  // what is filled from now on is the other one

  void see(const FactColumns& facts);
  void fill_batch(const FactColumns& facts);
  double step_loss(FilledBatch batch, double facts, std::uint32_t step);
  void begin_adam();
  double go_through(const FactColumns& train, const RunLimits& limits);
  std::vector<Offset> order_of_epoch(Offset facts) const;

  HistoryForm form_;
  HistorySettings training_;
  Program program_, training_program_, asking_program_;
  ParameterSet values_, gradients_;
  AnswerHeads heads_;
  std::vector<std::uint8_t> seen_;
  std::uint32_t steps_ = 0;
  std::size_t filled_ = 0;
  AlignedVector<float> training_memory_, asking_memory_;
  std::optional<Adam> adam_;
  bool multi_step_ = false;
};

}  // namespace cupel
