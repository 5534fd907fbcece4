// Scores of pairs of entities from their embeddings, as the programs of temporal graph networks
// have them (temporal_layers.h), without gradients and for many targets at once.
#pragma once

#include <span>
#include <vector>

#include "cupel/engine/program/parameters.h"
#include "cupel/learn/events/event_model.h"
#include "cupel/learn/events/temporal_layers.h"

namespace cupel {

// With one relation facts have no kind; with several a fact has one kind from its source and
// another from its target, unless it has no direction.
[[nodiscard]] Index kinds_of(const EventWorld& world);
[[nodiscard]] Index kind_of(const EventWorld& world, Index relation, bool from_source);

// The score is the logit, that of a fact without direction the mean of both orders. Not
// thread-safe.
class EventPairScorer {
 public:
  // The spans of `world` must outlive it.
  EventPairScorer(const EventWorld& world, const PairScorerPlaces& places, Threads threads)
      : world_(world), places_(places), threads_(threads) {}

  // z: the embeddings of source and target of each fact, at its time, in turn.
  void score(ParameterSet& values, const Matrix& z, const FactColumns& asked,
             std::span<float> scores);
  // z: of all entities, at the time that is asked.
  void rank(ParameterSet& values, const Matrix& z, std::span<const EventQuery> queries,
            EventAnswers& out, const RunLimits& limits);

 private:
  // logit = sum over j of out_j relu((source_j + kind_j) + target_j), in this order.
  void take_kind(ParameterSet& values, Index relation);
  float logit(ParameterSet& values, const float* source, const float* target) const;
  Matrix part_of(ParameterSet& values, int parameter, const Matrix& z) const;

  EventWorld world_;
  PairScorerPlaces places_;
  Threads threads_;
  std::vector<float> kind_;
};

}  // namespace cupel
