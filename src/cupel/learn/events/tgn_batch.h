// What the programs of a temporal graph network are bound to: the entities, neighbours and pairs of
// one batch.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "cupel/engine/program/bound_program.h"
#include "cupel/learn/events/attention_level.h"
#include "cupel/learn/events/node_memory.h"
#include "cupel/learn/events/recent_neighbours.h"
#include "cupel/learn/events/tgn_program.h"

namespace cupel {

// Made once, filled again and again. Not thread-safe.
class TgnBatch {
 public:
  TgnBatch(Index entities, const TgnShape& shape);

  // The last meetings of each root before its time, those of `block` among them, where there are
  // several layers also those of whom it met before that same time, and everybody in them who has a
  // message. In PyTorch Geometric's form the last meetings that are kept, whatever
  // is asked.
  void take_roots(std::span<const TimedEntity> roots, const RecentNeighbours& neighbours,
                  const BlockMeetings& block, const NodeMemory& memory);
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
  Index roots() const { return upper_.empty() ? root_receivers_.rows : upper_.back().slots.rows; }

 private:
  void clear();
  Index place(Index entity);
  // A new receiver, and its place among them.
  Index add_receiver(Index entity, const NodeMemory& memory);
  // A row of root_slots: meetings from place `first` of met_ on, and how long ago each was.
  template <class Elapsed>
  void end_slots(std::size_t first, const NodeMemory& memory, const Elapsed& elapsed);

  Index width_, kinds_;
  TgnForm form_;
  std::vector<Index> place_;  // of an entity in nodes_, -1 if absent
  std::vector<Index> nodes_;
  std::vector<Index> receiver_of_;  // of an entity in receivers_, -1 if absent
  std::vector<Index> receivers_;    // whose roots there are
  std::vector<Meeting> met_;
  Matrix own_, partner_, elapsed_, slot_elapsed_, attends_;
  Csr receiver_nodes_, root_receivers_, slot_nodes_, root_slots_, pair_sources_, pair_targets_,
      node_kinds_, slot_kinds_, pair_kinds_;
  std::vector<AttentionLevel> upper_;    // of layers from the second on
  std::vector<TimedEntity> first_rows_;  // of the first layer, where there are others
};

}  // namespace cupel
