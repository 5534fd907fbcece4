// The different facts (s, r, o), in the order in which they were first stated.
#pragma once

#include <utility>
#include <vector>

#include "cupel/base/parallel.h"
#include "cupel/data/facts/columns.h"

namespace cupel {

// Different facts have numbers from 0: those of relation 0 first, and those of one relation in the
// order in which they were first stated. What of a relation was first stated within some time is
// therefore an interval of numbers, and no set of what is known has to grow with time. Both orders
// of a fact of a relation without direction are one.
//
// Memory: 4 bytes a fact and 4 bytes a different one, and while it is made 12 bytes a fact and 8
// bytes a node more. Time O(n + nodes) and the sorts of the facts of each source. Requires fewer
// than 2^31 facts. Safe to ask from many threads; contents do not depend on how many made it.
class DistinctFacts {
 public:
  DistinctFacts(const FactColumns& facts, Undirected undirected, Threads threads);

  Index number(Offset fact) const { return number_[static_cast<std::size_t>(fact)]; }
  // The place at which it was first stated.
  Offset first(Index number) const { return first_[static_cast<std::size_t>(number)]; }
  Offset size() const { return std::ssize(first_); }
  // Numbers [first, second) of the facts of a relation that were first stated at places [begin,
  // end). Logarithmic.
  std::pair<Index, Index> first_stated(Index relation, Offset begin, Offset end) const;

 private:
  std::vector<Index> number_;  // per fact
  std::vector<Index> first_;   // per number
  std::vector<Index> start_;   // per relation: its first number; and the end
};

}  // namespace cupel
