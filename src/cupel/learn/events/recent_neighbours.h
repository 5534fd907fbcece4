// Who has met whom last: what models sample neighbourhoods from, as time goes on.
//
// The "most recent neighbours" of Rossi et al., "Temporal Graph Networks for Deep Learning on
// Dynamic Graphs", 2020, section 3.1.
#pragma once

#include <cstdint>
#include <vector>

#include "cupel/base/matrix.h"

namespace cupel {

struct Meeting {
  std::int64_t time = 0;
  Index with = 0;
  Index kind = 0;  // a number that the caller gives
  friend bool operator==(const Meeting&, const Meeting&) = default;
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
  // Appends those of the kept meetings that are before `time`, from the oldest to the last; in the
  // order in which they were added where times are equal. Returns how many.
  Index before(Index entity, std::int64_t time, std::vector<Meeting>& out) const;

 private:
  Index keep_;
  std::vector<Meeting> ring_;         // keep_ for each entity
  std::vector<std::uint64_t> added_;  // by entity: how many ever; the next place is that % keep_
};

}  // namespace cupel
