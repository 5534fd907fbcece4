// Temporal graph networks as a model of facts over time: memory, and attention over who was met
// last. tgn_program.h has the source and the equations.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "cupel/engine/nn/adam.h"
#include "cupel/learn/events/event_model.h"
#include "cupel/learn/events/node_memory.h"
#include "cupel/learn/events/recent_neighbours.h"
#include "cupel/learn/events/tgn_batch.h"
#include "cupel/learn/events/tgn_program.h"

namespace cupel {

struct TgnSettings {
  Index width = 100;      // of states, of the encoding of times, and of embeddings; 1 to 1024
  Index neighbours = 10;  // the last ones; 1 to 1000
  Index batch = 200;      // facts that are scored and learnt together; 1 to 10^6
  double dropout = 0.1;   // of weights of attention; 0 to below 1
  double lr = 1e-4;       // Adam's
  // Whether frequencies and phases of the encoding of times are trained, as in the released code.
  // One step of Adam then moves the low ones, of 1e-9 and so on, to about lr.
  bool trained_times = false;
  Index epochs = 50;   // at most
  Index patience = 5;  // epochs without a better validation score, after which it stops
};

// Facts come in blocks (EventBlocks) of `batch` facts. fit() scores the facts of a block, and as
// many with a target drawn from all targets of their relation in training (both ends, where it has
// no direction), by what was known before the block: at most `batch` facts a step of Adam. Then the
// block is learnt. After each epoch validation facts are asked in the same way, without gradients;
// the epoch with the best mean over batches of the average precision is kept. So is the last one
// where there is no validation fact.
//
// What is scored sees all that was learnt, and its neighbours before the asked time. The score is
// the logit, that of a fact without direction the mean of both orders. With one relation facts have
// no kind; with several a fact has one kind from its source and another from its target, unless it
// has no direction. Times count from the first fact that was learnt. Everything random follows from
// the key; the bits depend neither on the threads nor on how facts are cut into calls of learn().
//
// Memory: see tgn_bytes(). Throws Error if training diverges.
class Tgn final : public EventModel {
 public:
  // Throws Error for settings out of range.
  Tgn(const EventWorld& world, const TgnSettings& settings, StreamKey key, Threads threads);

  void fit(const FactColumns& train, const FactColumns& valid, const EventRules& rules,
           const RunLimits& limits) override;
  void learn(const FactColumns& facts) override;
  void rank(std::int64_t time, std::span<const EventQuery> queries, EventAnswers& out,
            const RunLimits& limits) override;
  void score(const FactColumns& asked, std::span<float> scores, const RunLimits& limits) override;

  // One epoch over `train` from an empty memory: the mean loss. A part of fit(), for measurements
  // and tests.
  double train_epoch(const FactColumns& train, int epoch, const RunLimits& limits);
  // The mean over batches of the average precision of facts that follow what was learnt.
  double validate(const FactColumns& valid, const EventRules& rules, const RunLimits& limits);
  // The loss of facts, and of the same sources with other targets, by what was learnt; leaves its
  // gradient.
  double loss(const FactColumns& facts, std::span<const Index> others, std::uint32_t step);
  // Forgets what was learnt, and keeps parameters.
  void forget();

  const TgnPrograms& programs() const { return programs_; }
  ParameterSet& values() { return values_; }
  ParameterSet& gradients() { return gradients_; }
  // Must be said after values() was written to.
  void parameters_changed() { ++version_; }
  // Of an entity by now: zeros if nothing has happened to it.
  std::vector<float> state(Index entity);
  // Rows as in roots.
  Matrix embeddings(std::span<const TgnRoot> roots);

 private:
  Index kind_of(Index relation, bool from_source) const;
  void refresh(std::span<const Index> nodes);
  void absorb(const FactColumns& facts);
  // logit = sum over j of out_j relu((source_j + kind_j) + target_j), in this order.
  void kind_part(Index relation, std::vector<float>& out);
  float logit(const float* source, const float* kind, const float* target);
  void collect_targets(const FactColumns& train);
  Index draw_target(Index relation, Stream& stream) const;
  const Matrix& part_of(int parameter, const Matrix& z, Matrix& out);

  EventWorld world_;
  TgnSettings settings_;
  StreamKey key_;
  Threads threads_;
  TgnPrograms programs_;
  Program training_, embedding_, updating_;  // compiled
  ParameterSet values_, gradients_;
  Adam adam_;
  std::uint32_t steps_ = 0;

  NodeMemory memory_;
  RecentNeighbours neighbours_;
  EventBlocks blocks_;
  bool any_ = false;                    // anything was learnt
  std::int64_t block_ = 0;              // number of the block of the last fact, from 1
  std::vector<std::int64_t> of_block_;  // by entity: the block in which its state was last updated
  // States with messages, as of parameters `version_`: 0, or the version at which they were made.
  Matrix fresh_;
  std::vector<std::int64_t> fresh_version_;
  std::int64_t version_ = 1;

  std::vector<std::vector<Index>> targets_;  // by relation: ascending, each once
  TgnBatch batch_, update_batch_;
  AlignedVector<float> training_memory_, embedding_memory_, updating_memory_;
  std::vector<Index> stale_;
};

// Upper estimate of what a Tgn holds.
[[nodiscard]] std::size_t tgn_bytes(const EventWorld& world, const TgnSettings& settings);

}  // namespace cupel
