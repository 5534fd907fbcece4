#include "cupel/data/wiki/sql_lexer.h"

#include <algorithm>
#include <cstring>

#include "cupel/base/error.h"
#include "cupel/data/formats/text.h"
#include "cupel/data/wiki/letter_case.h"

namespace cupel {
namespace {

constexpr std::size_t kLongestName = 256;  // MySQL has 64 characters

bool is_blank(int c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
bool is_word(int c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         c == '$';
}

}  // namespace

std::string shown_next(SqlWindow& window) {
  if (window.size() < kShownBytes) window.grow(kShownBytes);
  return in_quotes({window.at, std::min(window.size(), kShownBytes)});
}

void SqlLexer::fail_here(std::string_view message) const {
  fail("{}: byte {}: {}", window.name(), window.position(), message);
}

void SqlLexer::fail_cut_off(std::string_view inside) const {
  fail("{}: ends inside {}, after {} bytes; the file is cut off, get it again", window.name(),
       inside, window.position());
}

void SqlLexer::fail_too_long(const char* what, std::string_view begin) const {
  fail_here(fmt::format("{} has more than {} bytes, {}; this is no dump of a MediaWiki table", what,
                        kLongestName, in_quotes(begin)));
}

void SqlLexer::skip_line() {
  constexpr std::string_view kMark = "-- Dump completed";
  while (window.size() < kMark.size() && window.grow(kMark.size())) {
  }
  completed_ = completed_ || std::string_view(window.at, window.size()).starts_with(kMark);
  while (peek() != kEnd) {
    const void* found = std::memchr(window.at, '\n', window.size());
    window.at = found ? window.at + (static_cast<const char*>(found) - window.at) + 1 : window.end;
    if (found) return;
  }
}

void SqlLexer::skip_comment() {
  window.at += 2;
  while (true) {
    if (peek() == kEnd) fail_cut_off("a comment");
    const void* found = std::memchr(window.at, '*', window.size());
    window.at = found ? window.at + (static_cast<const char*>(found) - window.at) + 1 : window.end;
    if (found && peek() == '/') break;
  }
  ++window.at;
}

bool SqlLexer::skip_blanks() {
  while (true) {
    const int c = peek();
    if (c == kEnd) return false;
    if (is_blank(c)) {
      ++window.at;
    } else if (c == '#') {
      skip_line();
    } else if (c == '-' || c == '/') {
      if (window.size() < 3) window.grow(3);
      const std::string_view next(window.at, window.size());
      if (next.starts_with("/*")) {
        skip_comment();
      } else if (next.starts_with("--") && (next.size() == 2 || is_blank(next[2]))) {
        skip_line();
      } else {
        return true;
      }
    } else {
      return true;
    }
  }
}

std::string SqlLexer::word() {
  skip_blanks();
  std::string out;
  for (int c = peek(); is_word(c); c = peek()) {
    if (out.size() == kLongestName) fail_too_long("a word", out);
    out += ascii_lower(static_cast<char>(c));
    ++window.at;
  }
  return out;
}

std::string SqlLexer::quoted_name(const char* what) {
  std::string out;
  const char quote = *window.at++;
  while (true) {
    const int c = peek();
    if (c == kEnd) fail_cut_off(what);
    ++window.at;
    if (c == quote) {
      if (peek() != quote) return out;
      ++window.at;
    }
    if (out.size() == kLongestName) fail_too_long(what, out);
    out += static_cast<char>(c);
  }
}

std::string SqlLexer::name(const char* what) {
  std::string out;
  while (true) {
    skip_blanks();
    const int c = peek();
    if (c == '`' || c == '"') {
      out = quoted_name(what);
    } else {
      out.clear();
      for (int next = c; is_word(next) || next >= 0x80; next = peek()) {
        if (out.size() == kLongestName) fail_too_long(what, out);
        out += static_cast<char>(next);
        ++window.at;
      }
    }
    if (out.empty()) {
      if (c == kEnd) fail_cut_off(what);
      fail_here(fmt::format("{} is missing before {}; the file is damaged, get it again", what,
                            shown_next(window)));
    }
    if (peek() != '.') return out;
    ++window.at;
  }
}

bool SqlLexer::take(char c) {
  skip_blanks();
  if (peek() != static_cast<unsigned char>(c)) return false;
  ++window.at;
  return true;
}

void SqlLexer::skip_quoted(char quote, const char* inside) {
  ++window.at;
  while (true) {
    const int c = peek();
    if (c == kEnd) fail_cut_off(inside);
    ++window.at;
    if (c == '\\' && quote != '`') {
      if (peek() == kEnd) fail_cut_off(inside);
      ++window.at;
    } else if (c == quote) {
      return;  // a doubled quote begins the next quoted part
    }
  }
}

char SqlLexer::skip_to(std::string_view stops, const char* inside) {
  std::uint64_t depth = 0;
  while (skip_blanks()) {
    const char c = *window.at;
    if ((depth == 0 || c == ';') && stops.find(c) != std::string_view::npos) {
      ++window.at;
      return c;
    }
    if (c == '\'' || c == '"' || c == '`') {
      skip_quoted(c, inside);
      continue;
    }
    if (c == '(') ++depth;
    if (c == ')' && depth > 0) --depth;
    ++window.at;
  }
  fail_cut_off(inside);
}

void SqlLexer::skip_statement() { skip_to(";", "a statement"); }
char SqlLexer::skip_item() { return skip_to(",)", "CREATE TABLE"); }

}  // namespace cupel
