// What entities remember of what happened to them: a state each, and the last message that has not
// gone into it yet.
//
// Rossi et al., "Temporal Graph Networks for Deep Learning on Dynamic Graphs", 2020, sections 3.1
// and 3.2, with the identity as message function and the last message as aggregate, and algorithm 2
// (appendix): a message waits until its entity takes part in something again, so that the function
// that updates states has a gradient. Who owns the memory says what that function is.
#pragma once

#include <cstdint>
#include <vector>

#include "cupel/base/matrix.h"
#include "cupel/learn/events/time_between.h"

namespace cupel {

// A block of facts in which the state of an entity is updated once: at least `size` facts, and
// whole steps of time. Where blocks begin follows from the facts alone, not from how many are
// handed over at once.
class EventBlocks {
 public:
  explicit EventBlocks(Offset size) : size_(size) {}
  // Whether a fact of that time, not before the last one's, begins a block.
  bool begins(std::int64_t time) const { return facts_ == 0 || (facts_ >= size_ && time != time_); }
  // Goes on to the next fact; true if it begins a block.
  bool next(std::int64_t time) {
    const bool begins = this->begins(time);
    facts_ = begins ? 1 : facts_ + 1;
    time_ = time;
    return begins;
  }

 private:
  Offset size_, facts_ = 0;
  std::int64_t time_ = 0;
};

// States are zero at first. A message of entity i says: what the states of i and of its partner
// were, of which kind the fact was, and how long before it the last message of i was that went into
// its state. Memory: 8 * width + 24 bytes an entity. Copying copies all, so that a copy is a
// snapshot. Not thread-safe.
class NodeMemory {
 public:
  static constexpr Index kNone = -1;

  NodeMemory(Index entities, Index width);

  // As at first. `origin` is the time of the last update of who has had none.
  void clear(std::int64_t origin);

  Index width() const { return state_.cols; }
  const float* state(Index entity) const { return state_.row(entity); }
  bool has_message(Index entity) const { return kind(entity) != kNone; }
  // Of the message, if there is one.
  const float* partner(Index entity) const { return partner_.row(entity); }
  Index kind(Index entity) const { return kind_[static_cast<std::size_t>(entity)]; }
  // When its last message was, whether that has gone into its state or not; the origin if it never
  // had one.
  std::int64_t last(Index entity) const { return message_time_[static_cast<std::size_t>(entity)]; }
  float elapsed(Index entity) const {
    const auto at = static_cast<std::size_t>(entity);
    return elapsed_between(updated_[at], message_time_[at]);
  }

  // The message has gone into the state, which is now `state` (width values).
  void update(Index entity, const float* state);
  // A message, instead of the one that waits.
  void post(Index entity, Index partner, Index kind, std::int64_t time);

 private:
  Matrix state_, partner_;
  std::vector<std::int64_t> updated_, message_time_;
  std::vector<Index> kind_;
};

}  // namespace cupel
