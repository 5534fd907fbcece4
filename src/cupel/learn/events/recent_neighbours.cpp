#include "cupel/learn/events/recent_neighbours.h"

#include <algorithm>
#include <stdexcept>

namespace cupel {

RecentNeighbours::RecentNeighbours(Index entities, Index keep)
    : keep_(keep),
      ring_(static_cast<std::size_t>(entities) *
            static_cast<std::size_t>(std::max(keep, Index{1}))),
      added_(static_cast<std::size_t>(entities)) {
  if (keep < 1) throw std::logic_error("[events] no neighbour is kept");
}

void RecentNeighbours::clear() { std::ranges::fill(added_, 0); }

void RecentNeighbours::add(Index entity, const Meeting& meeting) {
  const auto keep = static_cast<std::uint64_t>(keep_);
  std::uint64_t& added = added_[static_cast<std::size_t>(entity)];
  ring_[static_cast<std::size_t>(entity) * keep + added % keep] = meeting;
  ++added;
}

Index RecentNeighbours::before(Index entity, std::int64_t time, std::vector<Meeting>& out) const {
  const auto keep = static_cast<std::uint64_t>(keep_);
  const std::uint64_t added = added_[static_cast<std::size_t>(entity)];
  const Meeting* ring = ring_.data() + static_cast<std::size_t>(entity) * keep;
  Index count = 0;
  for (std::uint64_t at = added - std::min(added, keep); at < added; ++at, ++count) {
    const Meeting& meeting = ring[at % keep];
    if (meeting.time >= time) break;
    out.push_back(meeting);
  }
  return count;
}

}  // namespace cupel
