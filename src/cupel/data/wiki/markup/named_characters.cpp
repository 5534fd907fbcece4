#include "cupel/data/wiki/markup/named_characters.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "cupel/base/utf8.h"
#include "cupel/data/wiki/xml_characters.h"

namespace cupel::markup {
namespace {

constexpr std::size_t kLongest = 38;  // of what stands between '&' and ';'
constexpr char32_t kNoBreak = 0xa0;

constexpr std::string_view kTable =
#include "cupel/data/wiki/markup/named_characters.inc"
    ;

// What browsers show for the controls 0x80 to 0x9f; 0 where they show nothing.
constexpr std::array<char32_t, 32> kWindows = {
    0x20ac, 0,      0x201a, 0x192,  0x201e, 0x2026, 0x2020, 0x2021, 0x2c6,  0x2030, 0x160,
    0x2039, 0x152,  0,      0x17d,  0,      0,      0x2018, 0x2019, 0x201c, 0x201d, 0x2022,
    0x2013, 0x2014, 0x2dc,  0x2122, 0x161,  0x203a, 0x153,  0,      0x17e,  0x178};

int digit_of(char c, int base) {
  const int value = c >= '0' && c <= '9'   ? c - '0'
                    : c >= 'a' && c <= 'f' ? c - 'a' + 10
                    : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                           : 99;
  return value < base ? value : -1;
}

// 0 for none; `digits` is at most kLongest long.
char32_t by_number(std::string_view digits) {
  const int base = !digits.empty() && (digits[0] | 0x20) == 'x' ? 16 : 10;
  if (base == 16) digits.remove_prefix(1);
  char32_t value = 0;
  for (const char c : digits) {
    const int digit = digit_of(c, base);
    if (digit < 0 || value > 0x10ffff) return 0;
    value = value * static_cast<char32_t>(base) + static_cast<char32_t>(digit);
  }
  if (value >= 0x80 && value < 0xa0) return kWindows[value - 0x80];
  return value != 0 && is_xml_character(value) ? value : 0;
}

struct Named {
  std::string_view name, codes;  // codes: hexadecimal, parted by '+'
};

std::vector<Named> read_table() {
  std::vector<Named> out;
  for (std::string_view rest = kTable; !rest.empty();) {
    const std::size_t semicolon = rest.find(';'), blank = rest.find(' ');
    out.push_back({rest.substr(0, semicolon), rest.substr(semicolon + 1, blank - semicolon - 1)});
    rest.remove_prefix(blank + 1);
  }
  return out;
}

void append_shown(std::string& out, char32_t c) {
  if (c == kNoBreak) {
    out += ' ';
  } else {
    append_utf8(out, c);
  }
}

bool append_named(std::string_view name, std::string& out) {
  static const std::vector<Named> table = read_table();  // ascending by name
  const auto found = std::ranges::lower_bound(table, name, {}, &Named::name);
  if (found == table.end() || found->name != name) return false;
  char32_t value = 0;
  for (const char c : found->codes) {
    if (c == '+') append_shown(out, std::exchange(value, 0));
    if (c != '+') value = value * 16 + static_cast<char32_t>(digit_of(c, 16));
  }
  append_shown(out, value);
  return true;
}

}  // namespace

std::size_t append_reference(std::string_view text, std::size_t at, std::string& out) {
  const std::size_t end = text.substr(at + 1, kLongest + 1).find(';');
  if (end == std::string_view::npos || end == 0) return 0;
  const std::string_view body = text.substr(at + 1, end);
  if (body[0] != '#') return append_named(body, out) ? end + 2 : 0;
  const char32_t value = by_number(body.substr(1));
  if (value == 0) return 0;
  append_shown(out, value);
  return end + 2;
}

}  // namespace cupel::markup
