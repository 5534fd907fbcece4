// Scores of groups of facts, as they stand among a run's other scores.
//
// A name is METRIC|relation=R|group=G: the metric over the facts of relation R ("all": of every
// relation) in group G: one of the five of Horawalavithana et al. 2022 ("repeated", groups.h), or
// "staleness 1", "staleness never" (staleness.h), or "step 1", "step 3-5": how many steps of time
// ahead of what was known; "all": in every group. The metric "n" is the number of questions, and
// "unknown" the number of those whose answer the model knew nothing of. "cut-steps", of all facts
// alone, is the number of steps of time that a batch ends within, so that the rest of such a step
// is asked with its earlier facts known.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace cupel {

struct GroupName {
  std::string metric, relation, group;
};

// Bins of steps, in their order.
inline constexpr std::array<std::string_view, 5> kHorizonNames = {"1", "2", "3-5", "6-10", ">10"};

inline constexpr std::string_view kCutSteps = "cut-steps";

// Counts, "n", "unknown" and "cut-steps", stand among them.
[[nodiscard]] bool is_count(const GroupName& name);
[[nodiscard]] std::string to_text(const GroupName& name);
// Nothing for a name that is none of a group.
[[nodiscard]] std::optional<GroupName> parse_group_name(std::string_view name);

}  // namespace cupel
