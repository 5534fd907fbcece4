#include "cupel/data/wiki/xml_characters.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "cupel/base/random.h"
#include "cupel/data/formats/text.h"
// clang-format off
#include "cupel/base/vector_targets.h"
#include "hwy/targets.h"
// clang-format on

namespace cupel {
namespace {

// By a decoder of its own: XML 1.0, production 2.
bool allowed(std::string_view text) {
  const auto characters = decode_utf8(text);
  if (!characters) return false;
  for (const char32_t c : *characters) {
    const bool control = c < 0x20 && c != 0x9 && c != 0xA && c != 0xD;
    if (control || c == 0xFFFE || c == 0xFFFF) return false;
  }
  return true;
}

void expect_same(std::string_view text) {
  const bool right = allowed(text);
  ASSERT_EQ(are_xml_characters(text), right) << in_quotes(text);
  const XmlFault fault = first_fault(text);
  ASSERT_EQ(fault.at == text.size(), right) << in_quotes(text);
  ASSERT_TRUE(allowed(text.substr(0, fault.at))) << in_quotes(text);
}

// Lead bytes with every pair of bytes that a table could tell from another behind them.
TEST(XmlCharacters, SequencesOfFourBytes) {
  constexpr int kEdges[] = {0x00, 0x09, 0x1F, 0x20, 0x3C, 0x7F, 0x80, 0x8F, 0x90,
                            0x9F, 0xA0, 0xBD, 0xBE, 0xBF, 0xC0, 0xC2, 0xE0, 0xFF};
  std::string text(4, ' ');
  for (int a = 0; a < 256; ++a) {
    for (int b = 0; b < 256; ++b) {
      for (const int c : kEdges) {
        for (const int d : {0x20, 0x80, 0xBF}) {
          text = {static_cast<char>(a), static_cast<char>(b), static_cast<char>(c),
                  static_cast<char>(d)};
          const bool right = allowed(text);
          ASSERT_EQ(are_xml_characters(text), right) << in_quotes(text);
          ASSERT_EQ(first_fault(text).at == 4, right) << in_quotes(text);
        }
      }
    }
  }
}

// Good text of any length, and one wrong byte anywhere in it.
void look_at_every_place() {
  const std::string letters[] = {"a",
                                 "\n",
                                 "ž",
                                 "ß",
                                 "—",
                                 "漢",
                                 "\xed\x9f\xbf",
                                 "\xee\x80\x80",
                                 "\xef\xbf\xbd",
                                 "😀",
                                 "\xf4\x8f\xbf\xbf",
                                 "\xf0\x90\x80\x80"};
  Stream stream(stream_key("characters"), 1);
  for (std::size_t size = 0; size < 700; size += 1 + size / 40) {
    for (const std::uint32_t ascii : {0U, 50U, 97U, 100U}) {
      std::string text;
      while (text.size() < size)
        text += stream.next_below(100) < ascii ? "x" : letters[stream.next_below(12)];
      ASSERT_TRUE(allowed(text));
      expect_same(text);
      for (std::size_t at = 0; at < text.size(); at += 1 + text.size() / 40) {
        const char before = text[at];
        for (const char wrong : {'\x01', '\x80', '\xbf', '\xc1', '\xc3', '\xe0', '\xed', '\xef',
                                 '\xf0', '\xf4', '\xf5', '\xff', 'y'}) {
          text[at] = wrong;
          expect_same(text);
        }
        text[at] = before;
        expect_same(std::string_view(text).substr(0, at));
        expect_same(std::string_view(text).substr(at));
      }
    }
  }
}

TEST(XmlCharacters, AtEveryPlaceByEveryInstructionSet) {
  for (const std::int64_t target :
       {std::int64_t{HWY_AVX3}, std::int64_t{HWY_AVX2}, std::int64_t{HWY_STATIC_TARGET}}) {
    hwy::SetSupportedTargetsForTest(0);
    if ((hwy::SupportedTargets() & target) == 0 && target != HWY_STATIC_TARGET) continue;
    SCOPED_TRACE(hwy::TargetName(target));
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    look_at_every_place();
  }
  hwy::SetSupportedTargetsForTest(0);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

TEST(XmlCharacters, WholeOnesEndWhereALeadWantsMore) {
  EXPECT_EQ(whole_characters(""), 0U);
  EXPECT_EQ(whole_characters("ab"), 2U);
  EXPECT_EQ(whole_characters("a\xc5"), 1U);
  EXPECT_EQ(whole_characters("a\xc5\xbe"), 3U);
  EXPECT_EQ(whole_characters("a\xe2\x80"), 1U);
  EXPECT_EQ(whole_characters("a\xf0\x9f\x98"), 1U);
  EXPECT_EQ(whole_characters("\xf0\x9f\x98\x80"), 4U);
  // Wrong, but not for want of bytes.
  EXPECT_EQ(whole_characters("a\x80\x80\x80\x80"), 5U);
}

}  // namespace
}  // namespace cupel
