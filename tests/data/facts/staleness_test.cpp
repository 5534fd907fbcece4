// Staleness against a look at every earlier fact, and on real data.
#include "cupel/data/facts/staleness.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <optional>

#include "data/facts/made.h"
#include "data/facts/real_facts.h"

namespace cupel {
namespace {

using made::MadeFacts;
using made::random_facts;

Staleness slow_bin(const MadeFacts& made, Offset fact) {
  const auto at = static_cast<std::size_t>(fact);
  std::optional<std::int64_t> last;
  for (std::size_t i = 0; i < made.time.size(); ++i)
    if (made.time[i] < made.time[at] &&
        (made.source[i] == made.source[at] || made.target[i] == made.source[at]))
      last = std::max(last.value_or(made.time[i]), made.time[i]);
  if (!last) return Staleness::never;
  const std::int64_t gap = made.time[at] - *last;
  if (gap <= 1) return Staleness::one;
  if (gap <= 2) return Staleness::two;
  return gap <= 5 ? Staleness::three_to_five : Staleness::longer;
}

TEST(Staleness, IsThatOfTheLastStepBefore) {
  struct Case {
    std::uint32_t seed;
    std::int64_t gap;
  };
  for (const auto& [seed, gap] : {Case{1, 1}, Case{2, 1}, Case{3, 3}, Case{4, 7}, Case{5, 2}}) {
    const MadeFacts made = random_facts(seed, 260, 50, 3, 40, 1990, gap);
    const TimeParts parts =
        parts_at(made.columns(), {1990 + 15 * gap, 1990 + 18 * gap, 1990 + 36 * gap}, "made");
    const FactStaleness stale = fact_staleness(made.columns(), parts);
    StalenessCounts all = {};
    std::vector<StalenessCounts> by_relation(3);
    for (Offset i = parts.valid_end; i < parts.test_end; ++i) {
      const Staleness bin = stale.of[static_cast<std::size_t>(i - parts.valid_end)];
      ASSERT_EQ(bin, slow_bin(made, i)) << i;
      ++all[static_cast<std::size_t>(bin)];
      ++by_relation[static_cast<std::size_t>(made.relation[static_cast<std::size_t>(i)])]
                   [static_cast<std::size_t>(bin)];
    }
    EXPECT_EQ(stale.all, all);
    EXPECT_EQ(stale.by_relation, by_relation);
    EXPECT_TRUE(gap != 1 || std::count(all.begin(), all.end(), 0) == 0);
  }
}

TEST(Staleness, FactsOfTheSameStepAndParts) {
  MadeFacts made;
  made.add(0, 0, 1, 1);
  made.add(2, 0, 3, 3);  // validation
  made.add(1, 0, 4, 4);  // 1 was a target three steps ago
  made.add(4, 0, 1, 4);  // 4 is new: what is of this step does not count
  made.add(3, 0, 0, 5);  // 3 was a target in validation
  made.add(4, 0, 0, 5);  // 4 was in the test part
  made.add(0, 0, 4, 6);
  const FactStaleness stale = fact_staleness(made.columns(), {1, 2, 7});
  EXPECT_EQ(stale.of, (std::vector{Staleness::three_to_five, Staleness::never, Staleness::two,
                                   Staleness::one, Staleness::one}));
}

TEST(Staleness, ExtremeTimesAreOrdinary) {
  MadeFacts made;
  made.add(0, 0, 1, std::numeric_limits<std::int64_t>::min());
  made.add(0, 0, 1, 0);
  made.add(1, 0, 0, std::numeric_limits<std::int64_t>::max());
  made.add(2, 0, 0, std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(fact_staleness(made.columns(), {1, 1, 4}).of,
            (std::vector{Staleness::longer, Staleness::longer, Staleness::never}));
}

// By plain Python: the sorted times of each node's facts, and bisect.
TEST(Staleness, OfIcews18InDaysAndInHours) {
  MadeFacts made;
  for (const char* part : {"train", "valid", "test"})
    if (!made::read_real(std::string("ICEWS18/") + part + ".txt", true, made))
      GTEST_SKIP() << "needs CUPEL_DATA with temporal/ICEWS18";
  const TimeParts parts = parts_at(made.columns(), {5736, 6456, 7272}, "ICEWS18");
  EXPECT_EQ(fact_staleness(made.columns(), parts).all, (StalenessCounts{0, 0, 0, 48798, 747}));
  for (std::int64_t& hour : made.time) hour /= 24;
  EXPECT_EQ(fact_staleness(made.columns(), parts).all,
            (StalenessCounts{31962, 3708, 4484, 8644, 747}));
}

TEST(Staleness, OfYago) {
  MadeFacts made;
  for (const char* part : {"train", "valid", "test"})
    if (!made::read_real(std::string("YAGO/") + part + ".txt", true, made))
      GTEST_SKIP() << "needs CUPEL_DATA with temporal/YAGO";
  EXPECT_EQ(fact_staleness(made.columns(), parts_at(made.columns(), {177, 182, 188}, "YAGO")).all,
            (StalenessCounts{19296, 51, 112, 394, 173}));
}

TEST(Staleness, OfCollegeMessages) {
  MadeFacts read;
  if (!made::read_real("CollegeMsg/CollegeMsg.txt", false, read))
    GTEST_SKIP() << "needs CUPEL_DATA with temporal/CollegeMsg";
  const MadeFacts made = made::sorted(read);
  const TimeParts parts = {41884, 50859, 59835};
  EXPECT_EQ(fact_staleness(made.columns(), parts).all, (StalenessCounts{119, 14, 24, 8776, 43}));
}

}  // namespace
}  // namespace cupel
