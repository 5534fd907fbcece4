#include "cupel/learn/score/group_names.h"

#include <fmt/format.h>

namespace cupel {

namespace {
constexpr std::string_view kRelation = "|relation=", kGroup = "|group=";
}

std::string to_text(const GroupName& name) {
  return fmt::format("{}{}{}{}{}", name.metric, kRelation, name.relation, kGroup, name.group);
}

std::optional<GroupName> parse_group_name(std::string_view name) {
  const auto relation = name.find(kRelation), group = name.rfind(kGroup);
  if (relation == std::string_view::npos || group == std::string_view::npos || group < relation)
    return {};
  const auto from = relation + kRelation.size();
  return GroupName{std::string(name.substr(0, relation)),
                   std::string(name.substr(from, group - from)),
                   std::string(name.substr(group + kGroup.size()))};
}

bool is_count(const GroupName& name) {
  return name.metric == "n" || name.metric == "unknown" || name.metric == kCutSteps;
}

}  // namespace cupel
