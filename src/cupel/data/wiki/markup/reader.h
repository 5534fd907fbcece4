// The third step from wikitext to visible text: lines, links, quotes, tags, references.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include "cupel/data/wiki/markup/open_items.h"
#include "cupel/data/wiki/markup/quotes.h"
#include "cupel/data/wiki/wikitext_rules.h"

namespace cupel::markup {

// Reads a text once, front to back. What is open (a link whose label is being read) is remembered
// with its place in the output; what turns out to be hidden is cut off there. Markup that closes
// ends whatever is open inside it.
class MarkupReader {
 public:
  // `text` is what take_out_tables() left; it is changed.
  MarkupReader(std::string& text, const WikitextRules& rules) : text_(text), rules_(rules) {}

  // The visible text, with white space as it came and kNothing in it.
  std::string run();

 private:
  enum Kind : char { kLink, kExternal, kTable, kVariant, kKinds };
  struct Open {
    Kind kind = kLink;
    bool hidden = false;                  // leaves with all that is in it
    bool brackets_shown = false;          // "[[" stands in the output and leaves when it is closed
    bool first_of_several = false;        // kVariant: ends at a semicolon
    std::size_t lone = 0;                 // kLink: '[' in its label that are text
    std::size_t out = 0;                  // where it begins in out_
    std::size_t cut = std::string::npos;  // kVariant: where its first text ends in out_
    Quotes quotes = {};                   // hidden: of the line around it
  };

  void step();  // at a byte of kStops
  void copy(std::size_t count) {
    out_.append(text_, at_, count);
    at_ += count;
  }
  [[nodiscard]] bool at(std::string_view mark) const {
    return text_.compare(at_, mark.size(), mark) == 0;
  }

  // reader_lines.cpp
  void begin_line();
  void end_line();
  void heading();
  void part_definition();

  // reader_links.cpp
  void open_bracket();
  bool open_external();  // at the scheme; false where this is none
  void open_link();
  void close_bracket();
  bool close_link();
  [[nodiscard]] bool line_has_close();
  void open_variant();
  bool close_variant();

  // reader.cpp
  void reference();
  void tag();
  void behaviour_switch();
  void push(const Open& item);
  void pop();
  bool pop_to(Kind kind);  // what is inside the innermost of that kind ends; false if there is none

  std::string& text_;
  const WikitextRules& rules_;
  std::size_t at_ = 0;
  std::string out_;
  OpenItems<Open> open_;
  std::array<std::size_t, kKinds> count_{};  // of what is open, by kind
  Quotes quotes_;
  std::size_t next_close_ = 0;  // the first ']' from the last place that was asked for
};

}  // namespace cupel::markup
