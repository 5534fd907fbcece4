// Who has met whom last: what models sample neighbourhoods from, as time goes on.
//
// The "most recent neighbours" of Rossi et al., "Temporal Graph Networks for Deep Learning on
// Dynamic Graphs", 2020, section 3.1.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "cupel/base/matrix.h"

namespace cupel {

struct Meeting {
  std::int64_t time = 0;
  Index with = 0;
  Index kind = 0;  // a number that the caller gives
  friend bool operator==(const Meeting&, const Meeting&) = default;
};

// An entity at a time, before which its meetings are looked for.
struct TimedEntity {
  Index entity = 0;
  std::int64_t time = 0;
};

// Of each entity its last `keep` meetings. Memory: 24 * keep + 8 bytes an entity. Copying copies
// all, so that a copy is a snapshot. Safe to read from many threads.
class RecentNeighbours {
 public:
  // keep >= 1.
  RecentNeighbours(Index entities, Index keep);

  void clear();
  // Not before any earlier meeting of the entity. The oldest is forgotten where there are `keep`.
  void add(Index entity, const Meeting& meeting);
  // Appends the last `most` of the kept meetings that are before `time`, from the oldest to the
  // last; in the order in which they were added where times are equal. Returns how many.
  Index before(Index entity, std::int64_t time, Index most, std::vector<Meeting>& out) const;
  Index keep() const { return keep_; }

 private:
  Index keep_;
  std::vector<Meeting> ring_;         // keep_ for each entity
  std::vector<std::uint64_t> added_;  // by entity: how many ever; the next place is that % keep_
};

// Meetings that are not among the kept ones yet: those of a block of facts, each of which is to be
// seen by what the same block has after it. Safe to read from many threads.
class BlockMeetings {
 public:
  struct Of {
    Index entity = 0;
    Meeting meeting;
  };
  void clear() { all_.clear(); }
  // In the order of time.
  void add(Index entity, const Meeting& meeting);
  // Must be called after the last add().
  void finish();
  // Those of an entity before `time`, in the order of add().
  std::span<const Of> before(Index entity, std::int64_t time) const;
  // As RecentNeighbours::before(), of both together.
  Index before(const RecentNeighbours& kept, Index entity, std::int64_t time,
               std::vector<Meeting>& out) const;

 private:
  std::vector<Of> all_;  // by entity, then in the order of add()
};

}  // namespace cupel
