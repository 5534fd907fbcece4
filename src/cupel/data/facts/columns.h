// Facts as columns: who did what to whom, and when. A view; who gives it keeps the memory.
#pragma once

#include <cstdint>
#include <span>

#include "cupel/base/matrix.h"

namespace cupel {

// Fact i says: `source[i]` has `relation[i]` to `target[i]` at `time[i]`. Invariants: columns are
// of one length, times ascend (not strictly), ids are from 0 and below `nodes` and `relations`. One
// fact may stand there several times. Cheap to copy. 20 bytes a fact, which may be mapped from
// disk.
struct FactColumns {
  std::span<const Index> source, relation, target;  // relation: may be empty where there is one
  std::span<const std::int64_t> time;
  Index nodes = 0, relations = 1;

  Offset size() const { return std::ssize(source); }
  Index relation_of(Offset fact) const {
    return relation.empty() ? 0 : relation[static_cast<std::size_t>(fact)];
  }
  // Facts [begin, end), numbered from 0 anew; the same ids.
  FactColumns part(Offset begin, Offset end) const {
    const auto cut = [&](auto column) {
      return column.empty() ? column
                            : column.subspan(static_cast<std::size_t>(begin),
                                             static_cast<std::size_t>(end - begin));
    };
    return {cut(source), cut(relation), cut(target), cut(time), nodes, relations};
  }
};

// For each relation 1 if it has no direction, so that (s, r, o) and (o, r, s) are one; empty where
// all have one.
using Undirected = std::span<const std::uint8_t>;
inline bool is_undirected(Undirected undirected, Index relation) {
  return !undirected.empty() && undirected[static_cast<std::size_t>(relation)] != 0;
}

}  // namespace cupel
