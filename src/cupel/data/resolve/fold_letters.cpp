#include "cupel/data/resolve/fold_letters.h"

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
    char32_t code = is_no_utf8(one) ? U' ' : without_accent(one.value);
    if (code > 0xff00 && code < 0xff5f) code -= 0xfee0;
    if (code >= U'A' && code <= U'Z') code += U'a' - U'A';
    if (combining_class(code) != 0 || is_apostrophe(code)) continue;
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
