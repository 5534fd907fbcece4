// What temporal graph networks share: facts come in batches, in the order of time; those of a batch
// are scored by what was known before it, beside as many with another target; and the scores are of
// pairs of embeddings. What an embedding is says who derives from it.
//
// Rossi et al., "Temporal Graph Networks for Deep Learning on Dynamic Graphs", 2020, section 3.2
// and algorithm 1.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "cupel/engine/nn/adam.h"
#include "cupel/engine/program/bound_program.h"
#include "cupel/learn/events/event_model.h"
#include "cupel/learn/events/event_pair_scorer.h"
#include "cupel/learn/events/node_memory.h"
#include "cupel/learn/events/recent_neighbours.h"

namespace cupel {

struct TemporalTraining {
  Index batch = 200;   // facts that are scored and learnt together; 1 to 10^6
  double lr = 1e-4;    // Adam's
  Index epochs = 50;   // at most
  Index patience = 5;  // epochs without a better validation score, after which it stops
};

// Facts come in blocks (EventBlocks) of `batch` facts. fit() scores the facts of a block, and as
// many with a target drawn from all targets of their relation in training (both ends, where it has
// no direction), at most `batch` facts a step of Adam. Then the block is learnt. After each epoch
// validation facts are asked in the same way, without gradients; the epoch with the best mean over
// batches of the average precision is kept. So is the last one where there is no validation fact.
//
// What a fact of a block knows is what it will know when it is asked (EventRules): all before the
// block, or, where embeddings look for them, all meetings before its time. Times count from the
// first fact that was learnt. Everything random follows from the key; the bits depend neither on
// the threads nor on how facts are cut into calls of learn(). Throws Error if training diverges.
class TemporalNet : public EventModel {
 public:
  void fit(const FactColumns& train, const FactColumns& valid, const EventRules& rules,
           const RunLimits& limits) final;
  void rank(std::int64_t time, std::span<const EventQuery> queries, EventAnswers& out,
            const RunLimits& limits) final;
  void score(const FactColumns& asked, std::span<float> scores, const RunLimits& limits) final;

  // What is known of the past of a fact that is asked; forgets what was learnt. fit() does it, too.
  void follow(const EventRules& rules);
  // One epoch over `train` from nothing known: the mean loss. A part of fit(), for measurements and
  // tests.
  double train_epoch(const FactColumns& train, int epoch, const RunLimits& limits);
  // The mean over batches of the average precision of facts that follow what was learnt, and are
  // learnt.
  double validate(const FactColumns& valid, const RunLimits& limits);
  // The loss of facts of one block, and of the same sources with other targets, by what was learnt;
  // leaves its gradient.
  double loss(const FactColumns& facts, std::span<const Index> others, std::uint32_t step);
  // Facts that are asked next, until anything is learnt: where the rules say so, each of them may
  // know the meetings of those before its time.
  void meet(const FactColumns& facts);
  // Forgets what was learnt, and keeps parameters.
  virtual void forget();
  // Rows as in roots.
  Matrix embeddings(std::span<const TimedEntity> roots);

  ParameterSet& values() { return values_; }
  ParameterSet& gradients() { return gradients_; }
  // Must be said after values() was written to.
  void parameters_changed() { ++version_; }

 protected:
  // `name` is of the model, for messages. `together`: embeddings that are computed at a time.
  TemporalNet(const char* name, const EventWorld& world, const TemporalTraining& training,
              std::vector<Parameter> parameters, const PairScorerPlaces& places, Index width,
              std::size_t together, StreamKey key, Threads threads);

  // Programs over the embeddings of `roots`: these, or logits of pairs of them with a kind each
  // (none without kinds). `step` is for what is drawn.
  virtual BoundProgram bind_embeddings(std::span<const TimedEntity> roots) = 0;
  virtual BoundProgram bind_logits(std::span<const TimedEntity> roots,
                                   std::span<const std::pair<Index, Index>> pairs,
                                   std::span<const Index> kinds, std::uint32_t step) = 0;
  // A meeting that is known from now on.
  virtual void remember(Index entity, const Meeting& meeting) = 0;
  // Facts of that time, not before what was learnt, are asked or learnt next.
  virtual void settle(std::int64_t) {}
  // The block of what was learnt last.
  virtual const EventBlocks* blocks() const { return nullptr; }

  void see(const FactColumns& facts);  // remembers meetings

  const EventWorld world_;
  const StreamKey key_;
  const Threads threads_;
  EventRules rules_;
  ParameterSet values_, gradients_;
  std::int64_t version_ = 1;  // of the parameters
  BlockMeetings block_meetings_;

 private:
  template <class Add>
  void each_meeting(const FactColumns& facts, const Add& add) const;
  void collect_targets(const FactColumns& train);
  void draw_targets(const FactColumns& facts, Stream stream, std::vector<Index>& out) const;

  const char* name_;
  TemporalTraining training_;
  std::vector<Parameter> parameters_;
  EventPairScorer scorer_;
  Index width_;
  std::size_t together_;
  Adam adam_;
  std::uint32_t steps_ = 0;
  std::vector<std::vector<Index>> targets_;  // by relation: ascending, each once
};

}  // namespace cupel
