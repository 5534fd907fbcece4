#include "cupel/base/visible.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cupel/base/json_text.h"

namespace cupel {
namespace {

TEST(Visible, LeavesTextAlone) {
  for (const char* text :
       {"", "gcn\n\tgat", "é ± − ═ δ ≤", "漢字 עברית العربية", "👩‍🔬", "C:\\x1b"})
    EXPECT_EQ(visible(text), text);
}

TEST(Visible, WritesOutWhatSteersATerminal) {
  EXPECT_EQ(visible("a\x1b[31mb"), "a\\x1b[31mb");
  EXPECT_EQ(visible("\r\b\x7f\x07"), "\\r\\x08\\x7f\\x07");
  EXPECT_EQ(visible("\xc2\x9b"
                    "2J"),
            "\\u009b2J");
  EXPECT_EQ(visible("a\u202Eb\u2066\u200F\u2028"), "a\\u202eb\\u2066\\u200f\\u2028");
  EXPECT_EQ(visible("\U000E0041"), "\\U000e0041");
  EXPECT_EQ(visible(std::string("a\0b", 3)), "a\\x00b");
}

TEST(Visible, WritesOutBytesThatAreNoUtf8) {
  EXPECT_EQ(visible("caf\xe9"), "caf\\xe9");
  EXPECT_EQ(visible("\xff\xfe"), "\\xff\\xfe");
  EXPECT_EQ(visible("\xc0\x80"), "\\xc0\\x80") << "too long for its character";
  EXPECT_EQ(visible("\xed\xa0\x80"), "\\xed\\xa0\\x80") << "a surrogate";
  EXPECT_EQ(visible("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80") << "above U+10FFFF";
  EXPECT_EQ(visible("\xe2\x80"), "\\xe2\\x80") << "cut off";
}

TEST(Visible, OneLineIsOneLine) {
  EXPECT_EQ(visible_line("a\nb\tc\rd"), "a\\nb\\tc\\rd");
  EXPECT_EQ(printable("a\nb\tc\rd\x1b\xff"), "a b c d\xEF\xBF\xBD\xEF\xBF\xBD");
}

// Every character of the planes that have such ones.
TEST(Visible, NothingUnseenIsLeft) {
  for (char32_t c = 1; c < 0xE1000; ++c) {
    if (c == 0x3000) c = 0xA000;
    if (c == 0xB000) c = 0xE000;
    if (c == 0x11000) c = 0xE0000;
    std::string text;
    if (c < 0x80) {
      text = {static_cast<char>(c)};
    } else if (c < 0x800) {
      text = {static_cast<char>(0xC0 | c >> 6), static_cast<char>(0x80 | (c & 0x3F))};
    } else if (c < 0x10000) {
      text = {static_cast<char>(0xE0 | c >> 12), static_cast<char>(0x80 | (c >> 6 & 0x3F)),
              static_cast<char>(0x80 | (c & 0x3F))};
    } else {
      text = {static_cast<char>(0xF0 | c >> 18), static_cast<char>(0x80 | (c >> 12 & 0x3F)),
              static_cast<char>(0x80 | (c >> 6 & 0x3F)), static_cast<char>(0x80 | (c & 0x3F))};
    }
    const bool line = c == '\n' || c == '\t';
    ASSERT_EQ(visible(text) == text, line || !is_unseen(c)) << "U+" << std::hex << int(c);
    ASSERT_EQ(visible(visible(text)), visible(text));
    // JSON keeps the character, whatever it is.
    const std::string written = json_text(nlohmann::json(text), -1);
    ASSERT_EQ(nlohmann::json::parse(written).get<std::string>(), text);
    ASSERT_EQ(visible(written), written) << "U+" << std::hex << int(c);
  }
}

TEST(JsonText, NeverThrowsForBytes) {
  const nlohmann::ordered_json value = {{"caf\xe9", {"\xff", 1, nullptr}}};
  EXPECT_EQ(json_text(value, -1), "{\"caf\xEF\xBF\xBD\":[\"\xEF\xBF\xBD\",1,null]}\n");
  EXPECT_EQ(json_text(nlohmann::json::array({1}), 2), "[\n  1\n]\n");
}

}  // namespace
}  // namespace cupel
