// The past as graphs, one for each step of time, and when each entity was at which end of a fact.
//
// Jin et al., "Recurrent Event Network: Autoregressive Structure Inference over Temporal Knowledge
// Graphs", EMNLP 2020, section 2: G_t, and the history of an entity.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "cupel/learn/events/event_model.h"

namespace cupel {

// An entity at a step is a place; places are numbered step by step, and by entity within one.
struct PlaceNeighbour {
  Index place = 0;
  // What comes from there: r from the source of a fact to its target, relations + r back.
  Index kind = 0;
};

// Each fact of a step counts once, and one without direction in both orders. Memory: 36 bytes a
// fact and 28 a place, of which a step has two a fact at most; 56 bytes an entity. Not thread-safe.
class Snapshots {
 public:
  explicit Snapshots(const EventWorld& world);

  // Ascending by time, and later than what was added before, or of the last time of it. Cuts do not
  // show.
  void add(const FactColumns& facts);
  void clear() { keep(0); }
  // Forgets all steps from this one on.
  void keep(Index steps);

  // Steps that need not be made any more; more facts may come to the last.
  Index settled() const { return static_cast<Index>(times_.size()); }
  // What was added, as steps; O(facts of the last one) where it is not finished.
  Index steps();
  // All of the following are of steps that steps() counted.
  std::int64_t time(Index step) const { return times_[at(step)]; }
  // The first place of a step, or of the one behind the last.
  Index begin(Index step) const { return begin_[at(step)]; }
  Index places() const { return begin_.back(); }
  Index entity(Index place) const { return entity_[at(place)]; }
  Index step_of(Index place) const { return step_of_[at(place)]; }
  std::span<const PlaceNeighbour> around(Index place) const {
    const auto first = static_cast<std::size_t>(ptr_[at(place)]);
    return {around_.data() + first, static_cast<std::size_t>(ptr_[at(place) + 1]) - first};
  }
  // Places at which the entity was a source (or a target): the last `length` before `time`,
  // ascending.
  std::span<const Index> history(Index entity, bool as_target, std::int64_t time,
                                 Index length) const;
  // The facts of a step that end (or begin) at a place.
  Index count(Index place, bool as_target) const { return counts_[as_target][at(place)]; }

 private:
  struct Fact {
    Index source, relation, target;
    friend auto operator<=>(const Fact&, const Fact&) = default;
  };
  template <class I>
  static std::size_t at(I i) {
    return static_cast<std::size_t>(i);
  }
  void settle();

  EventWorld world_;
  std::vector<Fact> open_;  // of the last step
  std::int64_t open_time_ = 0;
  bool stale_ = false;     // open_ is not, or not all of it, a step yet
  bool has_open_ = false;  // the last step is that of open_
  std::vector<std::int64_t> times_;
  std::vector<Index> begin_ = {0};
  std::vector<Index> entity_, step_of_;
  std::array<std::vector<Index>, 2> counts_;
  std::vector<Offset> ptr_ = {0};
  std::vector<PlaceNeighbour> around_;
  std::array<std::vector<std::vector<Index>>, 2> history_;  // by end, then entity
  std::vector<Index> place_of_;                             // by entity, while a step is made
};

}  // namespace cupel
