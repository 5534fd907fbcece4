#include "cupel/data/records/record_text.h"

#include <algorithm>
#include <array>
#include <set>
#include <tuple>

#include "cupel/data/records/names.h"

namespace cupel {
namespace {

constexpr std::size_t kLongestTag = 2048;
constexpr std::array<std::string_view, 50> kTags = {
    "a",      "abbr",   "abstract", "b",    "big",   "bold",   "br",    "center",  "cite",  "code",
    "dd",     "div",    "dl",       "dt",   "em",    "emph",   "font",  "formula", "h1",    "h2",
    "h3",     "h4",     "hr",       "i",    "inf",   "italic", "jats",  "li",      "list",  "math",
    "nobr",   "ol",     "p",        "para", "s",     "sc",     "scp",   "sec",     "small", "span",
    "strike", "strong", "sub",      "sup",  "table", "td",     "title", "tr",      "tt",    "u"};
constexpr std::array<std::string_view, 16> kApart = {"br",   "center", "dd", "div",  "dt", "h1",
                                                     "h2",   "h3",     "h4", "hr",   "li", "p",
                                                     "para", "sec",    "td", "title"};

bool is_letter(char c) { return (c | 0x20) >= 'a' && (c | 0x20) <= 'z'; }
bool is_ascii_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

struct Tag {
  std::size_t size = 0;  // in bytes; 0: none
  bool apart = false;    // what stands on both sides is not one word
};

// The tag at the head of `text`, which begins with '<'. Only its first kLongestTag bytes are looked
// at, so that a text of '<' takes linear time.
Tag tag_at(std::string_view text) {
  text = text.substr(0, kLongestTag);
  std::size_t at = 1;
  if (at < text.size() && text[at] == '/') ++at;
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
  if (at < text.size() && is_ascii_blank(text[at])) {
    const std::size_t end = text.find_first_of("=<>", at);
    if (end == std::string_view::npos || text[end] == '<') return {};
    if (text[end] == '>' && text.find_first_not_of(" \t\r\n/", at) != end) return {};
    at = text.find_first_of("<>", at);
  } else if (at < text.size() && text[at] == '/') {
    ++at;
  }
  if (at >= text.size() || text[at] != '>') return {};
  return {at + 1, std::ranges::binary_search(kApart, name)};
}

// Nothing of the text would be changed.
bool is_plain(std::string_view text) {
  bool blank = true;
  for (const char c : text) {
    const bool seen = c >= ' ' && c < '\x7f';
    if (!seen || c == '<' || c == '&' || (c == ' ' && blank)) return false;
    blank = c == ' ';
  }
  return text.empty() || !blank;
}

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

// Of a text whose blanks are in order.
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

}  // namespace

void make_plain(std::string& text, unsigned& mends) {
  if (is_plain(text)) return;
  std::ignore = clean_text(text, mends);
  if (text.find('<') != std::string::npos) text = without_tags(text);
}

std::string_view trimmed_text(std::string_view text) {
  while (!text.empty() && is_ascii_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_ascii_blank(text.back())) text.remove_suffix(1);
  return text;
}

std::vector<std::string_view> list_parts(std::string_view text, char mark) {
  std::vector<std::string_view> out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(mark), text.size());
    const std::string_view part = trimmed_text(text.substr(0, end));
    if (!part.empty()) out.push_back(part);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

void keep_first(std::vector<std::string>& texts) {
  constexpr std::size_t kFew = 32;
  std::set<std::string, std::less<>> seen;
  std::size_t kept = 0;
  const bool few = texts.size() <= kFew;
  for (std::size_t k = 0; k < texts.size(); ++k) {
    const auto end = texts.begin() + static_cast<std::ptrdiff_t>(kept);
    if (few ? std::find(texts.begin(), end, texts[k]) != end : !seen.insert(texts[k]).second)
      continue;
    if (kept != k) texts[kept] = std::move(texts[k]);
    ++kept;
  }
  texts.resize(kept);
}

std::optional<int> year_of(std::string_view text) {
  text = trimmed_text(text);
  if (text.size() != 4) return std::nullopt;
  int year = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return std::nullopt;
    year = 10 * year + (c - '0');
  }
  return year;
}

}  // namespace cupel
