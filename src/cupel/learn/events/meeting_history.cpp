#include "cupel/learn/events/meeting_history.h"

#include <algorithm>

namespace cupel {

void MeetingHistory::clear() {
  for (std::vector<Meeting>& of : of_) of.clear();
}

std::span<const Meeting> MeetingHistory::before(Index entity, std::int64_t time) const {
  const std::vector<Meeting>& of = of_[static_cast<std::size_t>(entity)];
  return {of.begin(), std::ranges::lower_bound(of, time, {}, &Meeting::time)};
}

void sample_meetings(const MeetingHistory& history, const BlockMeetings& block,
                     const TimedEntity& root, Index most, MeetingSample sample, Stream draws,
                     std::vector<Meeting>& out) {
  const std::span<const Meeting> old = history.before(root.entity, root.time);
  const std::span<const BlockMeetings::Of> fresh = block.before(root.entity, root.time);
  const std::size_t all = old.size() + fresh.size(), wanted = static_cast<std::size_t>(most);
  const auto take = [&](std::size_t at) {
    out.push_back(at < old.size() ? old[at] : fresh[at - old.size()].meeting);
  };
  if (all <= wanted || sample != MeetingSample::kUniform) {
    const std::size_t count = std::min(all, wanted),
                      first = sample == MeetingSample::kEarliest ? 0 : all - count;
    for (std::size_t at = first; at < first + count; ++at) take(at);
    return;
  }
  // Floyd's: each subset of that size is as likely as any other (Bentley and Floyd, "A sample of
  // brilliance", 1987).
  std::vector<std::size_t> chosen;
  for (std::size_t last = all - wanted; last < all; ++last) {
    const std::size_t at = draws.next_below(static_cast<std::uint32_t>(last + 1));
    chosen.push_back(std::ranges::find(chosen, at) == chosen.end() ? at : last);
  }
  std::ranges::sort(chosen);
  for (const std::size_t at : chosen) take(at);
}

}  // namespace cupel
