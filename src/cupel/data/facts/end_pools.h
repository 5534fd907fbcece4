// Which entities may stand at either end of a relation.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "cupel/base/options.h"
#include "cupel/base/parallel.h"
#include "cupel/data/facts/columns.h"

namespace cupel {

// Of a relation, which entities are taken for a source or a target:
enum class PoolOf : std::uint8_t {
  ends,  // those that stand at this end of one of its facts, whenever
  type,  // those of the types of these
  all,   // everyone
};
// The setting "among" with the names above, "ends" unless said; and what it says.
[[nodiscard]] OptionSpec pool_setting();
[[nodiscard]] PoolOf pool_of(const Options& settings);

// A relation without direction has one pool for both of its ends. Memory: of ends at most 8 bytes
// a fact, twice that while it is made; of types 4 bytes an entity for each different set of types;
// of all 4 bytes an entity; and 64 bytes a relation.
class EndPools {
 public:
  // `entity_types`: of each node; empty: all are of one type.
  EndPools(const FactColumns& facts, Undirected undirected,
           std::span<const std::uint8_t> entity_types, PoolOf of, Threads threads);

  // Ascending; empty for a relation without facts.
  std::span<const Index> sources(Index relation) const { return pool(relation, 0); }
  std::span<const Index> targets(Index relation) const { return pool(relation, 1); }

 private:
  std::span<const Index> pool(Index relation, std::size_t end) const {
    return pools_[place_[2 * static_cast<std::size_t>(relation) + end]];
  }
  std::vector<std::vector<Index>> pools_;
  std::vector<std::size_t> place_;  // per relation and end, in pools_
};

}  // namespace cupel
