#include "cupel/data/facts/end_pools.h"

#include <bitset>
#include <map>
#include <numeric>
#include <string>

#include "cupel/base/sort_unique.h"

namespace cupel {
namespace {

// Calls take(place, node) for both ends of each fact: 2 r is for sources of r, 2 r + 1 for its
// targets, and 2 r for both if r has no direction.
template <typename Take>
void for_ends(const FactColumns& facts, Undirected undirected, const Take& take) {
  for (Offset i = 0; i < facts.size(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    const auto relation = static_cast<std::size_t>(facts.relation_of(i));
    take(2 * relation, facts.source[at]);
    take(2 * relation + (is_undirected(undirected, facts.relation_of(i)) ? 0 : 1),
         facts.target[at]);
  }
}

std::vector<std::vector<Index>> ends_of(const FactColumns& facts, Undirected undirected,
                                        Threads threads) {
  std::vector<std::vector<Index>> out(2 * static_cast<std::size_t>(facts.relations));
  std::vector<std::size_t> count(out.size());
  for_ends(facts, undirected, [&](std::size_t place, Index) { ++count[place]; });
  for (std::size_t place = 0; place < out.size(); ++place) out[place].reserve(count[place]);
  for_ends(facts, undirected, [&](std::size_t place, Index node) { out[place].push_back(node); });
  parallel_blocks(threads, std::ssize(out), 1, [&](Offset begin, Offset end) {
    for (Offset place = begin; place < end; ++place) {
      auto& pool = out[static_cast<std::size_t>(place)];
      sort_unique(pool);
      pool.shrink_to_fit();
    }
  });
  return out;
}

}  // namespace

OptionSpec pool_setting() {
  return {.name = "among",
          .fallback = std::string("ends"),
          .doc =
              "what ends are drawn from: entities that stand at this end of a fact of the "
              "relation (ends), those of their types (type), or all",
          .choices = {"ends", "type", "all"}};
}

PoolOf pool_of(const Options& settings) {
  const std::string& among = settings.text("among");
  return among == "ends" ? PoolOf::ends : among == "type" ? PoolOf::type : PoolOf::all;
}

EndPools::EndPools(const FactColumns& facts, Undirected undirected,
                   std::span<const std::uint8_t> entity_types, PoolOf of, Threads threads)
    : place_(2 * static_cast<std::size_t>(facts.relations)) {
  if (of == PoolOf::ends) {
    pools_ = ends_of(facts, undirected, threads);
    std::iota(place_.begin(), place_.end(), std::size_t{0});
  } else {
    // Relations whose ends are of the same types share a pool.
    using Types = std::bitset<256>;
    std::vector<Types> types(place_.size());
    for_ends(facts, undirected, [&](std::size_t place, Index node) {
      const bool typed = of == PoolOf::type && !entity_types.empty();
      types[place].set(typed ? entity_types[static_cast<std::size_t>(node)] : 0);
    });
    std::map<std::string, std::size_t> known;
    for (std::size_t place = 0; place < types.size(); ++place) {
      const auto [found, added] = known.try_emplace(types[place].to_string(), pools_.size());
      place_[place] = found->second;
      if (!added) continue;
      std::vector<Index>& pool = pools_.emplace_back();
      if (types[place].none()) continue;
      for (Index node = 0; node < facts.nodes; ++node)
        if (of == PoolOf::all || entity_types.empty() ||
            types[place][entity_types[static_cast<std::size_t>(node)]])
          pool.push_back(node);
    }
  }
  for (Index relation = 0; relation < facts.relations; ++relation)
    if (is_undirected(undirected, relation)) {
      const auto at = 2 * static_cast<std::size_t>(relation);
      place_[at + 1] = place_[at];
    }
}

}  // namespace cupel
