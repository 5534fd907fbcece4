#include "cupel/data/wiki/titles.h"

#include <array>
#include <utility>

#include "cupel/base/utf8.h"
#include "cupel/data/wiki/interwiki.h"
#include "cupel/data/wiki/letter_case.h"
#include "cupel/data/wiki/references.h"

namespace cupel {
namespace {

constexpr std::size_t kLongestName = 255;                 // bytes
constexpr std::size_t kLongestTarget = 4 * kLongestName;  // with its namespace, blanks made single

// MediaWiki's own names, which hold in every language; those of extensions hold where a dump
// declares their number.
constexpr auto kEnglish = std::to_array<std::pair<int, std::string_view>>({
    {-2, "Media"},
    {-1, "Special"},
    {1, "Talk"},
    {2, "User"},
    {3, "User talk"},
    {4, "Project"},
    {5, "Project talk"},
    {6, "File"},
    {7, "File talk"},
    {8, "MediaWiki"},
    {9, "MediaWiki talk"},
    {10, "Template"},
    {11, "Template talk"},
    {12, "Help"},
    {13, "Help talk"},
    {14, "Category"},
    {15, "Category talk"},
    {6, "Image"},
    {7, "Image talk"},
    {4, "WP"},
    {5, "WT"},
    {4, "Wikipedia"},
    {5, "Wikipedia talk"},
});
constexpr auto kExtensions = std::to_array<std::pair<int, std::string_view>>({
    {100, "Portal"},
    {101, "Portal talk"},
    {710, "TimedText"},
    {711, "TimedText talk"},
    {828, "Module"},
    {829, "Module talk"},
    {2300, "Gadget"},
    {2301, "Gadget talk"},
    {2302, "Gadget definition"},
    {2303, "Gadget definition talk"},
    {2600, "Topic"},
});

// How a character counts in a title.
enum class Use : char { kPlain, kBlank, kIllegal, kNothing };

constexpr std::array<Use, 128> kAscii = [] {
  std::array<Use, 128> out{};
  for (int c = 0; c < 0x20; ++c) out[c] = Use::kIllegal;
  for (const char c : {'[', ']', '{', '}', '|', '<', '>', '\x7f'}) out[c] = Use::kIllegal;
  out[' '] = out['_'] = Use::kBlank;
  return out;
}();

Use use_of(char32_t c) {
  if (c < 0x80) return kAscii[c];
  if (c == 0xa0 || c == 0x1680 || c == 0x180e || c == 0x202f || c == 0x205f || c == 0x3000 ||
      (c >= 0x2000 && c <= 0x200a) || c == 0x2028 || c == 0x2029)
    return Use::kBlank;
  // Marks of the direction of writing are dropped.
  if (c == 0x200e || c == 0x200f || (c >= 0x202a && c <= 0x202e)) return Use::kNothing;
  return c == 0xfffd ? Use::kIllegal : Use::kPlain;
}

// Blanks made single and trimmed, up to the fragment. False for a character that no title has.
bool clean(std::string_view text, std::string& out, bool& fragment) {
  out.clear();
  fragment = false;
  bool blank = false;
  for (std::size_t at = 0; at < text.size() && out.size() <= kLongestTarget;) {
    const char c = text[at];
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80) {
      ++at;
      if (kAscii[byte] == Use::kPlain) {
        if (c == '#') {
          fragment = text.find_first_not_of(" _", at) != std::string_view::npos;
          break;
        }
        if (blank && !out.empty()) out += ' ';
        blank = false;
        out += c;
      } else if (kAscii[byte] == Use::kBlank) {
        blank = true;
      } else {
        return false;
      }
      continue;
    }
    const Utf8Char next = utf8_char(text, at);
    const Use use = use_of(next.value);
    if (use == Use::kIllegal) return false;
    if (use == Use::kBlank) blank = true;
    if (use == Use::kPlain) {
      if (blank && !out.empty()) out += ' ';
      blank = false;
      out.append(text, at, static_cast<std::size_t>(next.bytes));
    }
    at += static_cast<std::size_t>(next.bytes);
  }
  return out.size() <= kLongestTarget;
}

// The colon behind a prefix of at least one character, or npos.
std::size_t colon_of(std::string_view name) { return name.find(':', 1); }

std::string_view before(std::string_view name, std::size_t colon) {
  name = name.substr(0, colon);
  if (name.ends_with(' ')) name.remove_suffix(1);
  return name;
}

void cut_front(std::string& name, std::size_t count) {
  name.erase(0, count);
  if (name.starts_with(' ')) name.erase(0, 1);
}

// "%41" and "&lt;", which a browser would take for other titles.
bool has_escape(std::string_view name) {
  const auto hex = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'F') || (c >= 'a' && c <= 'f');
  };
  for (std::size_t at = name.find('%'); at != std::string_view::npos; at = name.find('%', at + 1)) {
    if (at + 2 < name.size() && hex(name[at + 1]) && hex(name[at + 2])) return true;
  }
  for (std::size_t at = name.find('&'); at != std::string_view::npos; at = name.find('&', at + 1)) {
    std::size_t end = at + 1;
    while (end < name.size() && (hex(name[end]) || (name[end] >= 'G' && name[end] <= 'Z') ||
                                 (name[end] >= 'g' && name[end] <= 'z') || (name[end] & 0x80) != 0))
      ++end;
    if (end > at + 1 && end < name.size() && name[end] == ';') return true;
  }
  return false;
}

bool has_path_step(std::string_view name) {
  if (name.find('.') == std::string_view::npos) return false;
  return name == "." || name == ".." || name.starts_with("./") || name.starts_with("../") ||
         name.find("/./") != std::string_view::npos ||
         name.find("/../") != std::string_view::npos || name.ends_with("/.") ||
         name.ends_with("/..");
}

}  // namespace

WikiNames::WikiNames(std::span<const WikiNamespace> own, std::string_view language,
                     std::string_view spelling)
    : language_(fold_case(language)),
      dotted_i_(spelling == "tr" || spelling == "az" || spelling == "kaa") {
  const auto add = [&](int number, std::string_view name) {
    std::string key = fold_case(name);
    for (char& c : key) c = c == '_' ? ' ' : c;
    if (!key.empty()) numbers_.try_emplace(std::move(key), number);
  };
  std::set<int> declared;
  for (const WikiNamespace& space : own) {
    add(space.number, space.name);
    declared.insert(space.number);
    if (space.case_sensitive) case_sensitive_.insert(space.number);
  }
  for (const auto& [number, name] : kEnglish) add(number, name);
  for (const auto& [number, name] : kExtensions) {
    if (declared.contains(number)) add(number, name);
  }
}

std::optional<int> WikiNames::number_of(std::string_view name) const {
  std::string key = fold_case(name);
  for (char& c : key) c = c == '_' ? ' ' : c;
  const auto found = numbers_.find(key);
  if (found == numbers_.end()) return std::nullopt;
  return found->second;
}

bool WikiNames::is_own_language(std::string_view prefix) const {
  return !language_.empty() && fold_case(prefix) == language_;
}

bool WikiNames::is_interwiki(std::string_view prefix) const {
  return is_interwiki_prefix(ascii_lower(prefix));
}

bool read_title(std::string_view target, const WikiNames& names, WikiTitle& out) {
  std::string& name = out.name;
  out.space = kArticles;
  if (target.find('&') != std::string_view::npos) {
    std::string decoded;
    decode_references(target, decoded);
    if (!clean(decoded, name, out.fragment)) return false;
  } else if (!clean(target, name, out.fragment)) {
    return false;
  }
  if (name.starts_with(':')) cut_front(name, 1);
  while (true) {
    const std::size_t colon = name.empty() ? std::string::npos : colon_of(name);
    if (colon == std::string::npos) break;
    const std::string_view prefix = before(name, colon);
    if (const auto number = names.number_of(prefix)) {
      out.space = *number;
      cut_front(name, colon + 1);
      break;
    }
    // A link to its own language may go on with a namespace, "ltg:Kategoreja:X".
    if (!names.is_own_language(prefix)) {
      if (names.is_interwiki(prefix)) return false;
      break;
    }
    cut_front(name, colon + 1);
    if (name.starts_with(':')) cut_front(name, 1);
  }
  if (out.space == kTalk && !name.empty()) {
    const std::size_t colon = colon_of(name);
    if (colon != std::string::npos) {
      const std::string_view prefix = before(name, colon);
      if (names.number_of(prefix) || names.is_interwiki(prefix)) return false;
    }
  }
  if (name.empty() || name.starts_with(':') || name.size() > kLongestName) return false;
  if (has_escape(name) || has_path_step(name) || name.find("~~~") != std::string::npos)
    return false;
  if (!names.case_sensitive(out.space)) capitalise(name, names.has_dotted_i());
  return true;
}

std::optional<WikiTitle> read_title(std::string_view target, const WikiNames& names) {
  WikiTitle out;
  if (!read_title(target, names, out)) return std::nullopt;
  return out;
}

WikiTitle page_title(std::string_view title, const WikiNames& names) {
  const std::size_t colon = title.empty() ? std::string_view::npos : colon_of(title);
  if (colon != std::string_view::npos) {
    if (const auto number = names.number_of(title.substr(0, colon)))
      return {.space = *number, .name = std::string(title.substr(colon + 1))};
  }
  return {.name = std::string(title)};
}

}  // namespace cupel
