// What Python 3.11 says of characters, typed in; and UTF-8 that is none.
#include "cupel/data/text/characters.h"

#include <gtest/gtest.h>

#include "cupel/data/formats/text.h"

namespace cupel {
namespace {

std::string lower(std::string_view text) {
  std::string out = "X";
  append_lower(text, out);
  return out.substr(1);
}

// sum(map(f, map(chr, range(0x110000)))) for str.isspace, \w, \d, str.isupper, str.islower, and
// for the categories Mn and Mc of unicodedata.
TEST(Characters, AsManyAsPythonHas) {
  int space = 0, word = 0, decimal = 0, upper_case = 0, lower_case = 0, mark = 0;
  for (char32_t code = 0; code <= kNoCharacter; ++code) {
    space += is_space(code);
    word += is_word(code);
    decimal += is_decimal(code);
    upper_case += is_upper(code);
    lower_case += is_lower(code);
    mark += is_mark(code);
  }
  EXPECT_EQ(space, 29);
  EXPECT_EQ(word, 133548);
  EXPECT_EQ(decimal, 660);
  EXPECT_EQ(upper_case, 1951);
  EXPECT_EQ(lower_case, 2471);
  EXPECT_EQ(mark, 2395);
}

TEST(Characters, LowerCaseAsPythonHasIt) {
  const std::pair<const char*, const char*> cases[] = {
      {"", ""},
      {"ABCDEFGHIJKLMNOPQRSTUVWXYZ[@`{az09", "abcdefghijklmnopqrstuvwxyz[@`{az09"},
      {"\304\260I", "i\314\207i"},
      {"\316\221\316\243", "\316\261\317\202"},
      {"\316\221\316\243\316\221", "\316\261\317\203\316\261"},
      {"\316\243\316\221\316\243.", "\317\203\316\261\317\202."},
      {"\316\243", "\317\203"},
      {"A'\316\243'", "a'\317\202'"},
      {"1\316\243", "1\317\203"},
      {"\316\221\312\260\316\243", "\316\261\312\260\317\202"},
      {"A\314\201\316\243\314\201b", "a\314\201\317\203\314\201b"},
      {"\303\200\303\226\303\227\303\230\303\236\303\237\303\277",
       "\303\240\303\266\303\227\303\270\303\276\303\237\303\277"},
      {"\305\270", "\303\277"},
      {"\320\200\320\226\320\257", "\321\220\320\266\321\217"},
      {"\341\216\240 \341\217\270", "\352\255\260 \341\217\270"},
      {"\341\272\236", "\303\237"},
      {"\307\205 \307\210", "\307\206 \307\211"},
      {"\357\274\241\357\274\221", "\357\275\201\357\274\221"},
      {"\360\220\220\200", "\360\220\220\250"},
      {"\360\236\244\200", "\360\236\244\242"},
      {"\304\200\304\236\305\203\305\275", "\304\201\304\237\305\204\305\276"},
      {"K \303\205 \316\251", "k \303\245 \317\211"},
      {"\324\261\325\226", "\325\241\326\206"},
      {"\341\202\240\341\203\205", "\342\264\200\342\264\245"},
      {"\341\262\220\341\262\277", "\341\203\220\341\203\277"},
      {"\352\236\252 \352\236\254", "\311\246 \311\241"},
      {"\344\270\255\346\226\207 ABC\303\251", "\344\270\255\346\226\207 abc\303\251"}};
  for (const auto& [text, expected] : cases) EXPECT_EQ(lower(text), expected) << text;
  EXPECT_EQ(lower("A\xff\xc3"), "a\xff\xc3");
}

// Against the strict decoder of whole texts: all of its characters and no other.
TEST(Characters, ReadForwardsAndBackwards) {
  for (char32_t code = 0x80; code < 0x110000; code += code < 0x900 ? 1 : 97) {
    std::string text = "a";
    if (code >= 0x10000) {
      text += static_cast<char>(0xf0 | code >> 18);
      text += static_cast<char>(0x80 | (code >> 12 & 0x3f));
    } else if (code >= 0x800) {
      text += static_cast<char>(0xe0 | code >> 12);
    }
    text += static_cast<char>(code >= 0x800 ? 0x80 | (code >> 6 & 0x3f) : 0xc0 | code >> 6);
    text += static_cast<char>(0x80 | (code & 0x3f));
    const auto strict = decode_utf8(text);
    const Character ahead = character_at(text, 1), behind = character_before(text, text.size());
    if (strict) {
      ASSERT_EQ(ahead.code, (*strict)[1]);
      ASSERT_EQ(ahead.size, text.size() - 1);
      ASSERT_EQ(behind.code, ahead.code);
      ASSERT_EQ(behind.size, ahead.size);
    } else {
      ASSERT_EQ(ahead.code, kNoCharacter) << static_cast<unsigned>(code);
      ASSERT_EQ(behind.code, kNoCharacter);
    }
    text.pop_back();
    ASSERT_EQ(character_at(text, 1).code, kNoCharacter);
    ASSERT_EQ(character_at(text, 1).size, 1u);
  }
  EXPECT_EQ(character_before("\x80\x80\x80\x80\x80", 5).code, kNoCharacter);
  EXPECT_EQ(space_at("\xe3\x80\x80", 0), 3u);
  EXPECT_EQ(space_before("\xe3\x80\x80", 3), 3u);
  EXPECT_EQ(space_before("\xe3\x80\x80", 2), 0u);
}

}  // namespace
}  // namespace cupel
