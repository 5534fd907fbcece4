// Whom an entity met by a relation, step by step of the data's time.
//
// O_t^r(s) of Jin et al., "Recurrent Event Network", EMNLP 2020, section 2, and, for the other end,
// S_t^r(o); as `pre_transform` of PyTorch Geometric's RENet gathers them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "cupel/learn/events/event_model.h"
#include "cupel/learn/events/key_numbers.h"

namespace cupel {

// Steps are the times at which there are facts, whatever lies between them. A fact counts as often
// as it stands. A kind is r for whom an entity met as a source, relations + r as a target; of a
// relation without direction either end meets the other by r. Memory: at most 230 bytes a fact.
// Not thread-safe.
class PairHistories {
 public:
  struct Met {
    Index step, who;
  };

  explicit PairHistories(const EventWorld& world);

  // Ascending by time, and later than what was added before, or of the last time of it. Cuts do not
  // show.
  void add(const FactColumns& facts);
  void clear();
  // Forgets all steps from this one on.
  void keep(Index steps);

  Index steps() const { return static_cast<Index>(times_.size()); }
  // How many of them are before `time`.
  Index steps_before(std::int64_t time) const;
  // At steps [first, last), ascending, within one in the order of facts.
  std::span<const Met> met(Index entity, Index kind, Index first, Index last) const;

 private:
  void meet(Index entity, Index kind, Index who);
  std::uint64_t key_of(Index entity, Index kind) const {
    return static_cast<std::uint64_t>(entity) * 2 * static_cast<std::uint64_t>(relations_) +
           static_cast<std::uint64_t>(kind);
  }

  Index relations_;
  Undirected undirected_;
  std::vector<std::int64_t> times_;
  KeyNumbers pairs_;
  std::vector<std::vector<Met>> met_;  // by pair
};

}  // namespace cupel
