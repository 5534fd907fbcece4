#include "cupel/base/names.h"

#include <algorithm>
#include <cctype>

#include <fmt/ranges.h>

#include "cupel/base/error.h"

namespace cupel {
namespace {

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }
bool is_plain(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }

// Equal for equal names, different for others.
std::string folded(const std::string& name) {
  const bool plain = name.find_first_of("/.:=") == std::string::npos;
  std::string out;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    if (c != '_' && c != '-') {
      out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
      continue;
    }
    const char before = i > 0 ? name[i - 1] : c, after = i + 1 < name.size() ? name[i + 1] : c;
    const bool joins = is_letter(before) || is_letter(after);
    if (!plain || !joins || !is_plain(before) || !is_plain(after)) out += '-';
  }
  return out;
}

}  // namespace

bool same_name(const std::string& a, const std::string& b) { return folded(a) == folded(b); }

bool has_name(const std::vector<std::string>& list, const std::string& name) {
  return std::any_of(list.begin(), list.end(),
                     [&](const std::string& item) { return same_name(item, name); });
}

std::string near_text(const std::string& wrong, const std::vector<std::string>& known,
                      const std::string& otherwise) {
  const std::string near = wrong.size() < 3 ? "" : nearest_name(wrong, known);
  if (!near.empty()) return fmt::format("; did you mean '{}'?", near);
  return otherwise.empty() ? "" : "; " + otherwise;
}

std::string near_or_all(const std::string& wrong, const std::vector<std::string>& known) {
  return near_text(
      wrong, known,
      known.empty() ? "there are none" : fmt::format("there are: {}", fmt::join(known, ", ")));
}

}  // namespace cupel
