// What training has seen: which nodes, which facts, and how often.
#pragma once

#include <cstdint>
#include <vector>

#include "cupel/base/parallel.h"
#include "cupel/data/facts/columns.h"

namespace cupel {

// Nodes, a bit each.
class NodeSet {
 public:
  explicit NodeSet(Index nodes) : bits_((static_cast<std::size_t>(nodes) + 63) / 64) {}
  // Those at either end of a fact. O(facts + nodes).
  NodeSet(const FactColumns& facts, Threads threads);

  bool has(Index node) const {
    const auto at = static_cast<std::size_t>(node);
    return (bits_[at / 64] >> (at % 64) & 1) != 0;
  }
  void add(Index node) {
    const auto at = static_cast<std::size_t>(node);
    bits_[at / 64] |= std::uint64_t{1} << (at % 64);
  }
  Offset size() const;

 private:
  std::vector<std::uint64_t> bits_;
};

// How often each fact (s, r, o) was stated, at whatever time. Facts of relations without direction
// count under both of their orders.
//
// Rows by source of 8 bytes (target, relation), sorted: 8 bytes a fact + 8 bytes a node, and
// nothing beyond while it is made. 10^8 facts of 10^7 nodes: 0.9 GB. Made in O(n + nodes) and the
// sorts of rows; a question is a binary search in one row. It copies what it needs. Safe to ask
// from many threads; contents do not depend on how many made it.
//
// It counts other things, too, where columns are given by another name: n(r, o), how popular
// a target is, is FactCounts({.source = relation, .target = target, .nodes = relations}) asked for
// (r, 0, o); pairs, whatever their relation, are the columns without theirs.
class FactCounts {
 public:
  FactCounts(const FactColumns& facts, Undirected undirected, Threads threads);

  Offset count(Index source, Index relation, Index target) const;
  bool has(Index source, Index relation, Index target) const {
    return count(source, relation, target) > 0;
  }
  Offset facts() const { return std::ssize(entries_); }
  std::size_t bytes() const {
    return start_.size() * sizeof(Offset) + entries_.size() * sizeof(std::uint64_t);
  }

 private:
  std::vector<std::uint8_t> undirected_;
  std::vector<Offset> start_;  // per node: the first entry of its row; and the end
  std::vector<std::uint64_t> entries_;
};

}  // namespace cupel
