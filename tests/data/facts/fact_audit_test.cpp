// What repetition answers, against a look at every earlier fact and counts by plain Python.
#include "cupel/data/facts/fact_audit.h"

#include <gtest/gtest.h>

#include <limits>
#include <string_view>
#include <tuple>

#include "data/facts/made.h"
#include "data/facts/real_facts.h"

namespace cupel {
namespace {

using made::MadeFacts;

TEST(Repetition, IsWhatEarlierFactsShow) {
  for (const std::vector<std::uint8_t>& undirected :
       {std::vector<std::uint8_t>{}, std::vector<std::uint8_t>{0, 1}}) {
    const MadeFacts made = made::random_facts(3, 900, 30, 2, 10);
    const TimeParts parts = parts_at(made.columns(), {1994, 1995, 1998}, "made");
    Offset in_training = 0, before = 0;
    for (Offset i = parts.valid_end; i < parts.test_end; ++i) {
      bool trained = false, stood = false;
      const auto [s, r, o] = made.triple(i);
      for (Offset k = 0; k < i; ++k) {
        const auto [a, b, c] = made.triple(k);
        const bool turned =
            !undirected.empty() && undirected[static_cast<std::size_t>(r)] != 0 && a == o && c == s;
        if (b != r || !((a == s && c == o) || turned)) continue;
        trained = trained || k < parts.train_end;
        stood = stood ||
                made.time[static_cast<std::size_t>(k)] < made.time[static_cast<std::size_t>(i)];
      }
      in_training += trained, before += stood;
    }
    const Repetition found = repetition(made.columns(), parts, undirected, {});
    EXPECT_EQ(found.test, parts.test_end - parts.valid_end);
    EXPECT_EQ(found.in_training, in_training);
    EXPECT_EQ(found.before, before);
    EXPECT_GT(before, in_training);
    EXPECT_GT(found.test, before);
  }
}

// By a set that each step is added to once it was asked.
TEST(Repetition, OfRealFacts) {
  for (const auto& [name, cuts, before] :
       {std::tuple("ICEWS18", TimeCuts{5736, 6456, 7272}, Offset{24985}),
        std::tuple("YAGO", TimeCuts{177, 182, 188}, Offset{18570})}) {
    MadeFacts made;
    for (const char* part : {"train", "valid", "test"})
      if (!made::read_real(std::string(name) + "/" + part + ".txt", true, made))
        GTEST_SKIP() << "needs CUPEL_DATA with temporal/" << name;
    EXPECT_EQ(repetition(made.columns(), parts_at(made.columns(), cuts, name), {}, {}).before,
              before);
  }
  MadeFacts read;
  ASSERT_TRUE(made::read_real("CollegeMsg/CollegeMsg.txt", false, read));
  const MadeFacts made = made::sorted(read);
  EXPECT_EQ(repetition(made.columns(), {41884, 50859, 59835}, {}, {}).before, 6399);
  EXPECT_EQ(time_grain(made.time).steps, 58911);
}

// Days as Python's datetime counts them: 2019-01-01 is day 17,897, 2020-01-01 365 days later.
TEST(FirstDays, AreThoseOfYearsAndMonths) {
  const auto found = [](const std::vector<std::int64_t>& time, std::string_view unit) {
    const FirstDays f = first_days(time, unit);
    return std::tuple(f.facts_of_years, f.years, f.facts_of_months, f.months);
  };
  const std::vector<std::int64_t> days = {-365, 17897, 17897, 17898, 17897 + 31, 18262};
  EXPECT_EQ(found(days, "day"), std::tuple(4, 3, 5, 4));
  std::vector<std::int64_t> seconds;
  for (const std::int64_t day : days) seconds.push_back(day * 86400);
  EXPECT_EQ(found(seconds, "second"), std::tuple(4, 3, 5, 4));
  for (std::int64_t& second : seconds) second += 86399;  // at its end
  EXPECT_EQ(found(seconds, "second"), std::tuple(4, 3, 5, 4));
  for (const char* unit : {"", "year", "hour"})
    EXPECT_EQ(found(days, unit), std::tuple(0, 0, 0, 0));
  EXPECT_EQ(found({}, "day"), std::tuple(0, 0, 0, 0));
  EXPECT_EQ(found({std::numeric_limits<std::int64_t>::min()}, "second"), std::tuple(0, 0, 0, 0));
}

TEST(TimeGrain, CountsStepsAndWhatTheyAreMultiplesOf) {
  const auto grain = [](const std::vector<std::int64_t>& time) {
    const TimeGrain g = time_grain(time);
    return std::tuple(g.steps, g.largest_step, g.multiple);
  };
  EXPECT_EQ(grain({}), std::tuple(0, 0, 0u));
  EXPECT_EQ(grain({7, 7}), std::tuple(1, 2, 0u));
  EXPECT_EQ(grain({5, 29, 29, 29, 101}), std::tuple(3, 3, 24u));
  EXPECT_EQ(
      grain({std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()}),
      std::tuple(2, 1, std::numeric_limits<std::uint64_t>::max()));
}

}  // namespace
}  // namespace cupel
