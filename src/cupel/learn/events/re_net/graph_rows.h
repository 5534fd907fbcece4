// What two layers of relational graph convolution over snapshots are bound to.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "cupel/base/matrix.h"
#include "cupel/engine/program/row_sets.h"
#include "cupel/learn/events/key_numbers.h"
#include "cupel/learn/events/re_net/snapshots.h"

namespace cupel {

// Numbers 0, 1, ... for keys, in the order in which they are met.
class Numbered {
 public:
  // All keys will be below `keys`. 4 bytes each.
  void reach(std::size_t keys) {
    if (of_.size() < keys) of_.resize(keys, -1);
  }
  void clear() {
    for (const Index key : keys_) of_[static_cast<std::size_t>(key)] = -1;
    keys_.clear();
  }
  // The number of a key, and whether it is new.
  std::pair<Index, bool> number(Index key) {
    Index& number = of_[static_cast<std::size_t>(key)];
    if (number >= 0) return {number, false};
    number = size();
    keys_.push_back(key);
    return {number, true};
  }
  // Of a key that was met.
  Index of(Index key) const { return of_[static_cast<std::size_t>(key)]; }
  Index size() const { return static_cast<Index>(keys_.size()); }
  std::span<const Index> keys() const { return keys_; }

 private:
  std::vector<Index> of_, keys_;
};

// A receiver is an entity at a step, seen from one side: what goes from targets to sources has
// kinds relations, ..., 2 relations - 1 seen from the side of sources, and 0, ... seen from that of
// targets; what goes from sources to targets the others. What a first layer gives to a node is what
// the second sends. Rows of one content are there once, so that they are computed once. Constants
// are over the spaces entity, message (an entity and a kind), node, message of nodes, and receiver.
class GraphRows {
 public:
  GraphRows(Index entities, Index relations);
  void clear();

  // Numbers in their space.
  Index entity(Index id);
  Index receiver(const Snapshots& past, Index place, bool as_target);
  // Once all are there: how many columns each matrix has. Messages are numbered anew, by sender and
  // kind, so that the order of sums does not depend on what else is there.
  void finish();

  Csr entities;                              // entity x all entities, one entry
  Csr message_entity, message_kind;          // one entry
  Csr node_messages, node_entity;            // 1 / in-degree; one entry
  Csr node_message_node, node_message_kind;  // one entry
  Csr receiver_messages, receiver_node;      // 1 / in-degree; one entry
  std::span<const Index> receivers() const { return receivers_.keys(); }  // 2 place + as target
  // The matrices above at the places of GraphConstants. They must outlive what is bound to them.
  void put(std::span<ConstantMatrix> constants) const;

 private:
  Index node(const Snapshots& past, Index key);
  Index kind(Index of_fact, bool as_target) const {
    return as_target ? (of_fact + relations_) % (2 * relations_) : of_fact;
  }
  // Messages of one layer: keys are sender * 2 relations + kind, with senders by id or node key.
  struct Messages {
    KeyNumbers numbers;
    std::vector<std::int64_t> keys;  // by number
  };
  Index message(Messages& of, Index sender, Index kind);
  template <class NumberOf>
  void finish(Messages& of, Csr& from, Csr& kinds, Csr& means, const NumberOf& number_of);
  static void add_mean(Csr& m, std::span<const Index> columns);

  Index all_entities_, relations_;
  Numbered entities_, nodes_, receivers_;
  Messages messages_, node_messages_;
  std::vector<Index> columns_, columns2_;
};

}  // namespace cupel
