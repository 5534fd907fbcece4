#include "cupel/data/wiki/brackets.h"

#include <array>

namespace cupel {
namespace {

constexpr auto kNone = std::string_view::npos;

constexpr std::array<bool, 256> kEndsTarget = [] {
  std::array<bool, 256> out{};
  for (int c = 0; c < 0x20; ++c) out[c] = true;
  for (const char c : {'[', ']', '{', '}', '|', '<', '>', '\x7f'})
    out[static_cast<unsigned char>(c)] = true;
  return out;
}();

// A single '[' is as rare as two of them, and memchr is faster than a search for two bytes.
std::size_t next_pair(std::string_view text, char c, std::size_t from) {
  while ((from = text.find(c, from)) != kNone) {
    if (from + 1 < text.size() && text[from + 1] == c) return from;
    ++from;
  }
  return kNone;
}

int hex(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

}  // namespace

Brackets::Brackets(std::string_view text) : text_(text), at_(next_pair(text, '[', 0)) {}

bool Brackets::next(std::string_view& target) {
  while (at_ != kNone) {
    const std::size_t begin = at_ + 2;
    std::size_t end = begin;
    while (end < text_.size() && !kEndsTarget[static_cast<unsigned char>(text_[end])]) ++end;
    at_ = next_pair(text_, '[', end);
    if (end == begin || end == text_.size()) continue;
    const std::string_view rest = text_.substr(end, at_ == kNone ? kNone : at_ - end);
    const bool closed = text_[end] == ']'   ? rest.starts_with("]]")
                        : text_[end] == '|' ? next_pair(rest, ']', 1) != kNone
                                            : false;
    if (!closed) continue;
    target = text_.substr(begin, end - begin);
    return true;
  }
  return false;
}

std::string_view percent_decoded(std::string_view target, std::string& space) {
  std::size_t at = target.find('%');
  if (at == kNone) return target;
  space.assign(target.substr(0, at));
  for (; at < target.size(); ++at) {
    const bool whole = target[at] == '%' && at + 2 < target.size();
    const int high = whole ? hex(target[at + 1]) : -1, low = whole ? hex(target[at + 2]) : -1;
    if (high < 0 || low < 0) {
      space += target[at];
    } else {
      space += static_cast<char>(16 * high + low);
      at += 2;
    }
  }
  return space;
}

}  // namespace cupel
