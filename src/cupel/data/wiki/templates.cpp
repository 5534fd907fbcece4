#include "cupel/data/wiki/templates.h"

#include <algorithm>

#include "cupel/data/formats/text.h"
#include "cupel/data/wiki/hidden_parts.h"
#include "cupel/data/wiki/letter_case.h"

namespace cupel {
namespace {

char folded(char c) { return c == '_' ? ' ' : ascii_lower(c); }

bool same(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, {}, folded, folded);
}

}  // namespace

bool calls_template(std::string_view wikitext, std::span<const std::string> names) {
  if (names.empty()) return false;
  std::string space;
  const std::string_view text = without_hidden(wikitext, space);
  constexpr std::size_t kLongest = 300;  // more than a title has, with blanks around it
  for (std::size_t at = text.find("{{"); at != std::string_view::npos; at = text.find("{{", at)) {
    at = std::min(text.find_first_not_of('{', at), text.size());
    const std::string_view rest = text.substr(at, kLongest);
    const std::string_view name =
        trimmed(rest.substr(0, rest.find_first_of("|}{[]<>")), " _\t\r\n");
    if (std::ranges::any_of(names, [&](const std::string& one) { return same(one, name); }))
      return true;
  }
  return false;
}

}  // namespace cupel
