#include "cupel/data/wiki/markup/hidden.h"

#include <algorithm>
#include <cstdint>

#include "cupel/data/wiki/markup/marks.h"
#include "cupel/data/wiki/markup/named_characters.h"
#include "cupel/data/wiki/markup/open_items.h"
#include "cupel/data/wiki/markup/tags.h"

namespace cupel::markup {
namespace {

constexpr auto kNone = std::string_view::npos;

constexpr ByteSet kStops = [] {
  ByteSet out("<{}");
  for (unsigned char c = 0; c < 0x20; ++c) out.in[c] = c != '\t' && c != '\n' && c != '\r';
  return out;
}();

bool same_letters(std::string_view text, std::size_t at, std::string_view name) {
  if (text.size() - at < name.size()) return false;
  for (std::size_t k = 0; k < name.size(); ++k) {
    const char a = text[at + k], b = name[k];
    if (a != b && !(is_letter(a) && (a | 0x20) == (b | 0x20))) return false;
  }
  return true;
}

// Where the next end tag of that name begins, and the byte behind it; kNone if there is none.
struct EndTag {
  std::size_t begin = kNone, end = kNone;
};

EndTag find_end_tag(std::string_view text, std::size_t at, std::string_view name) {
  while ((at = text.find("</", at)) != kNone) {
    std::size_t behind = at + 2;
    if (same_letters(text, behind, name)) {
      behind += name.size();
      const std::size_t blanks = behind;
      while (behind < text.size() && is_space(text[behind])) ++behind;
      if (behind < text.size() && text[behind] == '>') return {at, behind + 1};
      behind = blanks;
    }
    at = behind;
  }
  return {};
}

class Preprocessor {
 public:
  explicit Preprocessor(std::string_view text) : text_(text) { out_.reserve(text.size()); }

  std::string run() {
    while (true) {
      const std::size_t stop = kStops.find(text_, at_);
      out_.append(text_, at_, stop - at_);
      at_ = stop;
      if (at_ == text_.size()) return std::move(out_);
      switch (text_[at_]) {
        case '<':
          angle();
          break;
        case '{':
          open_braces();
          break;
        case '}':
          close_braces();
          break;
        default:
          ++at_;  // a control
      }
    }
  }

 private:
  struct Braces {
    std::size_t out;    // where they stand in out_
    std::size_t count;  // at least two
  };

  void open_braces() {
    const std::size_t end = run_end(text_, at_, '{');
    const std::size_t count = end - at_;
    if (count >= 2) braces_.push({out_.size(), count}, [](const Braces&) {});
    out_.append(count, '{');
    at_ = end;
  }

  // Braces are matched from the inside, three where both sides have three, else two.
  void close_braces() {
    const std::size_t end = run_end(text_, at_, '}');
    std::size_t count = end - at_;
    at_ = end;
    while (count >= 2 && !braces_.empty()) {
      Braces& open = braces_.top();
      const std::size_t matched = std::min({count, open.count, std::size_t{3}});
      count -= matched;
      open.count -= matched;
      out_.resize(open.out + open.count);
      if (open.count < 2) braces_.pop();
      out_ += kNothing;
    }
    out_.append(count, '}');
  }

  void angle() {
    if (text_.compare(at_, 4, "<!--") == 0) {
      const std::size_t end = text_.find("-->", at_ + 4);
      at_ = end == kNone ? text_.size() : end + 3;
      return;
    }
    const bool ends = at_ + 1 < text_.size() && text_[at_ + 1] == '/';
    const std::string_view name = tag_name(text_, at_ + (ends ? 2 : 1));
    const Tag tag = tag_of(name);
    if ((tag.use != TagUse::kHidden && tag.use != TagUse::kLiteral) || !skip_tag(tag, name, ends)) {
      out_ += '<';
      ++at_;
    }
  }

  // Goes behind the tag, and behind its content if it has one; false, and nothing done, where this
  // is no tag.
  bool skip_tag(Tag tag, std::string_view name, bool ends) {
    const std::size_t behind = static_cast<std::size_t>(name.data() - text_.data()) + name.size();
    if (no_bracket_ || behind == text_.size()) return false;
    const char next = text_[behind];
    if (!is_space(next) && next != '/' && next != '>') return false;
    std::size_t close = behind;
    if (ends) {
      while (close < text_.size() && is_space(text_[close])) ++close;
      if (close == text_.size() || text_[close] != '>') return false;
    } else {
      close = text_.find('>', behind);
    }
    if (close == kNone) {
      no_bracket_ = true;
      return false;
    }
    at_ = close + 1;
    if (tag.use == TagUse::kLiteral) out_ += kNothing;
    if (ends || text_[close - 1] == '/') return true;
    const std::uint64_t bit = std::uint64_t{1} << tag.number;
    if ((unclosed_ & bit) != 0) return true;
    const EndTag end = find_end_tag(text_, at_, name);
    if (end.begin == kNone) {
      unclosed_ |= bit;  // nor will a later one be closed
      return true;
    }
    if (tag.use == TagUse::kLiteral) {
      if (tag.lines) out_ += '\n';
      literal(text_.substr(at_, end.begin - at_), tag.lines);
      if (tag.lines) out_ += '\n';
    }
    at_ = end.end;
    return true;
  }

  // <nowiki> inside <pre> is not seen.
  void literal(std::string_view content, bool skip_nowiki) {
    std::string decoded;
    for (std::size_t at = 0; at < content.size();) {
      if (skip_nowiki && content[at] == '<') {
        const std::size_t slash = content.substr(at).starts_with("</") ? 1 : 0;
        if (same_letters(content, at + slash + 1, "nowiki>")) {
          at += slash + 8;
          continue;
        }
      }
      decoded.clear();
      const std::size_t taken = content[at] == '&' ? append_reference(content, at, decoded) : 0;
      if (taken == 0) decoded = content[at];
      for (const char c : decoded) literal(c);
      at += std::max<std::size_t>(taken, 1);
    }
  }

  void literal(char c) {
    if ((c & kHighBit) != 0 || is_letter(c) || is_digit(c)) {
      out_ += c;
    } else if (c == '\n' || c == '\t' || c >= ' ') {
      out_ += kLiteral;
      out_ += static_cast<char>(c | kHighBit);
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::string out_;
  OpenItems<Braces> braces_;
  std::uint64_t unclosed_ = 0;  // extensions, by number, that no end tag follows
  bool no_bracket_ = false;     // there is no '>' from here on
};

}  // namespace

std::string without_hidden(std::string_view wikitext) { return Preprocessor(wikitext).run(); }

}  // namespace cupel::markup
