#include "cupel/data/records/doi.h"

#include <algorithm>
#include <array>

#include "cupel/data/records/names.h"
#include "cupel/data/records/record_text.h"
#include "cupel/data/records/record_years.h"

namespace cupel {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Behind what programs and people write before a DOI, in lower case.
std::string_view without_prefix(std::string_view text) {
  constexpr std::array<std::string_view, 2> kSchemes = {"https://", "http://"};
  constexpr std::array<std::string_view, 4> kPrefixes = {"doi:", "doi.org/", "dx.doi.org/",
                                                         "www.doi.org/"};
  while (true) {
    std::string_view rest = text;
    for (const std::string_view scheme : kSchemes)
      if (rest.starts_with(scheme)) rest.remove_prefix(scheme.size());
    const auto found = std::ranges::find_if(
        kPrefixes, [rest](std::string_view prefix) { return rest.starts_with(prefix); });
    if (found == kPrefixes.end()) return text;
    text = trimmed_text(rest.substr(found->size()));
  }
}

// "10.1000", "10.1000.10": what is registered.
bool is_prefix(std::string_view text) {
  if (!text.starts_with("10.") || !is_digit(text.back())) return false;
  const std::string_view code = text.substr(3);
  return !code.empty() && is_digit(code.front()) && code.find("..") == std::string_view::npos &&
         std::ranges::all_of(code, [](char c) { return is_digit(c) || c == '.'; });
}

}  // namespace

bool read_doi(std::string_view text, std::string& doi) {
  doi.clear();
  std::string clean(text);
  unsigned mends = 0;
  clean_text(clean, mends);  // white space is single blanks now
  if (says_none(clean)) return true;
  for (char& c : clean)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c | 0x20);
  const std::string_view found = without_prefix(clean);
  const std::size_t slash = found.find('/');
  if (slash == std::string_view::npos || slash + 1 == found.size() ||
      !is_prefix(found.substr(0, slash)) || found.find(' ') != std::string_view::npos)
    return false;
  doi = found;
  return true;
}

}  // namespace cupel
