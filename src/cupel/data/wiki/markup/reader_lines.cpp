// What the first characters of a line say.
#include <algorithm>

#include "cupel/data/wiki/markup/marks.h"
#include "cupel/data/wiki/markup/reader.h"

namespace cupel::markup {
namespace {

constexpr std::size_t kDeepest = 6;  // level of a heading

bool is_list_mark(char c) { return c == '*' || c == '#' || c == ':' || c == ';'; }

}  // namespace

void MarkupReader::end_line() {
  quotes_.end_line(out_);
  // External links do not go on behind a line.
  while (!open_.empty() && open_.top().kind == kExternal) pop();
}

void MarkupReader::begin_line() {
  if (at_ == text_.size()) return;
  const char first = text_[at_];
  if (is_list_mark(first)) {
    bool term = false;
    for (; at_ < text_.size() && is_list_mark(text_[at_]); ++at_) term |= text_[at_] == ';';
    if (term) part_definition();
  } else if (first == '=') {
    heading();
  } else if (at("----")) {
    at_ = run_end(text_, at_, '-');
  } else if (first == '|' && count_[kLink] == 0) {
    at_ = line_end(text_, at_);  // a row of a table that a template began
  }
}

// "== H ==": as many '=' leave as stand on both sides.
void MarkupReader::heading() {
  const std::size_t line = line_end(text_, at_);
  std::size_t end = line;
  while (end > at_ && (is_space(text_[end - 1]) || text_[end - 1] == kNothing)) --end;
  const std::size_t left = run_end(text_, at_, '=') - at_;
  std::size_t right = 0;
  while (right < end - at_ && text_[end - 1 - right] == '=') ++right;
  std::size_t level = std::min({left, right, kDeepest});
  if (left == end - at_) level = std::min((left - 1) / 2, kDeepest);  // nothing but '='
  std::fill_n(text_.begin() + static_cast<std::ptrdiff_t>(end - level), level, ' ');
  at_ += level;
}

// "; term : definition": the first colon outside of links and tags ends a line. MediaWiki ends it
// at "10:30", too, which nobody means.
void MarkupReader::part_definition() {
  std::size_t depth = 0;
  for (std::size_t k = at_; k < text_.size() && text_[k] != '\n'; ++k) {
    const char c = text_[k];
    if (c == '[' || c == '<') ++depth;
    if ((c == ']' || c == '>') && depth > 0) --depth;
    if (c != ':' || depth > 0) continue;
    if (text_.compare(k, 3, "://") == 0) continue;
    if (k + 1 < text_.size() && is_digit(text_[k + 1])) continue;
    text_[k] = '\n';
    return;
  }
}

}  // namespace cupel::markup
