// The recurrency baseline: what has been is what will be, the sooner the later it was. Gastinger et
// al., "History Repeats Itself: A Baseline for Temporal Knowledge Graph Forecasting", IJCAI 2024;
// recurrency_terms.h has the formulas.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "cupel/learn/events/event_model.h"
#include "cupel/learn/events/recurrency_terms.h"

namespace cupel {

struct RecurrencySettings {
  // How fast the past fades, and the share of psi (strict recurrency) in the score; the rest is xi
  // (relaxed recurrency): alpha 1 is psi alone, 0 is xi alone. Nothing: fit() chooses for each
  // relation, and each direction of it, by mean reciprocal rank on validation facts.
  std::optional<double> lambda = std::nullopt, alpha = std::nullopt;
  // So many units of time before the asked one count; 0: all do.
  std::int64_t window = 0;
  // What lambda and window count in, in units of the facts' time. 0: fit() takes the median
  // distance between successive different times of training (the lower one of two); without fit(),
  // 1. The published results have a unit of one step: 24 hours in ICEWS18, a year in YAGO.
  std::int64_t unit = 0;
};

// Queries are of two directions of a relation, each with its own history and choice; an undirected
// relation has one, in which both ends of a fact are objects (a loop is one object, not two).
// Several statements of a fact count as several, at one time too. Facts that were learnt of the
// asked time itself count, with age 0.
//
// Answers are places: minus the number of entities that score higher, so that no difference is lost
// to a float (up to 2^24 objects of a relation are told apart). Ties are ties. Entities that were
// never object of the relation share the last place.
//
// fit() tries the values below as the paper does: each lambda with alpha 1, then each alpha with
// the lambda that was best; ranks are of the time filter among all entities, ties at their mean;
// the first of equals is taken. Where validation has no fact, and without fit(), lambda is 0.1 and
// alpha 0.99. If several steps are asked at once, validation is answered from training alone. It
// takes O(facts + sum over questions of what the objects of their given entity cost), twice.
//
// Memory: at most 310 bytes a fact without a window and 410 with one, all of them different; half
// of it as a rule. While fit() runs, besides 8 bytes a fact, at most 300 more for each fact of one
// relation whose given entity validation asks about. 2^31 - 1 facts of a relation at most: Error.
class Recurrency final : public EventModel {
 public:
  // Throws Error for settings out of range.
  Recurrency(const EventWorld& world, const RecurrencySettings& settings);

  void fit(const FactColumns& train, const FactColumns& valid, const EventRules& rules,
           const RunLimits& limits) override;
  void learn(const FactColumns& facts) override;
  void rank(std::int64_t time, std::span<const EventQuery> queries, EventAnswers& out,
            const RunLimits& limits) override;
  // The mean of the scores of both directions.
  void score(const FactColumns& asked, std::span<float> scores, const RunLimits& limits) override;

  // By direction: 2 r asks for targets of relation r, 2 r + 1 for sources; undirected relations
  // have the first only.
  const std::vector<RecurrencyChoice>& choices() const { return choices_; }
  std::int64_t unit() const { return unit_; }

 private:
  std::size_t direction(Index relation, bool source_asked) const;
  std::int64_t window() const;  // in the facts' time
  RecurrencyHistory& history(std::size_t direction);
  double score_of(std::size_t direction, Index given, Index object, std::int64_t time);
  void answer(std::size_t direction, Index given, std::int64_t time);
  void name_recalled(const ObjectCounts& objects);
  void name_objects(const ObjectCounts& objects, const RecurrencyWeights& weights);

  EventWorld world_;
  RecurrencySettings settings_;
  std::int64_t unit_ = 1;
  std::vector<RecurrencyChoice> choices_;
  std::vector<std::unique_ptr<RecurrencyHistory>> histories_;
  bool learnt_ = false;
  // Of the answer being made.
  struct Scored {
    double score = 0;
    Index slot = 0;
  };
  RecurrencyHistory::Recalled recalled_;
  std::vector<Scored> scored_;
  std::vector<Index> counts_;
  std::vector<EntityScore> named_;
  float rest_ = 0;
};

[[nodiscard]] std::unique_ptr<EventModel> make_recurrency(const EventWorld& world,
                                                          const RecurrencySettings& settings);

}  // namespace cupel
