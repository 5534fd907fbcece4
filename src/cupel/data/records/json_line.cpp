#include "cupel/data/records/json_line.h"

#include <algorithm>
#include <array>
#include <bit>
#include <bitset>
#include <charconv>
#include <cstring>

#include "cupel/base/utf8.h"

namespace cupel {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

void JsonLine::fail(const char* what) const {
  const bool cut_off = at_ == end_;
  throw JsonProblem{static_cast<std::size_t>(at_ - begin_), cut_off ? "it is cut off" : what,
                    cut_off};
}

const char* JsonLine::special(const char* at, const char* end) {
  constexpr std::uint64_t kOnes = 0x0101010101010101U, kHigh = 0x8080808080808080U;
  if constexpr (std::endian::native == std::endian::little) {
    // Eight bytes at a time: of a difference below zero, the lowest such byte is exact.
    for (; end - at >= 8; at += 8) {
      std::uint64_t eight = 0;
      std::memcpy(&eight, at, 8);
      const std::uint64_t quote = eight ^ (kOnes * '"'), slash = eight ^ (kOnes * '\\');
      const std::uint64_t hit = (((quote - kOnes) & ~quote) | ((slash - kOnes) & ~slash) |
                                 ((eight - kOnes * 0x20) & ~eight)) &
                                kHigh;
      if (hit != 0) return at + std::countr_zero(hit) / 8;
    }
  }
  while (at != end && *at != '"' && *at != '\\' && static_cast<unsigned char>(*at) >= 0x20) ++at;
  return at;
}

char32_t JsonLine::four_digits() {
  char32_t value = 0;
  for (int i = 0; i < 4; ++i, ++at_) {
    if (at_ == end_) fail("");
    const char c = *at_, low = static_cast<char>(c | 0x20);
    const bool letter = low >= 'a' && low <= 'f';
    if (!is_digit(c) && !letter) fail("\\u needs four hexadecimal digits");
    value = value << 4 | static_cast<char32_t>(letter ? low - 'a' + 10 : c - '0');
  }
  return value;
}

// What stands behind a backslash.
char32_t JsonLine::escape() {
  constexpr std::string_view kLetters = "\"\\/bfnrt", kMeanings = "\"\\/\b\f\n\r\t";
  if (at_ == end_) fail("");
  if (*at_ != 'u') {
    const std::size_t k = kLetters.find(*at_);
    if (k == std::string_view::npos) fail("a backslash escapes nothing");
    ++at_;
    return static_cast<unsigned char>(kMeanings[k]);
  }
  ++at_;
  const char32_t high = four_digits();
  if (high < 0xD800 || high > 0xDFFF) return high;
  if (high < 0xDC00 && end_ - at_ >= 2 && at_[0] == '\\' && at_[1] == 'u') {
    at_ += 2;
    const char32_t low = four_digits();
    if (low >= 0xDC00 && low <= 0xDFFF) return 0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00);
  }
  fail("\\u gives half of a character");
}

// A text that began at `from`, and was read up to what is special in it.
std::string_view JsonLine::escaped(const char* from, std::string& scratch) {
  scratch.assign(from, at_);
  while (true) {
    if (at_ == end_) fail("");
    if (*at_ == '"') {
      ++at_;
      return scratch;
    }
    if (*at_ != '\\') fail("a control character stands in a text");
    ++at_;
    append_utf8(scratch, escape());
    from = at_;
    at_ = special(at_, end_);
    scratch.append(from, at_);
  }
}

const char* JsonLine::number_end() const {
  const auto digits = [this](const char* p) {
    while (p != end_ && is_digit(*p)) ++p;
    return p;
  };
  const char* p = at_;
  if (p != end_ && *p == '-') ++p;
  if (p == end_ || !is_digit(*p)) return at_;
  p = *p == '0' ? p + 1 : digits(p);
  if (p != end_ && *p == '.') {
    const char* from = p + 1;
    if ((p = digits(from)) == from) return at_;
  }
  if (p != end_ && (*p == 'e' || *p == 'E')) {
    if (++p != end_ && (*p == '-' || *p == '+')) ++p;
    const char* from = p;
    if ((p = digits(from)) == from) return at_;
  }
  return p;
}

std::optional<std::int64_t> JsonLine::integer() {
  skip_blanks();
  const char* end = number_end();
  if (end == at_) fail("a number is needed");
  std::int64_t value = 0;
  const auto [stop, problem] = std::from_chars(at_, end, value);
  at_ = end;
  const std::string_view behind(stop, end);
  const bool whole = behind.empty() || behind.find_first_not_of('0', 1) == std::string_view::npos;
  if (!whole || problem != std::errc()) return std::nullopt;
  return value;
}

void JsonLine::skip_text() {
  while (true) {
    at_ = special(at_, end_);
    if (at_ == end_) fail("");
    if (*at_ == '"') break;
    if (*at_ != '\\') fail("a control character stands in a text");
    ++at_;
    escape();
  }
  ++at_;
}

// A text, a number, true, false or null.
void JsonLine::skip_simple() {
  if (*at_ == '"') {
    ++at_;
    skip_text();
    return;
  }
  if (const char* end = number_end(); end != at_) {
    at_ = end;
    return;
  }
  const std::string_view rest(at_, static_cast<std::size_t>(end_ - at_));
  for (const std::string_view word : {"null", "true", "false"}) {
    if (!rest.starts_with(word)) continue;
    at_ += word.size();
    return;
  }
  fail("a value is needed");
}

void JsonLine::skip() {
  std::bitset<kDeepest> objects;  // by depth
  int depth = 0;
  while (true) {
    const char c = peek();
    if (at_ == end_) fail("");
    bool empty = false;
    if (c == '{' || c == '[') {
      if (depth == kDeepest) fail("it is nested too deep");
      ++at_;
      objects[static_cast<std::size_t>(depth++)] = c == '{';
      empty = taken(c == '{' ? '}' : ']');
      if (empty) --depth;
    } else {
      skip_simple();
      empty = true;
    }
    // Behind a value: on to the next one, out of what ends here.
    while (empty && depth > 0) {
      const bool object = objects[static_cast<std::size_t>(depth - 1)];
      if (more(object ? '}' : ']')) break;
      --depth;
    }
    if (depth == 0) return;
    if (objects[static_cast<std::size_t>(depth - 1)]) {
      take('"', "a key is needed");
      skip_text();
      take(':', "a colon is missing");
    }
  }
}

void JsonLine::end() {
  if (peek() != '\0' || at_ != end_) fail("something follows the value");
}

}  // namespace cupel
