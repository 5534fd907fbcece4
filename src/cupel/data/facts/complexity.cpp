#include "cupel/data/facts/complexity.h"

namespace cupel {
namespace {

std::optional<double> ratio(Offset part, Offset other) {
  if (other == 0) return std::nullopt;
  return static_cast<double>(part) / static_cast<double>(other);
}

}  // namespace

Complexity complexity(const GroupCounts& counts) {
  const auto count = [&](FactGroup group) { return counts[static_cast<std::size_t>(group)]; };
  const Offset repeated = count(FactGroup::repeated), first = count(FactGroup::first_time);
  const Offset transductive = repeated + first;
  const std::array<Offset, 3> groups = {count(FactGroup::seen_to_unseen),
                                        count(FactGroup::unseen_to_seen),
                                        count(FactGroup::unseen_to_unseen)};
  const Offset inductive = groups[0] + groups[1] + groups[2];
  const Offset all = transductive + inductive;

  Complexity out = {ratio(first, repeated),
                    ratio(first, transductive),
                    ratio(inductive, transductive),
                    ratio(inductive, all),
                    {},
                    {}};
  for (std::size_t g = 0; g < groups.size(); ++g) {
    out.ind_group[g] = ratio(groups[g], all - groups[g]);
    out.ind_group_share[g] = ratio(groups[g], all);
  }
  return out;
}

}  // namespace cupel
