#include "cupel/data/build/words.h"

#include <gtest/gtest.h>

namespace cupel {
namespace {

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> out;
  for (const std::string_view word : words_of(text)) out.emplace_back(word);
  return out;
}

using Words = std::vector<std::string>;

TEST(Words, AreRunsOfLettersAndDigits) {
  EXPECT_EQ(split("Fantastic Food: 160 Great Recipes (4th ed.)"),
            (Words{"Fantastic", "Food", "160", "Great", "Recipes", "4th", "ed"}));
  EXPECT_EQ(split(""), Words{});
  EXPECT_EQ(split(" -- "), Words{});
  EXPECT_EQ(split("caf\xc3\xa9\xe2\x80\x94\xe2\x80\x9cna\xc3\xafve\xe2\x80\x9d"),
            (Words{"caf\xc3\xa9", "na\xc3\xafve"}));
  EXPECT_EQ(split("a\xc2\xa0"
                  "b\xc2\xbf"
                  "c 2\xc3\x97"
                  "3"),
            (Words{"a", "b", "c", "2", "3"}));
  EXPECT_EQ(split("\xe6\x9d\xb1\xe4\xba\xac \xf0\x9d\x94\x98"),
            (Words{"\xe6\x9d\xb1\xe4\xba\xac", "\xf0\x9d\x94\x98"}));
}

TEST(Words, LowerCase) {
  EXPECT_EQ(lower_case("AbZ \xc3\x89\xc3\x80\xc3\x9e\xc3\x97\xc3\x9f\xc3\xa9"),
            "abz \xc3\xa9\xc3\xa0\xc3\xbe\xc3\x97\xc3\x9f\xc3\xa9");
  EXPECT_EQ(spellings("The", "either"), (Words{"The", "the"}));
  EXPECT_EQ(spellings("the", "either"), Words{"the"});
  EXPECT_EQ(spellings("The", "lower"), Words{"the"});
  EXPECT_EQ(spellings("The", "as-written"), Words{"The"});
}

TEST(Words, Latin1BecomesUtf8) {
  bool was_latin1 = false;
  EXPECT_EQ(to_utf8("caf\xe9 \xff", was_latin1), "caf\xc3\xa9 \xc3\xbf");
  EXPECT_TRUE(was_latin1);
  EXPECT_EQ(to_utf8("caf\xc3\xa9", was_latin1), "caf\xc3\xa9");
  EXPECT_FALSE(was_latin1);
}

}  // namespace
}  // namespace cupel
