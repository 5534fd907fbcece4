// Days and seconds of texts, beside those of Python's datetime.
#include "cupel/base/calendar.h"

#include <gtest/gtest.h>

#include <limits>

namespace cupel {
namespace {

TEST(Calendar, Days) {
  EXPECT_EQ(day_of("1970-01-01"), 0);
  EXPECT_EQ(day_of("1969-12-31"), -1);
  EXPECT_EQ(day_of("2019-01-31"), 17927);
  EXPECT_EQ(day_of("2000-02-29"), 11016);
  EXPECT_EQ(day_of("0001-01-01"), -719162);
  for (const char* none : {"", "2019-1-31", "2019-02-29", "1900-02-29", "2019-00-10", "2019-13-10",
                           "2019-01-00", "2019-01-32", "2019/01/31", "2019-01-31 ", "+019-01-31",
                           "2019-01-3a", "20190131", "2019-01-31T00:00"})
    EXPECT_EQ(day_of(none), std::nullopt) << none;
}

TEST(Calendar, DatesOfDays) {
  for (const char* text : {"1000-01-01", "1969-12-31", "1970-01-01", "2000-02-29", "9999-12-31"}) {
    const auto date = date_of_day(*day_of(text));
    ASSERT_TRUE(date) << text;
    EXPECT_EQ(std::stoi(text), date->year);
    EXPECT_EQ(std::stoul(text + 5), date->month);
    EXPECT_EQ(std::stoul(text + 8), date->day);
  }
  EXPECT_FALSE(date_of_day(*day_of("1000-01-01") - 1));
  EXPECT_FALSE(date_of_day(std::numeric_limits<std::int64_t>::max()));
}

TEST(Calendar, Seconds) {
  EXPECT_EQ(second_of("1970-01-01T00:00:00Z"), 0);
  EXPECT_EQ(second_of("1969-12-31 23:59:59"), -1);
  EXPECT_EQ(second_of("2014-05-01T01:02"), 1398906120);
  EXPECT_EQ(second_of("2014-05-01 01:02:03.000"), 1398906123);
  EXPECT_EQ(second_of("2014-05-01T03:02:06+02:00"), 1398906126);
  EXPECT_EQ(second_of("2014-04-30 20:32-04:30"), 1398906120);
  for (const char* none :
       {"", "2019-02-03", "2019-02-03T", "2019-02-03T24:00", "2019-02-03T10:60",
        "2019-02-03 10:00:60", "2019-02-03T10:00:00.5", "2019-02-03T10:00:00 CET",
        "2019-02-03T10:00+1", "2019-02-30 10:00", "2019-02-03T-1:00", "2019-02-03T10:00:0",
        "2019-02-03T10:00:", "2019-02-03_10:00", "2019-02-03T10:00ZZ", "2019-02-03T10:00+24:00"})
    EXPECT_EQ(second_of(none), std::nullopt) << none;
}

TEST(Calendar, TextsAreReadAsTheSame) {
  EXPECT_EQ(text_of_day(17927), "2019-01-31");
  EXPECT_EQ(text_of_day(-1), "1969-12-31");
  EXPECT_EQ(text_of_second(-1), "1969-12-31 23:59:59");
  EXPECT_EQ(text_of_second(1398906123), "2014-05-01 01:02:03");
  for (std::int64_t day = -354285; day < 2932897; day += 997) {
    const auto text = text_of_day(day);
    ASSERT_TRUE(text.has_value()) << day;
    EXPECT_EQ(day_of(*text), day);
    const std::int64_t second = day * kSecondsOfDay + (day * 7919 % 86400 + 86400) % 86400;
    EXPECT_EQ(second_of(text_of_second(second).value_or("")), second);
  }
  // Years of other than four digits.
  for (const std::int64_t day :
       {std::int64_t{-354286}, std::int64_t{2932897}, std::numeric_limits<std::int64_t>::max(),
        std::numeric_limits<std::int64_t>::min()})
    EXPECT_EQ(text_of_day(day), std::nullopt) << day;
  EXPECT_EQ(text_of_second(std::numeric_limits<std::int64_t>::min()), std::nullopt);
  EXPECT_EQ(text_of_second(std::numeric_limits<std::int64_t>::max()), std::nullopt);
}

TEST(Calendar, SecondsWithAFractionAreTakenDownWhereThatIsTold) {
  const auto cut_of = [](const char* text) {
    bool cut = false;
    const auto second = second_of(text, &cut);
    return std::pair(second, cut);
  };
  EXPECT_EQ(cut_of("1970-01-01T00:00:07.250Z"), std::pair(std::optional<std::int64_t>(7), true));
  EXPECT_EQ(cut_of("1969-12-31 23:59:58.9"), std::pair(std::optional<std::int64_t>(-2), true));
  EXPECT_EQ(cut_of("1970-01-01T01:00:00.000001+01:00"),
            std::pair(std::optional<std::int64_t>(0), true));
  EXPECT_EQ(cut_of("1970-01-01T00:00:07.00"), std::pair(std::optional<std::int64_t>(7), false));
  EXPECT_EQ(cut_of("1970-01-01T00:00:07.5x").first, std::nullopt);
}

}  // namespace
}  // namespace cupel
