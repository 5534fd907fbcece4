#include "cupel/data/formats/json_pull.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>

#include "cupel/base/byte_order_mark.h"
#include "cupel/base/error.h"
#include "cupel/base/utf8.h"
#include "cupel/data/formats/text.h"

namespace cupel {
namespace {

constexpr std::size_t kBlock = std::size_t{1} << 20;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_blank(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }

}  // namespace

JsonPull::JsonPull(const std::filesystem::path& path) : file_(path) {
  const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(file_.size(), kBlock));
  buffer_.resize(size + 1);
  at_ = end_ = buffer_.data();
  need(kByteOrderMark.size());
  const std::string_view start(at_, static_cast<std::size_t>(end_ - at_));
  at_ += start.size() - without_byte_order_mark(start).size();
}

void JsonPull::need(std::size_t bytes) {
  const auto left = static_cast<std::size_t>(end_ - at_);
  if (left >= bytes || read_ == file_.size()) return;
  std::memmove(buffer_.data(), at_, left);
  const auto free = static_cast<std::uint64_t>(buffer_.size() - 1 - left);
  const auto got = static_cast<std::size_t>(std::min(file_.size() - read_, free));
  file_.read(read_, buffer_.data() + left, got);
  read_ += got;
  at_ = buffer_.data();
  end_ = at_ + left + got;
  buffer_[left + got] = '\0';
}

void JsonPull::skip_blanks() {
  while (true) {
    while (is_blank(*at_)) ++at_;
    if (at_ != end_ || read_ == file_.size()) return;
    need(1);
  }
}

char JsonPull::peek() {
  skip_blanks();
  return *at_;
}

void JsonPull::open(char bracket, const char* what) {
  if (peek() != bracket) fail_value(what);
  ++at_;
}

bool JsonPull::taken(char bracket) {
  if (peek() != bracket) return false;
  ++at_;
  return true;
}

bool JsonPull::more(char bracket) {
  const char c = *at_;
  if (c != ',' && c != bracket) {
    if (peek() != ',' && *at_ != bracket)
      fail_value(bracket == ']' ? "a comma or the list's end" : "a comma or the object's end");
  }
  return *at_++ == ',';
}

std::string JsonPull::key() {
  if (peek() != '"') fail_value("a key in double quotes");
  std::string name = text();
  if (peek() != ':') fail_value("a colon");
  ++at_;
  return name;
}

std::size_t JsonPull::which(const std::string& key, std::initializer_list<const char*> known,
                            std::uint64_t& given) const {
  const auto found = std::find(known.begin(), known.end(), key);
  if (found == known.end()) {
    fail("{}: {}: is an unknown key; known are {}", name(), place(), fmt::join(known, ", "));
  }
  const auto k = static_cast<std::size_t>(found - known.begin());
  if ((given >> k & 1) != 0)
    fail("{}: {}: is given twice in one object; give it once", name(), place());
  given |= std::uint64_t{1} << k;
  return k;
}

// The end of the number that begins at at_, or at_ if none does.
const char* JsonPull::number_end() const {
  const char* p = at_;
  if (*p == '-') ++p;
  if (!is_digit(*p)) return at_;
  if (*p++ != '0') {
    while (is_digit(*p)) ++p;
  }
  if (*p == '.') {
    if (!is_digit(*++p)) return at_;
    while (is_digit(*p)) ++p;
  }
  if (*p == 'e' || *p == 'E') {
    ++p;
    if (*p == '-' || *p == '+') ++p;
    if (!is_digit(*p)) return at_;
    while (is_digit(*p)) ++p;
  }
  return p;
}

double JsonPull::number() {
  skip_blanks();
  need(kLongestNumber + 1);
  const char* end = number_end();
  if (end == at_ || is_digit(*end)) fail_value("a number");
  if (end - at_ > static_cast<std::ptrdiff_t>(kLongestNumber))
    fail_here(fmt::format("is a number of over {} characters; round it", kLongestNumber));
  double value = 0;
  if (std::from_chars(at_, end, value).ec == std::errc::result_out_of_range)
    value = std::copysign(is_too_large({at_, end}) ? std::numeric_limits<double>::infinity() : 0.0,
                          *at_ == '-' ? -1.0 : 1.0);
  at_ = end;
  return value;
}

std::int64_t JsonPull::integer() {
  skip_blanks();
  need(kLongestNumber + 1);
  const char* end = number_end();
  std::int64_t value = 0;
  const auto [stop, problem] = std::from_chars(at_, end, value);
  if (end == at_ || is_digit(*end) || stop != end || problem != std::errc())
    fail_value("a whole number");
  at_ = end;
  return value;
}

bool JsonPull::flag() {
  skip_blanks();
  need(6);
  const std::string_view head(at_, static_cast<std::size_t>(end_ - at_));
  const std::size_t bytes = head.starts_with("false")                        ? 5
                            : head.starts_with("true")                       ? 4
                            : head.starts_with('0') || head.starts_with('1') ? 1
                                                                             : 0;
  const char behind = at_[bytes];
  if (bytes == 0 ||
      !(behind == ',' || behind == ']' || behind == '}' || is_blank(behind) || at_ + bytes == end_))
    fail_value("true or false");
  const bool value = *at_ == 't' || *at_ == '1';
  at_ += bytes;
  return value;
}

char32_t JsonPull::four_digits() {
  char32_t value = 0;
  for (int i = 0; i < 4; ++i, ++at_) {
    const char c = *at_, low = static_cast<char>(c | 0x20);
    const bool letter = low >= 'a' && low <= 'f';
    if (!is_digit(c) && !letter) fail_here("has a \\u without four hexadecimal digits; correct it");
    value = value << 4 | static_cast<char32_t>(letter ? low - 'a' + 10 : c - '0');
  }
  return value;
}

// What stands behind a backslash.
char32_t JsonPull::escape() {
  constexpr std::string_view kLetters = "\"\\/bfnrt", kMeanings = "\"\\/\b\f\n\r\t";
  need(12);
  const char c = *at_++;
  if (c == 'u') {
    const char32_t high = four_digits();
    if (high < 0xD800 || high > 0xDFFF) return high;
    if (high < 0xDC00 && at_[0] == '\\' && at_[1] == 'u') {
      at_ += 2;
      const char32_t low = four_digits();
      if (low >= 0xDC00 && low <= 0xDFFF) return 0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00);
    }
    fail_here("has half of a character that \\u writes in two; give both halves");
  }
  const std::size_t k = c == '\0' ? std::string_view::npos : kLetters.find(c);
  if (k == std::string_view::npos)
    fail_here(fmt::format("has a backslash before {}, which escapes nothing; write \\\\",
                          in_quotes(std::string_view(&c, 1))));
  return static_cast<unsigned char>(kMeanings[k]);
}

// kept(bytes) gets the text in pieces, without quotes and escapes.
template <class Kept>
void JsonPull::read_text(const Kept& kept) {
  if (peek() != '"') fail_value("a text in double quotes");
  ++at_;
  std::string one;
  while (true) {
    const char* from = at_;
    while (static_cast<unsigned char>(*at_) >= 0x20 && static_cast<unsigned char>(*at_) < 0x80 &&
           *at_ != '"' && *at_ != '\\')
      ++at_;
    if (at_ != from) kept(std::string_view(from, static_cast<std::size_t>(at_ - from)));
    if (at_ == end_) {
      if (read_ == file_.size()) fail_value("the end of a text");
      need(1);
      continue;
    }
    const char c = *at_;
    if (c == '"') {
      ++at_;
      return;
    }
    if (c == '\\') {
      ++at_;
      one.clear();
      append_utf8(one, escape());
      kept(std::string_view(one));
      continue;
    }
    if (static_cast<unsigned char>(c) < 0x20)
      fail_here(fmt::format("has the control character {} in a text; escape it",
                            in_quotes(std::string_view(&c, 1))));
    need(4);
    const std::string_view rest(at_, static_cast<std::size_t>(end_ - at_));
    const Utf8Char character = utf8_char(rest, 0);
    if (is_no_utf8(character))
      fail_here(fmt::format("has the byte {} in a text, which is not UTF-8; save the file as UTF-8",
                            in_quotes(rest.substr(0, 1))));
    kept(rest.substr(0, static_cast<std::size_t>(character.bytes)));
    at_ += character.bytes;
  }
}

std::string JsonPull::text() {
  std::string out;
  read_text([&](std::string_view piece) {
    if (piece.size() > kMostKept - out.size())
      fail_here(
          fmt::format("has a text of over {} bytes where a name is needed; shorten it", kMostKept));
    out += piece;
  });
  return out;
}

void JsonPull::skip_text() {
  read_text([](std::string_view) {});
}

void JsonPull::end() {
  skip_blanks();
  if (at_ != end_) fail_value("the end of the file");
}

std::string JsonPull::place() const {
  std::string out;
  for (const Step& step : path_) {
    if (step.index >= 0) {
      out += fmt::format("[{}]", step.index);
    } else if (!step.key.empty()) {
      out += (out.empty() ? "" : " ") + in_quotes(step.key);
    }
  }
  return out +
         fmt::format("{}byte {}{}", out.empty() ? "" : " (", read_bytes(), out.empty() ? "" : ")");
}

// What stands here, for a message.
std::string JsonPull::shown() {
  if (peek() == '\0' && at_ == end_) return "the end of the file";
  if (*at_ == '[') return "a list";
  if (*at_ == '{') return "an object";
  need(80);
  const std::string_view rest(at_, std::min<std::size_t>(80, static_cast<std::size_t>(end_ - at_)));
  const bool text = rest[0] == '"';
  std::size_t size = text ? rest.find('"', 1) : rest.find_first_of(",]}:\" \t\r\n");
  if (text && size != std::string_view::npos) ++size;
  return in_quotes(rest.substr(0, std::max<std::size_t>(size, 1)));
}

void JsonPull::fail_here(std::string_view message) const {
  fail("{}: {}: {}", name(), place(), message);
}

void JsonPull::fail_value(const char* needed) {
  const std::string value = shown();
  const std::string_view rest(at_, static_cast<std::size_t>(end_ - at_));
  const bool cut_off = read_ == file_.size() && rest.find_first_of(",]}") == std::string_view::npos;
  fail_here(fmt::format("{} where {} is needed; {}", value, needed,
                        cut_off ? "the file is cut off, get it again" : "correct it"));
}

}  // namespace cupel
