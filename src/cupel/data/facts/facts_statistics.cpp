#include "cupel/data/facts/facts_statistics.h"

#include <array>
#include <atomic>
#include <set>
#include <stdexcept>

#include "cupel/base/error.h"

namespace cupel {
namespace {

constexpr Offset kGrain = Offset{1} << 16;

void check_columns(const FactColumns& facts, Threads threads) {
  const auto size = facts.source.size();
  bool fine = facts.target.size() == size && facts.time.size() == size &&
              (facts.relation.size() == size || (facts.relation.empty() && facts.relations == 1));
  if (!fine) throw std::logic_error("columns of facts differ in length");
  std::atomic<bool> bad = false;
  parallel_blocks(threads, facts.size(), kGrain, [&](Offset begin, Offset end) {
    bool here = false;
    for (Offset i = begin; i < end; ++i) {
      const auto at = static_cast<std::size_t>(i);
      const Index relation = facts.relation_of(i);
      here |= facts.source[at] < 0 || facts.source[at] >= facts.nodes || facts.target[at] < 0 ||
              facts.target[at] >= facts.nodes || relation < 0 || relation >= facts.relations ||
              (i > 0 && facts.time[at - 1] > facts.time[at]);
    }
    if (here) bad.store(true, std::memory_order_relaxed);
  });
  if (bad) throw std::logic_error("facts are out of order, or an id is out of range");
}

}  // namespace

std::vector<std::string> distinct_names(std::span<const std::string> given, Index count) {
  std::set<std::string> taken = {"all"};
  std::vector<std::string> out;
  for (Index i = 0; i < count; ++i) {
    const auto at = static_cast<std::size_t>(i);
    const std::string number = std::to_string(i);
    std::string name = at < given.size() && !given[at].empty() ? given[at] : number;
    while (!taken.insert(name).second) name += "#" + number;
    out.push_back(std::move(name));
  }
  return out;
}

namespace {

PartStatistics part_statistics(const char* part, const FactColumns& facts, const FactNames& names,
                               const NodeSet& active) {
  PartStatistics out;
  out.part = part;
  out.from = facts.time.front();
  out.to = facts.time.back();
  out.facts = facts.size();
  out.nodes = active.size();
  out.by_relation.resize(static_cast<std::size_t>(facts.relations));
  for (Offset i = 0; i < facts.size(); ++i)
    ++out.by_relation[static_cast<std::size_t>(facts.relation_of(i))];
  out.by_type.resize(names.types.size());
  if (!names.type.empty())
    for (Index node = 0; node < facts.nodes; ++node)
      if (active.has(node)) ++out.by_type.at(names.type[static_cast<std::size_t>(node)]);
  return out;
}

}  // namespace

FactsStatistics facts_statistics(const FactColumns& facts, const FactNames& names,
                                 const TimeCuts& cuts, Undirected undirected,
                                 const std::string& name, Threads threads) {
  check_columns(facts, threads);
  if (!undirected.empty() && std::ssize(undirected) != facts.relations)
    throw std::logic_error("a direction is wanted for each relation");
  if (!names.type.empty() && std::ssize(names.type) != facts.nodes)
    throw std::logic_error("a type is wanted for each node");

  const TimeParts parts = parts_at(facts, cuts, name);
  FactsStatistics out;
  out.cuts = cuts;
  out.relations = distinct_names(names.relations, facts.relations);
  out.types.assign(names.types.begin(), names.types.end());

  const FactColumns train = parts.train(facts), valid = parts.valid(facts),
                    test = parts.test(facts);
  const NodeSet seen(train, threads);
  out.parts.push_back(part_statistics("train", train, names, seen));
  out.parts.push_back(part_statistics("valid", valid, names, NodeSet(valid, threads)));
  out.parts.push_back(part_statistics("test", test, names, NodeSet(test, threads)));
  out.groups = fact_groups(test, FactCounts(train, undirected, threads), seen, threads);
  out.staleness = fact_staleness(facts, parts);
  for (const GroupCounts& counts : out.groups.by_relation)
    out.complexity.push_back(complexity(counts));
  out.complexity_all = complexity(out.groups.all);
  return out;
}

std::vector<CutComplexity> complexity_over_time(const FactColumns& facts, const TimeCuts& first,
                                                Offset splits, Undirected undirected,
                                                const std::string& name, Threads threads) {
  const std::vector<std::int64_t> steps = time_steps(facts.time);
  check_later_cuts(steps, first, splits, name);
  std::vector<CutComplexity> out;
  for (Offset k = 0; k < splits; ++k) {
    const TimeCuts cuts = moved_cuts(steps, first, k, name);
    FactGroups groups = fact_groups(facts, parts_at(facts, cuts, name), undirected, threads);
    out.push_back({cuts, std::move(groups.by_relation), groups.all});
  }
  return out;
}

}  // namespace cupel
