// Counts of objects in order: against a map that is counted anew.
#include "cupel/learn/events/object_counts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "cupel/base/random.h"

namespace cupel {
namespace {

TEST(ObjectCounts, AreThoseOfAMapAtEveryStep) {
  for (const std::uint32_t seed : {1u, 2u, 3u}) {
    ObjectCounts counts;
    std::map<Index, Index> slow;
    Stream draw({seed, 5}, 0);
    for (int step = 0; step < 500; ++step) {
      const auto object = static_cast<Index>(draw.next_below(40) * draw.next_below(1000));
      const bool up = draw.next_below(5) < 3 || !slow.contains(object) || slow[object] == 0;
      const Index slot = counts.find_or_add(object);
      up ? counts.add(slot) : counts.remove(slot);
      slow[object] += up ? 1 : -1;

      Offset total = 0;
      for (const auto& [o, n] : slow) {
        ASSERT_GE(counts.find(o), 0);
        ASSERT_EQ(counts.object(counts.find(o)), o);
        ASSERT_EQ(counts.count(counts.find(o)), n);
        total += n;
      }
      ASSERT_EQ(counts.total(), total);
      for (Index least = 1; least < 20; ++least)
        ASSERT_EQ(counts.at_least(least),
                  std::ranges::count_if(slow, [&](auto& x) { return x.second >= least; }));
      ASSERT_EQ(counts.places().size(), slow.size());
      Index before = 1 << 30;
      for (std::size_t i = 0; i < counts.places().size(); ++i) {
        const auto [o, s] = counts.places()[i];
        ASSERT_EQ(counts.object(s), o);
        ASSERT_EQ(counts.place(s), static_cast<Index>(i));
        ASSERT_LE(counts.count(s), before);
        before = counts.count(s);
      }
    }
    EXPECT_EQ(counts.find(123456789), -1);
  }
}

}  // namespace
}  // namespace cupel
