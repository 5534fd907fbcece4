#include "cupel/data/wiki/templates.h"

#include <algorithm>
#include <vector>

#include "cupel/data/formats/text.h"
#include "cupel/data/wiki/hidden_parts.h"
#include "cupel/data/wiki/letter_case.h"

namespace cupel {
namespace {

void fold(std::string_view name, std::string& out) {
  fold_case(name, out);
  std::ranges::replace(out, '_', ' ');
}

}  // namespace

bool calls_template(std::string_view wikitext, std::span<const std::string> names) {
  if (names.empty()) return false;
  std::vector<std::string> wanted(names.size());
  for (std::size_t k = 0; k < names.size(); ++k) fold(names[k], wanted[k]);
  std::string space, folded;
  const std::string_view text = without_hidden(wikitext, space);
  constexpr std::size_t kLongest = 300;  // more than a title has, with blanks around it
  for (std::size_t at = text.find("{{"); at != std::string_view::npos; at = text.find("{{", at)) {
    at = std::min(text.find_first_not_of('{', at), text.size());
    const std::string_view rest = text.substr(at, kLongest);
    const std::string_view name =
        trimmed(rest.substr(0, rest.find_first_of("|}{[]<>")), " _\t\r\n");
    fold(name, folded);
    if (std::ranges::find(wanted, folded) != wanted.end()) return true;
  }
  return false;
}

}  // namespace cupel
