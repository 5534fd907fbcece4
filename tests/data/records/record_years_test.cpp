#include "cupel/data/records/record_years.h"

#include <gtest/gtest.h>

namespace cupel {
namespace {

TEST(RecordYears, AreYearsOrDates) {
  for (const char* text :
       {"2019", " 2019.0 ", "2019-05", "2019/5", "2019-12-03", "2019-05-03T10:00:00Z",
        "2019/05/03 10:00", "2019-05-03T10:00:00.000+0000", "2019-05-03 10:00:00 -05:00",
        "2019-05-03+02:00", "2019-05-03Z", "2019-05-03T100000Z"}) {
    std::optional<int> year;
    EXPECT_TRUE(read_year(text, year)) << text;
    EXPECT_EQ(year, 2019) << text;
  }
}

TEST(RecordYears, OrAreNotThere) {
  for (const char* text : {"", "NA", "NaN", "None", "null"}) {
    std::optional<int> year = 7;
    EXPECT_TRUE(read_year(text, year)) << text;
    EXPECT_FALSE(year) << text;
  }
}

// "2019-2020" says when something began and ended; which of them would be the year?
TEST(RecordYears, SpansAndOtherTextsAreNone) {
  for (const char* text : {"2019-2020",
                           "2019-20",
                           "2019/2020",
                           "2019-13",
                           "2019-00",
                           "2019-",
                           "19",
                           "soon",
                           "2019.5",
                           "2019-05-03/2020-05-03",
                           "2019-05-03 - 2020-05-03",
                           "2019-05-03-2020",
                           "2019-05-03 2020",
                           "2019-05/2020-03",
                           "2019-05 - 2020-03",
                           "2019/05/03-2020/05/03",
                           "2019-05-03/05",
                           "2019-05/06",
                           "2019-05-03T10:00/2019-05-04T10:00",
                           "2019-05-03 10:00 - 2020-05-03 10:00",
                           "2019-05-03 10:00 -2020"}) {
    std::optional<int> year = 7;
    EXPECT_FALSE(read_year(text, year)) << text;
    EXPECT_EQ(year, 7) << text;
  }
}

}  // namespace
}  // namespace cupel
