// How far a test part asks for more than repetition (Horawalavithana et al. 2022, section 5).
#pragma once

#include <optional>
#include <span>
#include <string>

#include "cupel/data/facts/groups.h"

namespace cupel {

// The paper's "proportion of ... with respect to ..." is read as a ratio, which has no upper bound;
// the shares say the same within [0, 1], as ratio / (1 + ratio). What divides by 0 is undefined.
struct Complexity {
  std::optional<double> trans;        // C_trans: first-time / repeated
  std::optional<double> trans_share;  // first-time / (first-time + repeated)
  std::optional<double> ind;          // C_ind: facts with an unseen end / facts without
  std::optional<double> ind_share;    // facts with an unseen end / all
};

[[nodiscard]] Complexity complexity(const GroupCounts& counts);

// "C_trans 0.394 (share 0.283), C_ind 0.0874 (share 0.0804)", for people.
[[nodiscard]] std::string complexity_text(const GroupCounts& counts);
// The same of several cuts, "C_trans 0.394 ± 0.021 (share 0.283 ± 0.011), ... over 7 cuts": means
// and sample standard deviations over those that have one; how many have none is said.
[[nodiscard]] std::string complexity_text(std::span<const GroupCounts> cuts);

}  // namespace cupel
