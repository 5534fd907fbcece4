#include "cupel/data/wiki/markup/tags.h"

#include <algorithm>
#include <array>

#include "cupel/data/wiki/letter_case.h"
#include "cupel/data/wiki/markup/marks.h"

namespace cupel::markup {
namespace {

constexpr std::size_t kLongest = 20;

struct Named {
  std::string_view name;
  TagUse use;
};

// Ascending.
// clang-format off
constexpr auto kTags = std::to_array<Named>({
    {"a", TagUse::kInline}, {"abbr", TagUse::kInline}, {"acronym", TagUse::kInline},
    {"b", TagUse::kInline}, {"bdi", TagUse::kInline}, {"bdo", TagUse::kInline},
    {"big", TagUse::kInline}, {"blockquote", TagUse::kBlock}, {"br", TagUse::kBlock},
    {"caption", TagUse::kBlock}, {"categorytree", TagUse::kHidden}, {"ce", TagUse::kHidden},
    {"center", TagUse::kBlock}, {"charinsert", TagUse::kHidden}, {"chem", TagUse::kHidden},
    {"cite", TagUse::kInline}, {"code", TagUse::kInline}, {"col", TagUse::kBlock},
    {"colgroup", TagUse::kBlock}, {"data", TagUse::kInline}, {"dd", TagUse::kBlock},
    {"del", TagUse::kInline}, {"dfn", TagUse::kInline}, {"div", TagUse::kBlock},
    {"dl", TagUse::kBlock}, {"dt", TagUse::kBlock}, {"dynamicpagelist", TagUse::kHidden},
    {"em", TagUse::kInline}, {"font", TagUse::kInline}, {"gallery", TagUse::kHidden},
    {"graph", TagUse::kHidden}, {"h1", TagUse::kBlock}, {"h2", TagUse::kBlock},
    {"h3", TagUse::kBlock}, {"h4", TagUse::kBlock}, {"h5", TagUse::kBlock},
    {"h6", TagUse::kBlock}, {"hiero", TagUse::kHidden}, {"hr", TagUse::kBlock},
    {"i", TagUse::kInline}, {"imagemap", TagUse::kHidden}, {"img", TagUse::kInline},
    {"includeonly", TagUse::kHidden}, {"indicator", TagUse::kHidden},
    {"inputbox", TagUse::kHidden}, {"ins", TagUse::kInline}, {"kbd", TagUse::kInline},
    {"languages", TagUse::kInline}, {"li", TagUse::kBlock}, {"link", TagUse::kInline},
    {"mapframe", TagUse::kHidden}, {"maplink", TagUse::kHidden}, {"mark", TagUse::kInline},
    {"math", TagUse::kHidden}, {"meta", TagUse::kInline}, {"nobr", TagUse::kInline},
    {"noinclude", TagUse::kInline}, {"nowiki", TagUse::kLiteral}, {"ol", TagUse::kBlock},
    {"onlyinclude", TagUse::kInline}, {"p", TagUse::kBlock}, {"phonos", TagUse::kHidden},
    {"poem", TagUse::kBlock}, {"pre", TagUse::kLiteral}, {"q", TagUse::kInline},
    {"quiz", TagUse::kHidden}, {"rb", TagUse::kInline}, {"ref", TagUse::kHidden},
    {"references", TagUse::kHidden}, {"rp", TagUse::kInline}, {"rss", TagUse::kHidden},
    {"rt", TagUse::kInline}, {"rtc", TagUse::kInline}, {"ruby", TagUse::kInline},
    {"s", TagUse::kInline}, {"samp", TagUse::kInline}, {"score", TagUse::kHidden},
    {"section", TagUse::kInline}, {"small", TagUse::kInline}, {"source", TagUse::kHidden},
    {"span", TagUse::kInline}, {"strike", TagUse::kInline}, {"strong", TagUse::kInline},
    {"sub", TagUse::kInline}, {"sup", TagUse::kInline}, {"syntaxhighlight", TagUse::kHidden},
    {"table", TagUse::kTable}, {"tbody", TagUse::kBlock}, {"td", TagUse::kBlock},
    {"templatedata", TagUse::kHidden}, {"templatestyles", TagUse::kHidden},
    {"tfoot", TagUse::kBlock}, {"th", TagUse::kBlock}, {"thead", TagUse::kBlock},
    {"time", TagUse::kInline}, {"timeline", TagUse::kHidden}, {"tr", TagUse::kBlock},
    {"translate", TagUse::kInline}, {"tt", TagUse::kInline}, {"u", TagUse::kInline},
    {"ul", TagUse::kBlock}, {"var", TagUse::kInline}, {"wbr", TagUse::kInline},
});
// clang-format on
static_assert(std::ranges::is_sorted(kTags, {}, &Named::name));

constexpr bool is_extension(TagUse use) {
  return use == TagUse::kHidden || use == TagUse::kLiteral;
}
static_assert(std::ranges::count_if(kTags, is_extension, &Named::use) < 64);

constexpr std::array<std::uint8_t, kTags.size()> kNumbers = [] {
  std::array<std::uint8_t, kTags.size()> out{};
  std::uint8_t next = 0;
  for (std::size_t k = 0; k < kTags.size(); ++k) {
    if (is_extension(kTags[k].use)) out[k] = next++;
  }
  return out;
}();

}  // namespace

std::string_view tag_name(std::string_view text, std::size_t at) {
  std::size_t end = at;
  if (end == text.size() || !is_letter(text[end])) return {};
  while (end < text.size() && end - at < kLongest && (is_letter(text[end]) || is_digit(text[end])))
    ++end;
  return text.substr(at, end - at);
}

Tag tag_of(std::string_view name) {
  std::array<char, kLongest> lower{};
  if (name.size() > lower.size()) return {};
  std::ranges::transform(name, lower.begin(), [](char c) { return ascii_lower(c); });
  const std::string_view wanted(lower.data(), name.size());
  const auto* const found = std::ranges::lower_bound(kTags, wanted, {}, &Named::name);
  if (found == kTags.end() || found->name != wanted) return {};
  return {found->use, kNumbers[static_cast<std::size_t>(found - kTags.begin())], wanted == "pre"};
}

}  // namespace cupel::markup
