#include "cupel/data/facts/complexity.h"

#include <fmt/format.h>

namespace cupel {
namespace {

std::optional<double> ratio(Offset part, Offset other) {
  if (other == 0) return std::nullopt;
  return static_cast<double>(part) / static_cast<double>(other);
}

std::string words(const char* name, const std::optional<double>& ratio,
                  const std::optional<double>& share) {
  if (!share) return fmt::format("{} undefined", name);
  return fmt::format("{} {} (share {:.3g})", name,
                     ratio ? fmt::format("{:.3g}", *ratio) : "undefined", *share);
}

}  // namespace

std::string complexity_text(const GroupCounts& counts) {
  const Complexity c = complexity(counts);
  return words("C_trans", c.trans, c.trans_share) + ", " + words("C_ind", c.ind, c.ind_share);
}

Complexity complexity(const GroupCounts& counts) {
  const auto count = [&](FactGroup group) { return counts[static_cast<std::size_t>(group)]; };
  const Offset repeated = count(FactGroup::repeated), first = count(FactGroup::first_time);
  const Offset transductive = repeated + first;
  const Offset inductive = count(FactGroup::seen_to_unseen) + count(FactGroup::unseen_to_seen) +
                           count(FactGroup::unseen_to_unseen);
  return {ratio(first, repeated), ratio(first, transductive), ratio(inductive, transductive),
          ratio(inductive, transductive + inductive)};
}

}  // namespace cupel
