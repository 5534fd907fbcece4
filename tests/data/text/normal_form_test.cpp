#include "cupel/data/text/normal_form.h"

#include <gtest/gtest.h>

#include "cupel/base/hash.h"
#include "cupel/base/utf8.h"

namespace cupel {
namespace {

std::string text_of(std::u32string_view codes) {
  std::string out;
  for (const char32_t code : codes) append_utf8(out, code);
  return out;
}

TEST(NormalForm, LettersAndMarks) {
  EXPECT_EQ(nfc("Rene\xcc\x81"), "Ren\xc3\xa9");
  EXPECT_EQ(nfc(text_of(U"\u212b")), text_of(U"\u00c5"));
  EXPECT_EQ(nfc(text_of(U"a\u0301\u0323")), text_of(U"\u1ea1\u0301"));
  EXPECT_EQ(nfc(text_of(U"\u1112\u1161\u11ab")), text_of(U"\ud55c"));
  EXPECT_EQ(nfc("plain, ASCII"), "plain, ASCII");
  EXPECT_EQ(nfc(""), "");
}

// hashlib.sha256 over unicodedata.normalize("NFC", c) for every character, Python 3.11.
TEST(NormalForm, EveryCharacterIsAsPythonHasIt) {
  Hasher hasher;
  for (char32_t c = 0; c < 0x110000; ++c) {
    if (c >= 0xd800 && c < 0xe000) continue;
    const std::string out = nfc(text_of({&c, 1}));
    hasher.bytes(out.data(), out.size());
  }
  EXPECT_EQ(hasher.hex(), "1ffc8e6ce9e83df8e49fd62d6abb68f981775aed0b5101b88c213d4653e9b540");
}

// The same over 20,000 made words with marks in any order, each followed by a line end; characters
// are drawn by x = 6364136223846793005 x + 1442695040888963407 from x = 1, as (x >> 33) modulo 34.
TEST(NormalForm, WordsAreAsPythonHasThem) {
  constexpr char32_t kPool[] = {
      0x41,   0x61,   0x65,    0x6f,   0x301, 0x308,  0x323, 0x327,  0x31b,  0x345, 0x1100, 0x1161,
      0x11a8, 0xac00, 0xe9,    0x1ea5, 0x3b1, 0x1f00, 0x313, 0x5b0,  0x5bc,  0x5e9, 0x5c1,  0x915,
      0x93c,  0x212b, 0x1d15e, 0x9c7,  0x9be, 0x20,   0x344, 0x3099, 0x30ab, 0xfb1d};
  Hasher hasher;
  std::uint64_t x = 1;
  for (int i = 0; i < 20000; ++i) {
    std::u32string word;
    for (int k = 0; k < 1 + i % 7; ++k) {
      x = x * 6364136223846793005u + 1442695040888963407u;
      word += kPool[(x >> 33) % std::size(kPool)];
    }
    const std::string out = nfc(text_of(word));
    EXPECT_EQ(nfc(out), out);
    hasher.bytes(out.data(), out.size()).bytes("\n", 1);
  }
  EXPECT_EQ(hasher.hex(), "dba67ff46b755daa41601f6025b702bc17e44bdac73ec782aadf1c749b98ceca");
}

TEST(NormalForm, BytesThatAreNoUtf8Stay) {
  EXPECT_EQ(nfc("e\xcc\x81\xff\xcc\x81x\xcc"), "\xc3\xa9\xff\xcc\x81x\xcc");
}

// A stack of marks is sorted, not looked through again and again.
TEST(NormalForm, ManyMarksAreNoTrouble) {
  std::u32string marks = U"a";
  for (int k = 0; k < 300000; ++k) marks += k % 2 == 0 ? U'\u0316' : U'\u031b';
  const std::string out = nfc(text_of(marks));
  EXPECT_EQ(out.size(), text_of(marks).size());
}

}  // namespace
}  // namespace cupel
