#include "cupel/data/wiki/markup/reader.h"

#include <algorithm>
#include <array>

#include "cupel/data/wiki/markup/marks.h"
#include "cupel/data/wiki/markup/named_characters.h"
#include "cupel/data/wiki/markup/tags.h"

namespace cupel::markup {
namespace {

constexpr auto kNone = std::string_view::npos;
constexpr ByteSet kStops("\n<[]&'_{};\x01");

// What programs put between double underscores; it is not MediaWiki's.
constexpr auto kOfPrograms =
    std::to_array<std::string_view>({"CLASS", "COUNTER", "DATA", "DATE", "DIR", "FILE", "FUNCTION",
                                     "LINE", "METHOD", "NAMESPACE", "PACKAGE", "TIME", "VA_ARGS"});

// The size of a behaviour switch at `at`, "__NOTOC__" in any language; 0 if none is there. Its
// letters are capitals or beyond ASCII.
std::size_t switch_size(std::string_view text, std::size_t at) {
  constexpr std::size_t kLongest = 80;
  text = text.substr(at, kLongest);
  if (!text.starts_with("__")) return 0;
  const std::size_t end = text.find("__", 2);
  if (end == kNone || end < 5) return 0;
  const std::string_view name = text.substr(2, end - 2);
  const bool plain = std::ranges::all_of(name, [](char c) {
    return (c >= 'A' && c <= 'Z') || c == '_' || static_cast<unsigned char>(c) >= 0x80;
  });
  return plain && !std::ranges::binary_search(kOfPrograms, name) ? end + 2 : 0;
}

}  // namespace

std::string MarkupReader::run() {
  out_.reserve(text_.size());
  begin_line();
  while (true) {
    const std::size_t stop = kStops.find(text_, at_);
    copy(stop - at_);
    if (at_ == text_.size()) break;
    step();
  }
  end_line();
  return std::move(out_);
}

void MarkupReader::step() {
  switch (text_[at_]) {
    case '\n':
      end_line();
      copy(1);
      begin_line();
      break;
    case '<':
      tag();
      break;
    case '[':
      open_bracket();
      break;
    case ']':
      close_bracket();
      break;
    case '&':
      reference();
      break;
    case '\'': {
      const std::size_t run = run_end(text_, at_, '\'') - at_;
      if (run == 1) {
        copy(1);
      } else {
        quotes_.add(run, out_);
        at_ += run;
      }
      break;
    }
    case '_':
      behaviour_switch();
      break;
    case '{':
      open_variant();
      break;
    case '}':
      if (!close_variant()) copy(1);
      break;
    case ';':
      if (!open_.empty() && open_.top().first_of_several && open_.top().cut == kNone)
        open_.top().cut = out_.size();
      copy(1);
      break;
    default:  // kLiteral, which is never last
      out_ += static_cast<char>(text_[at_ + 1] & ~kHighBit);
      at_ += 2;
  }
}

void MarkupReader::reference() {
  const std::size_t taken = append_reference(text_, at_, out_);
  if (taken == 0) {
    copy(1);
  } else {
    at_ += taken;
  }
}

void MarkupReader::behaviour_switch() {
  const std::size_t size = switch_size(text_, at_);
  if (size == 0) {
    copy(run_end(text_, at_, '_') - at_);
  } else {
    at_ += size;
  }
}

void MarkupReader::tag() {
  const bool ends = at_ + 1 < text_.size() && text_[at_ + 1] == '/';
  const std::string_view name = tag_name(text_, at_ + (ends ? 2 : 1));
  const TagUse use = tag_of(name).use;
  const std::size_t behind = at_ + (ends ? 2 : 1) + name.size();
  const bool known = use == TagUse::kInline || use == TagUse::kBlock || use == TagUse::kTable;
  // A tag ends before another begins.
  const std::size_t close = known && behind < text_.size() && !is_letter(text_[behind])
                                ? text_.find_first_of("<>", behind)
                                : kNone;
  if (close == kNone || text_[close] == '<') {
    copy(1);
    return;
  }
  at_ = close + 1;
  if (use == TagUse::kInline) return;
  if (use == TagUse::kTable && !ends)
    push({.kind = kTable, .hidden = rules_.tables() == TableText::kDrop, .out = out_.size()});
  if (use == TagUse::kTable && ends && pop_to(kTable)) pop();
  out_ += '\n';
}

void MarkupReader::push(const Open& item) {
  ++count_[item.kind];
  open_.push(item, [this](const Open& forgotten) { --count_[forgotten.kind]; });
  open_.top().quotes = quotes_;
}

void MarkupReader::pop() {
  const Open& item = open_.top();
  --count_[item.kind];
  if (item.hidden) {
    out_.resize(item.out);
    quotes_ = item.quotes;
  } else {
    if (item.cut != kNone) out_.resize(item.cut);
    if (item.brackets_shown) out_[item.out] = out_[item.out + 1] = kNothing;
  }
  open_.pop();
}

bool MarkupReader::pop_to(Kind kind) {
  if (count_[kind] == 0) return false;
  while (open_.top().kind != kind) {
    --count_[open_.top().kind];
    open_.pop();
  }
  return true;
}

}  // namespace cupel::markup
