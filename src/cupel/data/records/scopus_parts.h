// A part of Scopus' column Authors with affiliations: "Pan, Y., Institute of Biology, Lhasa,
// China".
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace cupel {

// Where a part goes on behind the author's name and the comma after it; nothing if it does not
// begin with it. Commas in names do not matter: "Pan Y." is "Pan, Y.". Thread-safe.
[[nodiscard]] std::optional<std::size_t> behind_name(std::string_view part, std::string_view name);

// A record's affiliations, of which the parts of its authors are made.
class KnownAffiliations {
 public:
  // The texts must outlive it.
  explicit KnownAffiliations(const std::vector<std::string_view>& known);

  // `text` taken apart into those that it is made of, one behind the other with commas between; all
  // of it if it is not made of them. What follows "email:" is dropped. Thread-safe.
  [[nodiscard]] std::vector<std::string> in(std::string_view text) const;

 private:
  std::unordered_set<std::string_view> names_;
  std::size_t longest_ = 0;  // in bytes
};

}  // namespace cupel
