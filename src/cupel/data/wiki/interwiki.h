// Prefixes of links that lead from one Wikipedia to another wiki.
#pragma once

#include <string_view>

namespace cupel {

// Whether `prefix`, in lower case, is the code of a language that has a Wikipedia, or the prefix of
// a sister project or of a site that all Wikipedias link by prefix. A dump does not list them.
// Source: the interwiki map that Wikipedias share (meta.wikimedia.org/wiki/Interwiki_map), its
// prefixes that are in use.
[[nodiscard]] bool is_interwiki_prefix(std::string_view prefix);

}  // namespace cupel
