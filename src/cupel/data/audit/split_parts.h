// Splits as an audit sees them: any lists of ids of examples.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cupel/data/audit/groups.h"
#include "cupel/data/dataset.h"

namespace cupel {

// Of each example, the parts that hold it: bit p of Split::parts()[p].
[[nodiscard]] std::vector<std::uint8_t> membership(const Split& split, Index examples);

// Test examples of each stored split that have another one of their group in training.
struct Straddling {
  std::vector<Offset> per_split;
  std::vector<double> share;  // of the split's test examples
  std::size_t worst = 0;      // split with the largest share
  Offset most() const { return per_split.empty() ? 0 : per_split[worst]; }

  // Of data with stored splits: "12 (1.5 %) in split 3, the worst".
  [[nodiscard]] std::string worst_text() const;
  // Adds what programs read to a finding's details.
  void add_to(nlohmann::ordered_json& details) const;
};
[[nodiscard]] Straddling straddling(const Dataset& dataset, const Groups& groups);

}  // namespace cupel
