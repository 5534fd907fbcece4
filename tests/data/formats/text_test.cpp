#include "cupel/data/formats/text.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>

#include "cupel/base/random.h"

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

// As the C library reads them, which rounds to the nearest.
TEST(Float32, IsTheNearestToTheText) {
  const auto expect_nearest = [](const std::string& text) {
    const std::optional<float> found = parse_float32(text);
    ASSERT_TRUE(found) << text;
    EXPECT_EQ(std::bit_cast<std::uint32_t>(*found),
              std::bit_cast<std::uint32_t>(std::strtof(text.c_str(), nullptr)))
        << text;
  };
  for (const char* text :
       {"0", "-0", "+1.5", "-1.5", ".5", "5.", "1E5", "1e+5", "16777217", "3.4028235e38", "1e-45",
        "1.1754943e-38", "7.0064923e-46", "7.0064924e-46", "1e-46", "-1e-46", "1e-400", "-1e-400",
        "+1e-400", "0.000e99999999999", "1e-99999999999999999999", "7.038531e-26", "3.4028235e38",
        // The middle between 1 and the next float, and beside it by less than a double tells.
        "1.000000059604644775390625", "1.00000005960464477539062500000000001"})
    expect_nearest(text);
  expect_nearest("0." + std::string(500, '0') + "1");
  expect_nearest("0." + std::string(500, '0') + "1e500");
  expect_nearest("1" + std::string(500, '0') + "e-500");
  Stream random({1, 2}, 3);
  for (int k = 0; k < 100'000; ++k) {
    const auto value = std::bit_cast<float>(random.next_u32());
    if (!std::isfinite(value)) continue;
    EXPECT_EQ(parse_float32(fmt::format("{}", value)), value) << "of the shortest text";
    const double middle = (double{value} + double{std::nextafterf(value, 0)}) / 2;
    expect_nearest(fmt::format("{:.17g}", middle));
    expect_nearest(fmt::format("{:.5g}", value / 2));
  }
}

TEST(Float32, NothingElseIsANumber) {
  for (const char* text : {"",          "+",
                           "-",         "++1",
                           "+-1",       "-+1",
                           " 1",        "1 ",
                           "1,5",       "0x10",
                           "1e",        "nan",
                           "inf",       "-inf",
                           "+infinity", "1e39",
                           "-1e39",     "3.4028236e38",
                           "1e400",     "1e99999999999999999999",
                           "one",       "1.5f",
                           "1.2.3"})
    EXPECT_FALSE(parse_float32(text)) << text;
  EXPECT_FALSE(parse_float32("1" + std::string(500, '0')));
}

}  // namespace
}  // namespace cupel
