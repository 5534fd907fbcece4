// Small facts for tests.
#pragma once

#include <array>
#include <vector>

#include "cupel/data/facts/facts.h"

namespace cupel {

using Quadruple = std::array<std::int64_t, 4>;  // s, r, o, t

inline std::vector<Quadruple> quadruples_of(const TemporalFacts& facts) {
  std::vector<Quadruple> out;
  for (std::size_t k = 0; k < facts.time.size(); ++k)
    out.push_back({facts.source[k], facts.relation[k], facts.target[k], facts.time[k]});
  return out;
}

// All entities of one type; relations r0, r1 ...
inline TemporalFacts made_facts(Index entities, Index relations,
                                const std::vector<Quadruple>& quadruples) {
  TemporalFacts out;
  out.name = "made";
  out.types = {"entity"};
  out.entity_types.assign(static_cast<std::size_t>(entities), 0);
  for (Index r = 0; r < relations; ++r) out.relations.push_back({"r" + std::to_string(r)});
  for (const auto& [s, r, o, t] : quadruples)
    out.push(static_cast<Index>(s), static_cast<Index>(r), static_cast<Index>(o), t);
  return out;
}

}  // namespace cupel
