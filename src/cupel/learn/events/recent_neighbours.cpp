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

Index RecentNeighbours::before(Index entity, std::int64_t time, Index most,
                               std::vector<Meeting>& out) const {
  const auto keep = static_cast<std::uint64_t>(keep_);
  const std::uint64_t added = added_[static_cast<std::size_t>(entity)];
  const Meeting* ring = ring_.data() + static_cast<std::size_t>(entity) * keep;
  std::uint64_t end = added;
  const std::uint64_t oldest = added - std::min(added, keep);
  while (end > oldest && ring[(end - 1) % keep].time >= time) --end;
  const std::uint64_t begin = end - std::min(end - oldest, static_cast<std::uint64_t>(most));
  for (std::uint64_t at = begin; at < end; ++at) out.push_back(ring[at % keep]);
  return static_cast<Index>(end - begin);
}

void BlockMeetings::add(Index entity, const Meeting& meeting) { all_.push_back({entity, meeting}); }

void BlockMeetings::finish() { std::ranges::stable_sort(all_, {}, &Of::entity); }

std::span<const BlockMeetings::Of> BlockMeetings::before(Index entity, std::int64_t time) const {
  const auto of = std::ranges::equal_range(all_, entity, {}, &Of::entity);
  const auto end =
      std::ranges::lower_bound(of, time, {}, [](const Of& one) { return one.meeting.time; });
  return {of.begin(), end};
}

Index BlockMeetings::before(const RecentNeighbours& kept, Index entity, std::int64_t time,
                            std::vector<Meeting>& out) const {
  std::span<const Of> fresh = before(entity, time);
  if (std::ssize(fresh) > kept.keep()) fresh = fresh.last(static_cast<std::size_t>(kept.keep()));
  const auto count = static_cast<Index>(fresh.size());
  const Index old = kept.before(entity, time, kept.keep() - count, out);
  for (const Of& one : fresh) out.push_back(one.meeting);
  return old + count;
}

}  // namespace cupel
