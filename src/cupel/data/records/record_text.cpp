#include "cupel/data/records/record_text.h"

#include <algorithm>
#include <set>
#include <tuple>

#include "cupel/data/records/names.h"
#include "cupel/data/records/text_tags.h"

namespace cupel {
namespace {

bool is_ascii_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

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
