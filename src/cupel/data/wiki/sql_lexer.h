// The parts of a dump outside of rows: blanks, comments, words, names, statements.
#pragma once

#include <string>
#include <string_view>

#include "cupel/data/wiki/sql_row.h"
#include "cupel/data/wiki/sql_window.h"

namespace cupel {

// Reads MySQL's lexical structure (its manual, "Language Structure") front to back. Whatever is
// passed over is not kept, however long it is. Not thread-safe. Throws Error naming file and byte.
class SqlLexer {
 public:
  explicit SqlLexer(ByteSource& source) : window(source) {}

  static constexpr int kEnd = -1;
  // The next byte without passing it, 0..255; kEnd at the end of the text.
  int peek() {
    if (window.at == window.end && !window.grow(1)) return kEnd;
    return static_cast<unsigned char>(*window.at);
  }

  // Passes white space and comments: "-- " and "#" up to the end of the line, "/* */" with all of
  // its kinds. Also where the text ends. False at the end of the text.
  bool skip_blanks();
  // A word in small letters; empty if there is none. Blanks before it are passed.
  std::string word();
  // A name in backticks, double quotes or none; of `a`.`b` the last part. `what` is for messages.
  std::string name(const char* what);
  // Passes `c` and blanks before it if it comes next.
  bool take(char c);
  // Passes all up to `;`, and that.
  void skip_statement();
  // Passes a part of a list in parentheses up to the "," or ")" behind it, and returns that.
  char skip_item();

  // Whether mysqldump's last line, "-- Dump completed", was met.
  bool completed() const { return completed_; }
  // Throws Error "FILE: byte N: MESSAGE".
  [[noreturn]] void fail_here(std::string_view message) const;
  [[noreturn]] void fail_cut_off(std::string_view inside) const;

  SqlWindow window;

 private:
  [[noreturn]] void fail_too_long(const char* what, std::string_view begin) const;
  std::string quoted_name(const char* what);
  void skip_line();
  void skip_comment();
  void skip_quoted(char quote, const char* inside);
  char skip_to(std::string_view stops, const char* inside);

  bool completed_ = false;
};

// What comes next, for messages: in quotes.
std::string shown_next(SqlWindow& window);

}  // namespace cupel
