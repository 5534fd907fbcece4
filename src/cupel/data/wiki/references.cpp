#include "cupel/data/wiki/references.h"

#include <algorithm>

#include "cupel/data/wiki/markup/named_characters.h"

namespace cupel {

void decode_references(std::string_view text, std::string& out) {
  out.clear();
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t next = std::min(text.find('&', at), text.size());
    out.append(text.substr(at, next - at));
    at = next;
    if (at == text.size()) return;
    const std::size_t taken = markup::append_reference(text, at, out);
    if (taken == 0) out += text[at];
    at += std::max<std::size_t>(taken, 1);
  }
}

}  // namespace cupel
