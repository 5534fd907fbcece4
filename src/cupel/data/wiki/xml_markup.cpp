// What stands between '<' and '>'.
#include <algorithm>
#include <array>
#include <cstring>

#include "cupel/data/formats/text.h"
#include "cupel/data/wiki/xml_pull.h"
#include "cupel/data/wiki/xml_text.h"

namespace cupel {
namespace {

constexpr std::size_t kDeepest = 256;
constexpr std::size_t kMostAttributes = 64;
constexpr std::size_t kLongestTarget = 1024;

constexpr auto kInName = [] {
  std::array<bool, 256> out{};
  for (int c = 0; c < 256; ++c)
    out[static_cast<std::size_t>(c)] =
        begins_name(static_cast<char>(c)) || (c >= '0' && c <= '9') || c == '-' || c == '.';
  return out;
}();

bool in_name(char c) { return kInName[static_cast<unsigned char>(c)]; }

// The bytes of the name that begins at `at`; 0 if none does.
std::size_t name_at(std::string_view text, std::size_t at) {
  if (at == text.size() || !begins_name(text[at])) return 0;
  std::size_t end = at + 1;
  while (end < text.size() && in_name(text[end])) ++end;
  return end - at;
}

// Where `lower` is in lower case.
bool same_letters(std::string_view text, std::string_view lower) {
  return std::ranges::equal(text, lower, [](char a, char b) {
    return a == b || (a >= 'A' && a <= 'Z' && (a | 0x20) == b);
  });
}

std::size_t skip_space(std::string_view text, std::size_t at) {
  while (at < text.size() && is_xml_space(text[at])) ++at;
  return at;
}

}  // namespace

void XmlPull::start_tag() {
  std::size_t size = name_at(window_.bytes(), 1);
  const bool simple = 1 + size < window_.bytes().size() && window_.begin()[1 + size] == '>';
  const std::string_view tag = simple ? window_.bytes().substr(0, size + 2) : whole_tag();
  tag_ = tag.size();
  if (root_ && starts_.empty())
    xml_problem(offset(), "a second document follows; give each document a file of its own");
  if (starts_.size() == kDeepest)
    xml_problem(offset(), "elements are nested deeper than {}; this is no MediaWiki export",
                kDeepest);
  root_ = true;
  attributes_.clear();
  if (!simple) {
    size = name_at(tag, 1);
    empty_ = tag[tag.size() - 2] == '/';
    const std::size_t end = tag.size() - (empty_ ? 2 : 1);
    if (1 + size < end) read_attributes(tag, 1 + size, end);
  }
  local_ = tag.substr(1, size);
  starts_.push_back(names_.size());
  names_ += local_;
  const std::size_t colon = local_.find(':');
  if (colon != std::string_view::npos) local_.remove_prefix(colon + 1);
}

// Of tag[at, end), which begins behind a name.
void XmlPull::read_attributes(std::string_view tag, std::size_t at, std::size_t end) {
  const std::string_view text = tag.substr(0, end);
  const auto wrong = [&](const char* what) {
    xml_problem(offset() + at, "{} in the tag {}; correct it", what, in_quotes(tag));
  };
  while (at < end) {
    const std::size_t from = skip_space(text, at);
    if (from == end) return;
    if (from == at) wrong("no blank stands before an attribute");
    at = from;
    const std::size_t size = name_at(text, at);
    if (size == 0) wrong("what is no attribute stands");
    const std::string_view name = text.substr(at, size);
    at = skip_space(text, at + size);
    if (at == end || text[at] != '=') wrong("an attribute has no value");
    at = skip_space(text, at + 1);
    if (at == end || (text[at] != '"' && text[at] != '\'')) wrong("a value has no quotes");
    const std::size_t close = text.find(text[at], at + 1);
    if (close == std::string_view::npos) wrong("a value has no end");
    const std::string_view raw = text.substr(at + 1, close - at - 1);
    if (raw.find('<') != std::string_view::npos) wrong("'<' stands in a value");
    // Only if there is something to check; most are not asked for.
    if (raw.find('&') != std::string_view::npos) decode_attribute(raw, offset() + at + 1, value_);
    for (const Attribute& other : attributes_)
      if (other.name == name) wrong("an attribute stands twice");
    if (attributes_.size() == kMostAttributes) wrong("there are more than 64 attributes");
    attributes_.push_back({name, raw});
    at = close + 1;
  }
}

bool XmlPull::attribute(std::string_view name, std::string& value) const {
  for (const Attribute& one : attributes_) {
    if (one.name != name) continue;
    decode_attribute(one.raw, offset(), value);
    return true;
  }
  return false;
}

// <?xml version="1.0" encoding="utf-8" standalone="yes"?>, without what follows it.
void XmlPull::read_declaration(std::string_view tag) {
  if (!tag.ends_with("?>")) xml_problem(offset(), "{} has no '?>'; correct it", in_quotes(tag));
  read_attributes(tag, 5, tag.size() - 2);
  std::size_t next = 0;
  for (const Attribute& one : attributes_) {
    constexpr std::string_view kNames[] = {"version", "encoding", "standalone"};
    while (next < 3 && kNames[next] != one.name && next > 0) ++next;
    if (next == 3 || kNames[next++] != one.name)
      xml_problem(offset(), "{} is no declaration of XML; correct it", in_quotes(tag));
    if (one.name == "encoding" && !same_letters(one.raw, "utf-8"))
      xml_problem(offset(), "the encoding is {}; convert the file to UTF-8", in_quotes(one.raw));
    const auto odd = [](char c) { return !in_name(c) || c == ':' || c < 0; };
    if (one.name == "version" && std::ranges::any_of(one.raw, odd))
      xml_problem(offset(), "{} is no declaration of XML; correct it", in_quotes(tag));
    if (one.name == "standalone" && one.raw != "yes" && one.raw != "no")
      xml_problem(offset(), "{} is no declaration of XML; correct it", in_quotes(tag));
  }
  if (next == 0) xml_problem(offset(), "{} is no declaration of XML; correct it", in_quotes(tag));
}

void XmlPull::comment() {
  const std::uint64_t begin = offset();
  window_.take(4);
  while (true) {
    const std::size_t found = window_.bytes().find("--");
    if (found == std::string_view::npos) {
      const std::size_t size = window_.bytes().size();
      window_.take(size - (window_.bytes().ends_with('-') ? 1 : 0));
      more_or_cut_off();
      continue;
    }
    window_.take(found);
    while (window_.bytes().size() < 3) more_or_cut_off();
    if (window_.begin()[2] != '>')
      xml_problem(offset(), "'--' stands in a comment that begins at byte {}; remove it",
                  begin + 1);
    window_.take(3);
    return;
  }
}

// <?target ...?>
void XmlPull::instruction() {
  std::size_t size = 0;
  while (2 + (size = name_at(window_.bytes(), 2)) == window_.bytes().size()) {
    if (size > kLongestTarget)
      xml_problem(offset(), "an instruction's name has more than {} bytes; correct it",
                  kLongestTarget);
    more_or_cut_off();
  }
  const std::string_view target = window_.bytes().substr(2, size);
  const char behind = window_.begin()[2 + size];
  if (size == 0 || (behind != '?' && !is_xml_space(behind)))
    xml_problem(offset(), "'<?' begins no instruction; write '<' as '&lt;'");
  if (same_letters(target, "xml"))
    xml_problem(offset(),
                "<?xml ...?> does not stand at the start; give each document a file of its own");
  window_.take(2 + size);
  while (true) {
    const std::size_t found = window_.bytes().find('?');
    window_.take(std::min(found, window_.bytes().size()));
    while (window_.bytes().size() < 2) more_or_cut_off();
    if (window_.bytes().starts_with("?>")) break;
    if (behind == '?') xml_problem(offset(), "'?' stands in an instruction's name; correct it");
    window_.take(1);
  }
  window_.take(2);
}

void XmlPull::cdata() {
  if (starts_.empty()) xml_problem(offset(), "CDATA stands outside of all elements; remove it");
  window_.take(9);
  while (true) {
    const std::size_t found = window_.bytes().find("]]>");
    const bool whole = found != std::string_view::npos;
    const std::string_view run = window_.bytes().substr(0, found);
    TextBuffer& into = into_ ? *into_ : unused_;
    window_.take(append_literal(run, whole, into));
    if (into.full()) xml_problem(from_, "{}", into.refusal());
    unused_.clear();
    if (whole) break;
    more_or_cut_off();
  }
  window_.take(3);
}

}  // namespace cupel
