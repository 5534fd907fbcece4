#include "cupel/data/wiki/hidden_parts.h"

#include <algorithm>
#include <array>
#include <optional>

#include "cupel/data/wiki/letter_case.h"

namespace cupel {
namespace {

constexpr auto kNone = std::string_view::npos;

constexpr auto kElements = std::to_array<std::string_view>({
    "nowiki",
    "pre",
    "math",
    "chem",
    "ce",
    "source",
    "syntaxhighlight",
    "score",
    "timeline",
    "hiero",
    "graph",
    "templatedata",
    "mapframe",
    "maplink",
    "inputbox",
    "includeonly",
});
constexpr std::size_t kIncludeOnly = kElements.size() - 1;
static_assert(kElements[kIncludeOnly] == "includeonly");

// Most tags are others, and their first letter tells.
constexpr std::array<bool, 256> kFirstLetters = [] {
  std::array<bool, 256> out{};
  for (const std::string_view name : kElements)
    out[static_cast<unsigned char>(name[0])] =
        out[static_cast<unsigned char>(name[0] - ('a' - 'A'))] = true;
  return out;
}();

bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

bool begins_with(std::string_view text, std::string_view lower_case) {
  return text.size() >= lower_case.size() &&
         std::equal(lower_case.begin(), lower_case.end(), text.begin(),
                    [](char a, char b) { return a == ascii_lower(b); });
}

class Hider {
 public:
  explicit Hider(std::string_view text) : text_(text) {}

  std::string_view run(std::string& space) {
    std::size_t kept = 0;  // what lies before it is copied
    for (std::size_t at = 0; (at = text_.find('<', at)) != kNone;) {
      const Part part = part_at(at);
      if (part.is != Part::kText) {
        if (kept == 0) space.clear();
        space.append(text_.substr(kept, at - kept));
        if (part.is == Part::kElement) space += '\x7f';
        kept = part.end;
      }
      at = part.end;
    }
    if (kept == 0) return text_;
    space.append(text_.substr(kept));
    return space;
  }

 private:
  struct Part {
    enum Is { kText, kComment, kElement } is;
    std::size_t end;
  };

  // What begins with the '<' at `at`.
  Part part_at(std::size_t at) {
    const std::string_view rest = text_.substr(at + 1);
    if (rest.starts_with("!--")) {
      const std::size_t end = text_.find("-->", at + 4);
      return {Part::kComment, end == kNone ? text_.size() : end + 3};
    }
    if (rest.empty() || !kFirstLetters[static_cast<unsigned char>(rest[0])])
      return {Part::kText, at + 1};
    const std::optional<std::size_t> element = element_of(rest);
    if (!element || no_more_ends_) return {Part::kText, at + 1};
    const std::size_t end = text_.find('>', at);
    if (end == kNone) {
      no_more_ends_ = true;
      return {Part::kText, at + 1};
    }
    const bool empty = text_[end - 1] == '/';
    const std::size_t behind = empty ? end + 1 : closed(*element, end + 1);
    if (behind == kNone) return {Part::kText, end + 1};
    return {Part::kElement, behind};
  }

  static std::optional<std::size_t> element_of(std::string_view rest) {
    for (std::size_t k = 0; k < kElements.size(); ++k) {
      const std::string_view name = kElements[k];
      if (!begins_with(rest, name) || rest.size() == name.size()) continue;
      const char next = rest[name.size()];
      if (is_space(next) || next == '>' || next == '/') return k;
    }
    return std::nullopt;
  }

  // Behind the closing tag of an element whose text begins at `from`.
  std::size_t closed(std::size_t element, std::size_t from) {
    const std::string_view name = kElements[element];
    for (std::size_t at = unclosed_[element] ? kNone : text_.find("</", from); at != kNone;
         at = text_.find("</", at + 2)) {
      if (!begins_with(text_.substr(at + 2), name)) continue;
      std::size_t end = at + 2 + name.size();
      while (end < text_.size() && is_space(text_[end])) ++end;
      if (end < text_.size() && text_[end] == '>') return end + 1;
    }
    unclosed_[element] = true;
    return element == kIncludeOnly ? text_.size() : kNone;
  }

  const std::string_view text_;
  bool no_more_ends_ = false;  // no '>' behind here
  std::array<bool, kElements.size()> unclosed_{};
};

}  // namespace

std::string_view without_hidden(std::string_view wikitext, std::string& space) {
  return Hider(wikitext).run(space);
}

}  // namespace cupel
