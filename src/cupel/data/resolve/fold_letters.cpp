#include "cupel/data/resolve/fold_letters.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "cupel/base/utf8.h"
#include "cupel/data/text/characters.h"
#include "cupel/data/text/letter_parts.h"

namespace cupel {
namespace {

char32_t without_accent(char32_t code) {
  if (code < 0xc0) return code;
  for (int depth = 0; depth < 4; ++depth) {  // no letter has more accents than that
    const LetterParts* const parts = letter_parts_of(code);
    if (parts == nullptr) break;
    code = parts->first;
  }
  return code;
}

// Letters of their own that are written with plain ones where a keyboard has no others.
std::string_view plain_letters(char32_t code) {
  switch (code) {
    case U'ß':
      return "ss";
    case U'æ':
      return "ae";
    case U'œ':
      return "oe";
    case U'ø':
      return "o";
    case U'ł':
      return "l";
    case U'đ':
    case U'ð':
      return "d";
    case U'þ':
      return "th";
    case U'ħ':
      return "h";
    case U'ı':
      return "i";
    default:
      return {};
  }
}

// Scripts whose vowels are marks of the letter before: without them other names are left.
bool is_spelt_with_marks(char32_t code) {
  constexpr std::pair<char32_t, char32_t> kScripts[] = {
      {0x780, 0x7bf},       // Thaana
      {0x900, 0x109f},      // Devanagari to Thai, Tibetan and Burmese
      {0x1700, 0x17ff},     // of the Philippines, and Khmer
      {0x1900, 0x1cff},     // Limbu to Vedic
      {0xa800, 0xabff},     // Syloti Nagri to Meetei Mayek
      {0x11000, 0x11fff}};  // Brahmi and what came of it
  return std::ranges::any_of(
      kScripts, [&](const auto& script) { return code >= script.first && code <= script.second; });
}

// A letter of such a script by its parts, which a text may have one by one.
void append_spelling(char32_t code, std::string& out) {
  constexpr std::uint8_t kNukta = 7;                             // its class
  if (const LetterParts* const parts = letter_parts_of(code)) {  // three deep at most
    append_spelling(parts->first, out);
    if (parts->second != 0) append_spelling(parts->second, out);
  } else if (is_word(code) || is_mark(code)) {
    if (combining_class(code) != kNukta) append_utf8(out, code);
  } else {
    out += ' ';
  }
}

bool is_dash(char32_t code) {
  return code == U'-' || (code >= 0x2010 && code <= 0x2015) || code == 0x2212 || code == 0xfe63 ||
         code == 0xff0d;
}

bool is_apostrophe(char32_t code) {
  constexpr std::u32string_view kSigns = U"'’‘`´ʼʻʹ′";
  return kSigns.find(code) != std::u32string_view::npos;
}

}  // namespace

std::string fold_letters(std::string_view text) {
  std::string lower, out;
  append_lower(text, lower);
  for (std::size_t at = 0; at < lower.size();) {
    const Utf8Char one = utf8_char(lower, at);
    at += static_cast<std::size_t>(one.bytes);
    if (is_spelt_with_marks(one.value)) {
      append_spelling(one.value, out);
      continue;
    }
    char32_t code = is_no_utf8(one) ? U' ' : without_accent(one.value);
    if (code > 0xff00 && code < 0xff5f) code -= 0xfee0;
    if (code >= U'A' && code <= U'Z') code += U'a' - U'A';
    if (is_mark(code) || is_apostrophe(code)) continue;
    if (is_dash(code)) {
      out += '-';
    } else if (const std::string_view plain = plain_letters(code); !plain.empty()) {
      out += plain;
    } else if (is_word(code) && code != U'_') {
      append_utf8(out, code);
    } else {
      out += ' ';
    }
  }
  return out;
}

}  // namespace cupel
