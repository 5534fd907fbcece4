#include "cupel/data/records/text_tags.h"

#include <algorithm>
#include <array>

namespace cupel {
namespace {

constexpr std::size_t kLongestTag = 2048;
constexpr std::string_view kBlanks = " \t\n\v\f\r";
constexpr std::array<std::string_view, 51> kTags = {
    "a",     "abbr", "abstract", "b",     "big",  "bold",   "br",     "center", "cite",
    "code",  "dd",   "div",      "dl",    "dt",   "em",     "emph",   "font",   "formula",
    "h1",    "h2",   "h3",       "h4",    "hr",   "i",      "inf",    "italic", "jats",
    "label", "li",   "list",     "math",  "nobr", "ol",     "p",      "para",   "s",
    "sc",    "scp",  "sec",      "small", "span", "strike", "strong", "sub",    "sup",
    "table", "td",   "title",    "tr",    "tt",   "u"};
constexpr std::array<std::string_view, 16> kApart = {"br",   "center", "dd", "div",  "dt", "h1",
                                                     "h2",   "h3",     "h4", "hr",   "li", "p",
                                                     "para", "sec",    "td", "title"};

bool is_letter(char c) { return (c | 0x20) >= 'a' && (c | 0x20) <= 'z'; }

void append_words(std::string_view text, std::string& out, bool& blank) {
  for (const char c : text) {
    if (c == ' ') {
      blank = true;
      continue;
    }
    if (blank && !out.empty()) out += ' ';
    blank = false;
    out += c;
  }
}

}  // namespace

Tag tag_at(std::string_view text) {
  text = text.substr(0, kLongestTag);
  std::size_t at = 1;
  const bool ends = at < text.size() && text[at] == '/';
  if (ends) ++at;
  const std::size_t from = at;
  while (at < text.size() && (is_letter(text[at]) || (text[at] >= '0' && text[at] <= '9'))) ++at;
  std::string name(text.substr(from, std::min<std::size_t>(at - from, 16)));
  const bool prefixed = at < text.size() && text[at] == ':';
  std::ranges::transform(name, name.begin(),
                         [](char c) { return is_letter(c) ? static_cast<char>(c | 0x20) : c; });
  if (prefixed) {  // "jats:p", "mml:mi"
    if (name != "jats" && name != "mml" && name != "ce" && name != "m" && name != "xhtml")
      return {};
    const std::size_t local = ++at;
    while (at < text.size() && (is_letter(text[at]) || text[at] == '-')) ++at;
    name = text.substr(local, std::min<std::size_t>(at - local, 16));
  } else if (!std::ranges::binary_search(kTags, name)) {
    // MathML: mi, mo, mrow, msub, ...
    const bool math = name.size() > 1 && name[0] == 'm' &&
                      (name == "mi" || name == "mo" || name == "mn" || name == "mrow" ||
                       name == "ms" || name == "mtext" || name == "mspace" || name == "mfrac" ||
                       name == "msqrt" || name == "mover" || name == "munder" || name == "mstyle" ||
                       name == "mfenced" || name.starts_with("msu"));
    if (!math) return {};
  }
  // Behind the name only attributes, or this is "a < b > c".
  if (at < text.size() && kBlanks.find(text[at]) != std::string_view::npos) {
    const std::size_t end = text.find_first_of("=<>", at);
    if (end == std::string_view::npos || text[end] == '<') return {};
    if (text[end] == '>' && text.find_first_not_of(" \t\r\n/", at) != end) return {};
    at = text.find_first_of("<>", at);
  } else if (at < text.size() && text[at] == '/') {
    ++at;
  }
  if (at >= text.size() || text[at] != '>') return {};
  return {at + 1, std::ranges::binary_search(kApart, name), name == "sup" || name == "label", ends};
}

std::string without_tags(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  bool blank = false;
  while (!text.empty()) {
    const std::size_t at = std::min(text.find('<'), text.size());
    append_words(text.substr(0, at), out, blank);
    text.remove_prefix(at);
    if (text.empty()) break;
    const Tag tag = tag_at(text);
    if (tag.size == 0) append_words(text.substr(0, 1), out, blank);
    blank = blank || tag.apart;
    text.remove_prefix(std::max<std::size_t>(tag.size, 1));
  }
  return out;
}

}  // namespace cupel
