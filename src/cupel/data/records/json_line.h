// JSON of one line that is in memory, read value by value by a caller who knows what is to come.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace cupel {

// What is wrong with a line, and at which of its bytes, from 0.
struct JsonProblem {
  std::size_t byte = 0;
  const char* what = "";  // "a comma is missing"
  bool cut_off = false;   // the line ends within the value
};

// By RFC 8259 to the letter, but that a key may come again. Values that nobody wants are checked
// too, nested at most kDeepest. The text is UTF-8, which the caller has to see to. Every function
// but peek() reads one value and throws JsonProblem if it is something else. Not thread-safe.
class JsonLine {
 public:
  static constexpr int kDeepest = 512;

  explicit JsonLine(std::string_view line)
      : begin_(line.data()), at_(begin_), end_(begin_ + line.size()) {}

  // The first character of the value that comes next, '\0' at the end.
  char peek() {
    skip_blanks();
    return at_ == end_ ? '\0' : *at_;
  }

  // An object: member(key) reads the value of one. The key is gone once that begins.
  template <class Member>
  void object(const Member& member) {
    take('{', "an object is needed");
    if (taken('}')) return;
    do {
      const std::string_view name = text(key_);
      take(':', "a colon is missing");
      member(name);
    } while (more('}'));
  }

  // A list: item() reads one value.
  template <class Item>
  void list(const Item& item) {
    take('[', "a list is needed");
    if (taken(']')) return;
    do {
      item();
    } while (more(']'));
  }

  // Without quotes and escapes: a part of the line where there are no escapes, else of `scratch`.
  std::string_view text(std::string& scratch) {
    take('"', "a text is needed");
    const char* from = at_;
    at_ = special(at_, end_);
    if (at_ != end_ && *at_ == '"') [[likely]]
      return {from, static_cast<std::size_t>(at_++ - from)};
    return escaped(from, scratch);
  }
  // Whether text() or object() gave a part of the line.
  bool in_line(std::string_view text) const {
    return std::less_equal<>()(begin_, text.data()) && std::less<>()(text.data(), end_);
  }
  // A number that is a whole one of 64 bits, as 7 or 7.0; nothing for any other.
  std::optional<std::int64_t> integer();
  void skip();  // a value of any kind
  void end();   // nothing but blanks may follow

 private:
  // The first quote, backslash or control character.
  static const char* special(const char* at, const char* end);

  void skip_blanks() {
    while (at_ != end_ && (*at_ == ' ' || *at_ == '\t' || *at_ == '\n' || *at_ == '\r')) ++at_;
  }
  void take(char c, const char* missing) {
    if (peek() != c || at_ == end_) fail(missing);
    ++at_;
  }
  bool taken(char c) {
    if (peek() != c || at_ == end_) return false;
    ++at_;
    return true;
  }
  bool more(char bracket) {
    if (taken(',')) return true;
    take(bracket, "a comma is missing");
    return false;
  }
  std::string_view escaped(const char* from, std::string& scratch);
  char32_t escape();
  char32_t four_digits();
  void skip_text();
  void skip_simple();
  const char* number_end() const;
  [[noreturn]] void fail(const char* what) const;

  const char *begin_, *at_, *end_;
  std::string key_;
};

}  // namespace cupel
