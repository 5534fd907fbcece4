#include "cupel/data/facts/groups.h"

namespace cupel {
namespace {

constexpr Offset kGrain = Offset{1} << 14;

}  // namespace

FactGroups fact_groups(const FactColumns& test, const FactCounts& seen_facts,
                       const NodeSet& seen_nodes, Threads threads) {
  FactGroups out;
  out.of.resize(static_cast<std::size_t>(test.size()));
  parallel_blocks(threads, test.size(), kGrain, [&](Offset begin, Offset end) {
    for (Offset i = begin; i < end; ++i) {
      const auto at = static_cast<std::size_t>(i);
      const Index source = test.source[at], target = test.target[at];
      const bool from = seen_nodes.has(source), to = seen_nodes.has(target);
      if (!from || !to)
        out.of[at] = from ? FactGroup::seen_to_unseen
                     : to ? FactGroup::unseen_to_seen
                          : FactGroup::unseen_to_unseen;
      else
        out.of[at] = seen_facts.has(source, test.relation_of(i), target) ? FactGroup::repeated
                                                                         : FactGroup::first_time;
    }
  });
  out.by_relation.resize(static_cast<std::size_t>(test.relations));
  for (Offset i = 0; i < test.size(); ++i) {
    const auto group = static_cast<std::size_t>(out.of[static_cast<std::size_t>(i)]);
    ++out.by_relation[static_cast<std::size_t>(test.relation_of(i))][group];
    ++out.all[group];
  }
  return out;
}

FactGroups fact_groups(const FactColumns& facts, const TimeParts& parts, Undirected undirected,
                       Threads threads) {
  const FactColumns train = parts.train(facts);
  return fact_groups(parts.test(facts), FactCounts(train, undirected, threads),
                     NodeSet(train, threads), threads);
}

}  // namespace cupel
