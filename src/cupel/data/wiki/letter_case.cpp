#include "cupel/data/wiki/letter_case.h"
#include "cupel/base/utf8.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace cupel {
namespace {

// Every step-th letter from `first` to `last` has its capital `shift` further on.
struct Letters {
  std::uint16_t first, last, step;
  std::int16_t shift;
};

// Ascending.
// clang-format off
constexpr auto kLetters = std::to_array<Letters>({
    {0xb5, 0xb5, 1, 743}, {0xe0, 0xf6, 1, -32}, {0xf8, 0xfe, 1, -32}, {0xff, 0xff, 1, 121},
    {0x101, 0x12f, 2, -1}, {0x131, 0x131, 1, -232}, {0x133, 0x137, 2, -1}, {0x13a, 0x148, 2, -1},
    {0x14b, 0x177, 2, -1}, {0x17a, 0x17e, 2, -1}, {0x17f, 0x17f, 1, -300}, {0x180, 0x180, 1, 195},
    {0x183, 0x185, 2, -1}, {0x188, 0x188, 1, -1}, {0x18c, 0x18c, 1, -1}, {0x192, 0x192, 1, -1},
    {0x195, 0x195, 1, 97}, {0x199, 0x199, 1, -1}, {0x19a, 0x19a, 1, 163}, {0x19e, 0x19e, 1, 130},
    {0x1a1, 0x1a5, 2, -1}, {0x1a8, 0x1a8, 1, -1}, {0x1ad, 0x1ad, 1, -1}, {0x1b0, 0x1b0, 1, -1},
    {0x1b4, 0x1b6, 2, -1}, {0x1b9, 0x1b9, 1, -1}, {0x1bd, 0x1bd, 1, -1}, {0x1bf, 0x1bf, 1, 56},
    {0x1c6, 0x1c6, 1, -1}, {0x1c9, 0x1c9, 1, -1}, {0x1cc, 0x1dc, 2, -1}, {0x1dd, 0x1dd, 1, -79},
    {0x1df, 0x1ef, 2, -1}, {0x1f3, 0x1f5, 2, -1}, {0x1f9, 0x21f, 2, -1}, {0x223, 0x233, 2, -1},
    {0x23c, 0x23c, 1, -1}, {0x23f, 0x240, 1, 10815}, {0x242, 0x242, 1, -1}, {0x247, 0x24f, 2, -1},
    {0x371, 0x373, 2, -1}, {0x377, 0x377, 1, -1}, {0x37b, 0x37d, 1, 130}, {0x3ac, 0x3ac, 1, -38},
    {0x3ad, 0x3af, 1, -37}, {0x3b1, 0x3c1, 1, -32}, {0x3c2, 0x3c2, 1, -31}, {0x3c3, 0x3cb, 1, -32},
    {0x3cc, 0x3cc, 1, -64}, {0x3cd, 0x3ce, 1, -63}, {0x3d0, 0x3d0, 1, -62}, {0x3d1, 0x3d1, 1, -57},
    {0x3d5, 0x3d5, 1, -47}, {0x3d6, 0x3d6, 1, -54}, {0x3d7, 0x3d7, 1, -8}, {0x3d9, 0x3ef, 2, -1},
    {0x3f0, 0x3f0, 1, -86}, {0x3f1, 0x3f1, 1, -80}, {0x3f2, 0x3f2, 1, 7}, {0x3f3, 0x3f3, 1, -116},
    {0x3f5, 0x3f5, 1, -96}, {0x3f8, 0x3f8, 1, -1}, {0x3fb, 0x3fb, 1, -1}, {0x430, 0x44f, 1, -32},
    {0x450, 0x45f, 1, -80}, {0x461, 0x481, 2, -1}, {0x48b, 0x4bf, 2, -1}, {0x4c2, 0x4ce, 2, -1},
    {0x4cf, 0x4cf, 1, -15}, {0x4d1, 0x52f, 2, -1}, {0x561, 0x586, 1, -48}, {0x1e01, 0x1e95, 2, -1},
    {0x1e9b, 0x1e9b, 1, -59}, {0x1ea1, 0x1eff, 2, -1}, {0x1f00, 0x1f07, 1, 8},
    {0x1f10, 0x1f15, 1, 8}, {0x1f20, 0x1f27, 1, 8}, {0x1f30, 0x1f37, 1, 8}, {0x1f40, 0x1f45, 1, 8},
    {0x1f51, 0x1f57, 2, 8}, {0x1f60, 0x1f67, 1, 8}, {0x1f70, 0x1f71, 1, 74},
    {0x1f72, 0x1f75, 1, 86}, {0x1f76, 0x1f77, 1, 100}, {0x1f78, 0x1f79, 1, 128},
    {0x1f7a, 0x1f7b, 1, 112}, {0x1f7c, 0x1f7d, 1, 126}, {0x1f80, 0x1f87, 1, 8},
    {0x1f90, 0x1f97, 1, 8}, {0x1fa0, 0x1fa7, 1, 8}, {0x1fb0, 0x1fb1, 1, 8}, {0x1fb3, 0x1fb3, 1, 9},
    {0x1fbe, 0x1fbe, 1, -7205}, {0x1fc3, 0x1fc3, 1, 9}, {0x1fd0, 0x1fd1, 1, 8},
    {0x1fe0, 0x1fe1, 1, 8}, {0x1fe5, 0x1fe5, 1, 7}, {0x1ff3, 0x1ff3, 1, 9},
});
// clang-format on

}  // namespace

char32_t upper_case(char32_t letter) {
  if (letter < 0x80) return letter - (letter >= 'a' && letter <= 'z' ? 'a' - 'A' : 0);
  if (letter > kLetters.back().last) return letter;
  const auto* const found = std::ranges::lower_bound(kLetters, letter, {}, &Letters::last);
  if (letter < found->first || (letter - found->first) % found->step != 0) return letter;
  return static_cast<char32_t>(static_cast<std::int32_t>(letter) + found->shift);
}

std::string ascii_lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = ascii_lower(c);
  return out;
}

void capitalise(std::string& text) {
  if (text.empty()) return;
  const Utf8Char first = utf8_char(text, 0);
  const char32_t upper = upper_case(first.value);
  if (upper == first.value) return;
  if (first.bytes == 1) {
    text[0] = static_cast<char>(upper);
    return;
  }
  std::string letter;
  append_utf8(letter, upper);
  text.replace(0, static_cast<std::size_t>(first.bytes), letter);
}

void fold_case(std::string_view text, std::string& out) {
  out.clear();
  for (std::size_t at = 0; at < text.size();) {
    const Utf8Char next = utf8_char(text, at);
    const char32_t upper = upper_case(next.value);
    if (upper == next.value) {
      out.append(text, at, static_cast<std::size_t>(next.bytes));
    } else {
      append_utf8(out, upper);
    }
    at += static_cast<std::size_t>(next.bytes);
  }
}

std::string fold_case(std::string_view text) {
  std::string out;
  fold_case(text, out);
  return out;
}

}  // namespace cupel
