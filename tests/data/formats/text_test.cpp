#include "cupel/data/formats/text.h"

#include <gtest/gtest.h>

namespace cupel {
namespace {

TEST(Text, Utf8IsDecodedStrictly) {
  EXPECT_EQ(decode_utf8("a\xc3\xbc\xe2\x82\xac\xf0\x9f\x98\x80"), U"a\u00fc\u20ac\U0001f600");
  EXPECT_EQ(decode_utf8("\xf4\x8f\xbf\xbf"), U"\U0010ffff");
  for (const char* bad : {"\x80", "\xc3", "\xc3(", "\xc1\xbf", "\xe0\x9f\xbf", "\xed\xa0\x80",
                          "\xf0\x8f\xbf\xbf", "\xf4\x90\x80\x80", "\xf8\x88\x80\x80\x80", "\xff"}) {
    EXPECT_FALSE(decode_utf8(bad)) << bad;
  }
}

TEST(Text, QuotesAreAlwaysPrintable) {
  EXPECT_EQ(in_quotes("plain"), "'plain'");
  EXPECT_EQ(in_quotes("a\x1b[2J\n"), "'a\\x1b[2J\\x0a'");
  EXPECT_EQ(in_quotes("\xc3\xbc"), "'\xc3\xbc'");
  EXPECT_EQ(in_quotes("\xc3\xbc\xff"), "'\\xc3\\xbc\\xff'");
  EXPECT_EQ(in_quotes(std::string(60, 'x')), "'" + std::string(60, 'x') + "'");
  EXPECT_EQ(in_quotes(std::string(61, 'x')), "'" + std::string(60, 'x') + "...'");
  // A cut does not divide a character.
  EXPECT_EQ(in_quotes(std::string(59, 'x').append("\xe2\x82\xac").append("y")),
            "'" + std::string(59, 'x') + "\xe2\x82\xac...'");
}

TEST(Text, ListsAreCut) {
  EXPECT_EQ(quoted_list({}), "none");
  EXPECT_EQ(quoted_list({"a", "b"}), "'a', 'b'");
  EXPECT_TRUE(quoted_list(std::vector<std::string>(20, "a")).ends_with("'a' and 8 more"));
}

}  // namespace
}  // namespace cupel
