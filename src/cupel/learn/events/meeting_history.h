// Who has met whom, ever: what models sample neighbourhoods from that reach back in time, from a
// meeting to those before it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "cupel/base/random.h"
#include "cupel/learn/events/recent_neighbours.h"

namespace cupel {

// Memory: 24 bytes a meeting, twice that while it grows. Safe to read from many threads.
class MeetingHistory {
 public:
  explicit MeetingHistory(Index entities) : of_(static_cast<std::size_t>(entities)) {}

  void clear();
  // Not before any earlier meeting of the entity.
  void add(Index entity, const Meeting& meeting) {
    of_[static_cast<std::size_t>(entity)].push_back(meeting);
  }
  // Those of an entity before `time`, in the order of add().
  std::span<const Meeting> before(Index entity, std::int64_t time) const;

 private:
  std::vector<std::vector<Meeting>> of_;
};

// Which of the meetings before a time are taken where there are more than wanted.
enum class MeetingSample : std::uint8_t {
  kRecent,    // the last ones
  kEarliest,  // the first ones
  kUniform,   // any, without repetition
};

// Appends at most `most` meetings of an entity before a time, of both the history and the block, in
// the order of time. `draws` has a stream for each sample, which the caller names.
void sample_meetings(const MeetingHistory& history, const BlockMeetings& block,
                     const TimedEntity& root, Index most, MeetingSample sample, Stream draws,
                     std::vector<Meeting>& out);

}  // namespace cupel
