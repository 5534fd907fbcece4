// What the programs of a temporal graph network are bound to: the entities, neighbours and pairs of
// one batch.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "cupel/engine/program/bound_program.h"
#include "cupel/learn/events/node_memory.h"
#include "cupel/learn/events/recent_neighbours.h"
#include "cupel/learn/events/tgn_program.h"

namespace cupel {

// An entity at a time, of which an embedding is wanted.
struct TgnRoot {
  Index entity = 0;
  std::int64_t time = 0;
};

// Made once, filled again and again. Not thread-safe.
class TgnBatch {
 public:
  // kinds: TgnShape::kinds.
  TgnBatch(Index entities, Index width, Index kinds);

  // The last meetings of each root before its time, and everybody in them who has a message.
  void take_roots(std::span<const TgnRoot> roots, const RecentNeighbours& neighbours,
                  const NodeMemory& memory);
  // These entities, all of which have messages, and nothing else.
  void take_nodes(std::span<const Index> nodes, const NodeMemory& memory);
  // Who has a message, in the order of the program's rows.
  std::span<const Index> nodes() const { return nodes_; }

  // Rows of own, for programs that start from messages: the states before them.
  void take_messages(const NodeMemory& memory);
  // Of pairs of roots, and a kind each (empty without kinds).
  void take_pairs(std::span<const std::pair<Index, Index>> pairs, std::span<const Index> kinds);
  // For programs that start from states: those of nodes(), to be written by the caller.
  Matrix& own() { return own_; }

  // By TgnConstants; of this batch until it is filled again.
  std::vector<ConstantMatrix> constants() const;
  Index roots() const { return root_nodes_.rows; }

 private:
  void clear();
  Index place(Index entity);

  Index width_, kinds_;
  std::vector<Index> place_;  // of an entity in nodes_, -1 if absent
  std::vector<Index> nodes_;
  std::vector<Meeting> met_;
  Matrix own_, partner_, elapsed_, slot_elapsed_, attends_;
  Csr root_nodes_, slot_nodes_, root_slots_, pair_sources_, pair_targets_, node_kinds_, slot_kinds_,
      pair_kinds_;
};

}  // namespace cupel
