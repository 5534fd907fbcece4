// Splits as an audit sees them: any lists of ids of examples.
#pragma once

#include <array>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cupel/data/audit/groups.h"
#include "cupel/data/dataset.h"

namespace cupel {

inline constexpr const char* kPartNames[] = {"training", "validation", "test"};
[[nodiscard]] std::array<const std::vector<Index>*, 3> parts_of(const Split& split);

// Of each example, the parts that hold it: bit 0 training, 1 validation, 2 test.
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
