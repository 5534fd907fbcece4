#include "cupel/data/wiki/wikitext_rules.h"

#include <algorithm>
#include <array>

#include "cupel/data/wiki/interwiki.h"
#include "cupel/data/wiki/letter_case.h"

namespace cupel {
namespace {

constexpr int kMedia = -2;                   // namespace of links to the files themselves
constexpr std::size_t kLongestPrefix = 255;  // bytes, as titles

constexpr auto kMediaTypes = std::to_array<std::string_view>(
    {"djvu", "flac", "gif", "jpeg", "jpg", "mid", "mp3",  "mp4", "oga",  "ogg",  "ogv",
     "opus", "pdf",  "png", "stl",  "svg", "tif", "tiff", "wav", "webm", "webp", "xcf"});

// Prefixes of the shared map that are as short as languages' and are none.
constexpr auto kShortProjects =
    std::to_array<std::string_view>({"alt", "c2", "cz", "doi", "ext", "git", "hdl", "mw", "rev",
                                     "rfc", "svn", "ten", "voy", "wg", "wm", "wmf"});

bool is_blank(char c) { return c == ' ' || c == '_' || c == '\t' || c == '\n' || c == '\x02'; }

// Trimmed, words parted by one blank, case folded.
std::string folded(std::string_view name) {
  std::string plain;
  for (const char c : name) {
    if (!is_blank(c)) {
      plain += c;
    } else if (!plain.empty() && plain.back() != ' ') {
      plain += ' ';
    }
  }
  if (plain.ends_with(' ')) plain.pop_back();
  return fold_case(plain);
}

// Codes of languages have two or three letters, or a hyphen, but for a few.
bool is_language(std::string_view prefix) {
  if (std::ranges::binary_search(kShortProjects, prefix)) return false;
  return prefix.size() == 2 || prefix.size() == 3 || prefix.find('-') != std::string_view::npos ||
         prefix == "simple" || prefix == "nostalgia";
}

bool is_medium(std::string_view target) {
  while (!target.empty() && is_blank(target.back())) target.remove_suffix(1);
  const std::size_t dot = target.rfind('.');
  if (dot == std::string_view::npos || target.size() - dot > 5) return false;
  return std::ranges::binary_search(kMediaTypes, ascii_lower(target.substr(dot + 1)));
}

}  // namespace

WikitextNames wikitext_names(std::span<const WikiNamespace> declared, const std::string& language) {
  WikitextNames out;
  if (!language.empty()) out.pages.push_back(language);
  for (const WikiNamespace& space : declared) {
    if (space.name.empty()) continue;
    const bool files = space.number == kFiles || space.number == kMedia;
    (files                         ? out.files
     : space.number == kCategories ? out.categories
                                   : out.pages)
        .push_back(space.name);
  }
  return out;
}

WikitextRules::WikitextRules(const WikitextNames& names, TableText tables) : tables_(tables) {
  const auto add = [this](const auto& list, LinkUse use) {
    for (const auto& name : list) uses_.insert_or_assign(folded(name), use);
  };
  add(std::array<std::string_view, 1>{"Wikipedia"}, LinkUse::kShown);  // also a prefix of the map
  add(names.pages, LinkUse::kShown);
  add(std::array<std::string_view, 4>{"File", "Image", "Media", "Category"}, LinkUse::kHidden);
  add(names.files, LinkUse::kHidden);
  add(names.categories, LinkUse::kHidden);
}

LinkUse WikitextRules::use_of(std::string_view target) const {
  const std::size_t colon = target.substr(0, kLongestPrefix).find(':');
  if (colon == std::string_view::npos) return LinkUse::kShown;
  const std::string name = folded(target.substr(0, colon));
  const auto found = uses_.find(name);
  if (found != uses_.end() && found->second != LinkUse::kShown) return found->second;
  if (is_medium(target)) return LinkUse::kHidden;
  if (found != uses_.end()) return found->second;
  const std::string prefix = ascii_lower(name);
  if (!is_interwiki_prefix(prefix)) return LinkUse::kShown;
  return is_language(prefix) ? LinkUse::kHidden : LinkUse::kElsewhere;
}

}  // namespace cupel
