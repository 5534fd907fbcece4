#include "cupel/data/records/scopus_parts.h"

#include <algorithm>

#include "cupel/data/records/record_text.h"

namespace cupel {

std::optional<std::size_t> behind_name(std::string_view part, std::string_view name) {
  const auto skip = [](std::string_view text, std::size_t& k) {
    const std::size_t begin = k;
    while (k < text.size() && (text[k] == ',' || text[k] == ' ')) ++k;
    return k > begin;
  };
  std::size_t at = 0;
  for (std::size_t k = 0; k < name.size();) {
    const bool apart = skip(name, k);
    if (k == name.size()) break;
    // Where one has a blank or a comma, so has the other.
    if (skip(part, at) != apart || at == part.size() || part[at] != name[k]) return std::nullopt;
    ++at, ++k;
  }
  if (at < part.size() && part[at] != ',') return std::nullopt;
  skip(part, at);
  return at;
}

KnownAffiliations::KnownAffiliations(const std::vector<std::string_view>& known)
    : names_(known.begin(), known.end()) {
  for (const std::string_view one : known) longest_ = std::max(longest_, one.size());
}

std::vector<std::string> KnownAffiliations::in(std::string_view text) const {
  constexpr std::size_t kMostCommas = 64;  // in one affiliation
  text = trimmed_text(text.substr(0, text.find(", email:")));
  if (text.starts_with("email:")) text = {};
  if (text.empty()) return {};
  std::vector<std::string> out;
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view rest = text.substr(at);
    std::size_t taken = 0, end = 0;
    for (std::size_t commas = 0; commas < kMostCommas && end < rest.size(); ++commas) {
      end = std::min(rest.find(',', commas == 0 ? 0 : end + 1), rest.size());
      if (end > longest_) break;
      if (names_.contains(rest.substr(0, end))) taken = end;
    }
    if (taken == 0) return {std::string(text)};
    out.emplace_back(rest.substr(0, taken));
    at += taken;
    while (at < text.size() && (text[at] == ',' || text[at] == ' ')) ++at;
  }
  return out;
}

}  // namespace cupel
