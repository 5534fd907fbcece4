// A part of Scopus' column Authors with affiliations: "Pan, Y., Institute of Biology, Lhasa,
// China".
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cupel {

// Where a part goes on behind the author's name and the comma after it; nothing if it does not
// begin with it. Commas in names do not matter: "Pan Y." is "Pan, Y.". Thread-safe.
[[nodiscard]] std::optional<std::size_t> behind_name(std::string_view part, std::string_view name);

// `text` taken apart into those of `known` that it is made of, one behind the other with commas
// between; all of it if it is not made of them. What follows "email:" is dropped. Thread-safe.
[[nodiscard]] std::vector<std::string> affiliations_in(std::string_view text,
                                                       const std::vector<std::string_view>& known);

}  // namespace cupel
