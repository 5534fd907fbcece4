#include "cupel/learn/events/recent_neighbours.h"

#include <gtest/gtest.h>

#include "cupel/base/random.h"

namespace cupel {
namespace {

// All meetings are kept, and looked through.
struct Slow {
  struct Row {
    Index entity;
    Meeting meeting;
  };
  std::vector<Row> rows;

  std::vector<Meeting> before(Index entity, std::int64_t time, std::size_t keep) const {
    std::vector<Meeting> all;
    for (const Row& row : rows)
      if (row.entity == entity) all.push_back(row.meeting);
    if (all.size() > keep) all.erase(all.begin(), all.end() - static_cast<std::ptrdiff_t>(keep));
    std::erase_if(all, [&](const Meeting& m) { return m.time >= time; });
    return all;
  }
};

TEST(RecentNeighbours, EqualsALookThroughAll) {
  constexpr Index kEntities = 6;
  for (const Index keep : {1, 2, 3, 10}) {
    Stream random(stream_key("meetings"), static_cast<std::uint32_t>(keep));
    RecentNeighbours fast(kEntities, keep);
    Slow slow;
    std::int64_t time = -5;
    int found = 0, cut = 0;
    for (int i = 0; i < 400; ++i) {
      time += random.next_below(3);
      const auto entity = static_cast<Index>(random.next_below(kEntities - 1));  // one is alone
      const Meeting meeting = {time, static_cast<Index>(random.next_below(kEntities)), i};
      fast.add(entity, meeting);
      slow.rows.push_back({entity, meeting});
      for (Index e = 0; e < kEntities; ++e)
        for (const std::int64_t at : {time - 4, time, time + 1}) {
          std::vector<Meeting> got = {{99, 98, 97}};
          const Index count = fast.before(e, at, keep, got);
          ASSERT_EQ(got.front(), (Meeting{99, 98, 97})) << "what was there is kept";
          got.erase(got.begin());
          ASSERT_EQ(got, slow.before(e, at, static_cast<std::size_t>(keep)));
          ASSERT_EQ(count, std::ssize(got));
          found += count > 0, cut += count < keep && count > 0;
        }
    }
    EXPECT_GT(found, 100);
    if (keep > 1) {
      EXPECT_GT(cut, 10);
    }
  }
}

// Meetings of a block, most of which lie ahead, beside kept ones.
TEST(BlockMeetings, EqualALookThroughBoth) {
  constexpr Index kEntities = 6;
  for (const Index keep : {1, 2, 3, 10}) {
    Stream random(stream_key("blocks"), static_cast<std::uint32_t>(keep));
    RecentNeighbours kept(kEntities, keep);
    BlockMeetings block;
    std::int64_t time = -5;
    int both = 0;
    for (int round = 0; round < 40; ++round) {
      Slow slow;
      const auto draw = [&](int id) {
        time += random.next_below(3);
        slow.rows.push_back({static_cast<Index>(random.next_below(kEntities - 1)), {time, 0, id}});
        return slow.rows.back();
      };
      kept.clear(), block.clear();
      for (int i = 0; i < 15; ++i) {
        const auto [entity, meeting] = draw(i);
        kept.add(entity, meeting);
      }
      const std::int64_t begin = ++time;
      for (int i = 15; i < 30; ++i) {
        const auto [entity, meeting] = draw(i);
        block.add(entity, meeting);
      }
      block.finish();
      for (Index e = 0; e < kEntities; ++e)
        for (std::int64_t at = begin; at <= time + 1; ++at) {
          Slow past;
          for (const Slow::Row& row : slow.rows)
            if (row.meeting.time < at) past.rows.push_back(row);
          std::vector<Meeting> got;
          const Index count = block.before(kept, e, at, got);
          ASSERT_EQ(got, past.before(e, at, static_cast<std::size_t>(keep)));
          ASSERT_EQ(count, std::ssize(got));
          both += count > 1 && got.front().time < begin && got.back().time >= begin;
        }
    }
    if (keep > 1) {
      EXPECT_GT(both, 100);
    }
  }
}

TEST(RecentNeighbours, ACopyIsASnapshot) {
  RecentNeighbours recent(2, 2);
  recent.add(0, {1, 1, 0});
  const RecentNeighbours kept = recent;
  recent.add(0, {2, 1, 0});
  std::vector<Meeting> out;
  EXPECT_EQ(kept.before(0, 9, 2, out), 1);
  recent.clear();
  EXPECT_EQ(recent.before(0, 9, 2, out), 0);
  recent = kept;
  EXPECT_EQ(recent.before(0, 9, 2, out), 1);
}

}  // namespace
}  // namespace cupel
