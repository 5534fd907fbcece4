// Names between commas that have commas.
#include <algorithm>

#include "cupel/data/records/record_text.h"
#include "cupel/data/records/scopus.h"
#include "cupel/data/records/scopus_parts.h"

namespace cupel {
namespace {

std::string_view joined(std::string_view first, std::string_view last) {
  return {first.data(), static_cast<std::size_t>(last.data() + last.size() - first.data())};
}

// "Y.", "J.R.", "Y.-H.", "Yu.A.": groups of at most three letters, each with a full stop. Letters
// beyond ASCII count by their bytes.
bool are_initials(std::string_view text) {
  std::size_t letters = 0;
  for (const char c : text) {
    if (c == '.') {
      if (letters == 0) return false;
      letters = 0;
    } else if (c == '-' || c == '\'') {
      if (letters != 0) return false;
    } else if (c == ' ' || ++letters > 4) {
      return false;
    }
  }
  return !text.empty() && letters == 0;
}

bool is_suffix(std::string_view text) {
  return text == "Jr." || text == "Jr" || text == "Sr." || text == "Sr" || text == "II" ||
         text == "III" || text == "IV";
}

// As the parts say where a name ends; empty if they do not fit.
std::vector<std::string_view> by_parts(const std::vector<std::string_view>& words,
                                       const std::vector<std::string_view>& parts) {
  constexpr std::size_t kMostWords = 3;  // "Smith", "J.", "Jr."
  std::vector<std::string_view> names;
  std::size_t at = 0;
  for (const std::string_view part : parts) {
    std::size_t taken = std::min(kMostWords, words.size() - at);
    while (taken > 0 && !behind_name(part, joined(words[at], words[at + taken - 1]))) --taken;
    if (taken == 0) return {};
    names.push_back(joined(words[at], words[at + taken - 1]));
    at += taken;
  }
  if (at != words.size()) names.clear();
  return names;
}

}  // namespace

std::vector<std::string_view> scopus_names(std::string_view authors,
                                           const std::vector<std::string_view>& parts) {
  if (authors.find(';') != std::string_view::npos) return list_parts(authors, ';');
  const std::vector<std::string_view> words = list_parts(authors, ',');
  if (std::vector<std::string_view> names = by_parts(words, parts); !names.empty()) return names;
  std::vector<std::string_view> names;
  bool initials = true;  // of the last one are known: "Yagai T." or "Pan, Y."
  for (const std::string_view word : words) {
    if (!names.empty() && is_suffix(word)) {
      names.back() = joined(names.back(), word);
    } else if (!initials && are_initials(word)) {
      names.back() = joined(names.back(), word);
      initials = true;
    } else {
      names.push_back(word);
      const std::size_t blank = word.rfind(' ');
      initials = blank != std::string_view::npos && are_initials(word.substr(blank + 1));
    }
  }
  return names;
}

}  // namespace cupel
