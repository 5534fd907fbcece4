#include "cupel/base/names.h"

#include <algorithm>
#include <cctype>

#include <fmt/ranges.h>

#include "cupel/base/error.h"

namespace cupel {
namespace {

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }
bool is_plain(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }

// A name as it is compared, character by character. A program that starts compares all names of
// all protocols, so nothing is copied.
class Folded {
 public:
  explicit Folded(const std::string& name) : name_(name) {}

  int next() {  // -1: there is no more
    while (at_ < name_.size()) {
      const std::size_t at = at_++;
      const char c = name_[at];
      if (c >= 'A' && c <= 'Z') return c | 0x20;
      if (c != '_' && c != '-') return static_cast<unsigned char>(c);
      if (!is_left_out(at)) return '-';
    }
    return -1;
  }

 private:
  [[nodiscard]] bool is_left_out(std::size_t at) const {
    if (at == 0 || at + 1 == name_.size()) return false;
    const char before = name_[at - 1], after = name_[at + 1];
    return (is_letter(before) || is_letter(after)) && is_plain(before) && is_plain(after) &&
           name_.find_first_of("/.:=") == std::string::npos;
  }

  const std::string& name_;
  std::size_t at_ = 0;
};

}  // namespace

bool same_name(const std::string& a, const std::string& b) {
  Folded left(a), right(b);
  int c = left.next();
  while (c >= 0 && c == right.next()) c = left.next();
  return c < 0 && right.next() < 0;
}

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
