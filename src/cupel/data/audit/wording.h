// Numbers and ids in the sentences of findings.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <span>
#include <string>

#include "cupel/base/matrix.h"

namespace cupel::audit_text {

inline constexpr std::size_t kExamples = 5;

[[nodiscard]] std::string number(Offset value);                   // "1,234"
[[nodiscard]] std::string count(Offset value, const char* noun);  // "1 node", "1,234 nodes"
[[nodiscard]] std::string verb(Offset value, const char* singular, const char* plural);
[[nodiscard]] std::string percent(double share);  // "4.2 %", "< 0.1 %"
// "nodes 3, 7, 9", with " and 12 more" where there are more than kExamples.
[[nodiscard]] std::string nodes(std::span<const Index> ids);
// The same of any noun whose plural has an s: "graph 3", "graphs 3, 7, 9 and 12 more".
[[nodiscard]] std::string ids(const char* noun, std::span<const Index> ids);
// " and 12 more" where fewer are shown than there are, else "".
[[nodiscard]] std::string more(std::size_t all, std::size_t shown);
// With a capital at the start.
[[nodiscard]] std::string sentence(std::string text);
// At most kExamples of them.
[[nodiscard]] std::span<const Index> examples(std::span<const Index> ids);

}  // namespace cupel::audit_text
