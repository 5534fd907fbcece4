// Brackets and what they enclose: links, external links, variants of a language.
#include <algorithm>

#include "cupel/data/wiki/markup/marks.h"
#include "cupel/data/wiki/markup/reader.h"
#include "cupel/data/wiki/schemes.h"

namespace cupel::markup {
namespace {

constexpr auto kNone = std::string_view::npos;
constexpr ByteSet kTargetEnds("|][\n<>{}");
constexpr ByteSet kUrlEnds(" \t\n\r[]<>\"\x01");

// What MediaWiki shows of [[target|]]: no namespace, nothing in parentheses, nothing behind a
// comma.
std::string_view without_context(std::string_view target) {
  if (target.starts_with(':')) target.remove_prefix(1);
  if (const std::size_t colon = target.find(':'); colon != kNone) target.remove_prefix(colon + 1);
  if (const std::size_t at = target.rfind(" ("); at != kNone && target.ends_with(')'))
    return target.substr(0, at);
  return target.substr(0, target.find(", "));
}

}  // namespace

// All brackets of a run at once. The link is the innermost; further pairs around it are text,
// unless they close.
void MarkupReader::open_bracket() {
  const std::size_t end = run_end(text_, at_, '[');
  const bool external = scheme_size(std::string_view(text_).substr(end)) != 0;
  if (!external && end - at_ >= 2) {
    copy((end - at_) % 2);
    for (; at_ + 2 < end; at_ += 2) {
      push({.kind = kLink, .brackets_shown = true, .out = out_.size()});
      out_ += "[[";
    }
    open_link();
    return;
  }
  copy(end - at_ - 1);
  if (external && open_external()) return;
  if (!open_.empty()) ++open_.top().lone;
  copy(1);
}

bool MarkupReader::open_external() {
  const std::size_t scheme = scheme_size(std::string_view(text_).substr(at_ + 1));
  if (scheme == 0 || !line_has_close()) return false;
  const std::size_t url = at_ + 1 + scheme, end = kUrlEnds.find(text_, url);
  if (end == url) return false;
  push({.kind = kExternal, .out = out_.size()});
  at_ = run_end(text_, end, ' ');
  return true;
}

// The place of the last answer is kept, so that a text is searched once.
bool MarkupReader::line_has_close() {
  if (next_close_ <= at_) next_close_ = std::min(text_.find_first_of("]\n", at_), text_.size());
  return next_close_ < text_.size() && text_[next_close_] == ']';
}

// The target is skipped where a label follows, and else read as text.
void MarkupReader::open_link() {
  const std::string_view text = text_;
  const std::size_t begin = at_ + 2, end = kTargetEnds.find(text, begin);
  std::string_view target = text.substr(begin, end - begin);
  const std::size_t blanks = std::min(target.find_first_not_of(' '), target.size());
  const bool shown = target.substr(blanks).starts_with(':');
  const LinkUse use = shown ? LinkUse::kShown : rules_.use_of(target);
  const bool labelled = end < text.size() && text[end] == '|';
  const bool closed = text.substr(end, 2) == "]]";
  Open item{.hidden = use == LinkUse::kHidden, .out = out_.size()};
  if (closed && use != LinkUse::kShown) {
    at_ = end + 2;
    return;
  }
  if (labelled && !item.hidden && text.substr(end + 1, 2) == "]]") {
    out_.append(without_context(target.substr(blanks)));
    at_ = end + 3;
    return;
  }
  at_ = labelled ? end + 1 : begin + (shown && closed ? blanks + 1 : 0);
  if (!labelled && !closed && !item.hidden) {
    item.brackets_shown = true;
    out_ += "[[";
  }
  push(item);
}

void MarkupReader::close_bracket() {
  if (!open_.empty() && open_.top().kind == kExternal) {
    pop();
    ++at_;
    return;
  }
  if (at("]]") && close_link()) return;
  if (!open_.empty() && open_.top().lone > 0) --open_.top().lone;
  copy(1);
}

bool MarkupReader::close_link() {
  // "[[a|b [c]]]": the first bracket closes the one in the label.
  const bool of_label = !open_.empty() && open_.top().kind == kLink && open_.top().lone > 0;
  if ((of_label && at("]]]")) || !pop_to(kLink)) return false;
  pop();
  at_ += 2;
  return true;
}

// -{flags|code:text; code:text}-, with and without flags and codes.
void MarkupReader::open_variant() {
  constexpr std::size_t kLongest = 32;
  if (!out_.ends_with('-') || at_ == 0 || text_[at_ - 1] != '-') {
    copy(1);
    return;
  }
  Open item{.kind = kVariant, .brackets_shown = true, .out = out_.size() - 1};
  copy(1);
  std::string_view rest = std::string_view(text_).substr(at_, kLongest);
  const auto is_flag = [](char c) { return is_letter(c) || c == ';' || c == '-' || c == '+'; };
  const auto size =
      static_cast<std::size_t>(std::ranges::find_if_not(rest, is_flag) - rest.begin());
  bool raw = false;
  if (size < rest.size() && rest[size] == '|') {
    const std::string_view flags = rest.substr(0, size);
    item.hidden = flags == "H" || flags == "T" || flags == "-";
    raw = flags == "R";
    at_ += size + 1;
    rest.remove_prefix(size + 1);
  }
  const auto is_code = [](char c) { return (c >= 'a' && c <= 'z') || c == '-' || c == ' '; };
  const auto code =
      static_cast<std::size_t>(std::ranges::find_if_not(rest, is_code) - rest.begin());
  if (!raw && code > 0 && code < rest.size() && rest[code] == ':') {
    item.first_of_several = true;
    at_ += code + 1;
  }
  push(item);
}

bool MarkupReader::close_variant() {
  if (!at("}-") || !pop_to(kVariant)) return false;
  pop();
  at_ += 2;
  return true;
}

}  // namespace cupel::markup
