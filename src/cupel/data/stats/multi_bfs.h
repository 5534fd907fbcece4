// Distances from up to 512 nodes at once: one bit per source and node.
//
// M. Then et al., "The more the merrier: efficient multi-source graph traversal", VLDB 2014.
// Sources that are near each other share most of their way.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "cupel/data/stats/simple_graph.h"

namespace cupel {

// What each source of a batch has: its largest distance and the sum of its distances to all nodes
// that it reaches.
struct SourceDistances {
  std::vector<Index> eccentricity;
  std::vector<std::uint64_t> sum;
};

// 24 * kWords bytes per connected node. Use by one thread at a time.
template <int kWords>
class MultiBfs {
 public:
  static constexpr Index kSources = 64 * kWords;

  // `threads` share one search. Nodes for which inside(v) is false are never looked at; they must
  // not be neighbours of those for which it is true.
  MultiBfs(const SimpleGraph& graph, Threads threads, std::function<bool(Index)> inside);

  // At most kSources sources, all of them inside. False if stop() said so before the end; it is
  // asked at each level.
  bool run(std::span<const Index> sources, const std::function<bool()>& stop, SourceDistances& out);

 private:
  struct Row {
    std::array<std::uint64_t, kWords> words{};
    bool any() const {
      std::uint64_t all = 0;
      for (const std::uint64_t word : words) all |= word;
      return all != 0;
    }
  };
  class LevelCounts;

  void step_outwards(LevelCounts& counts);
  void step_inwards(LevelCounts& counts);

  const SimpleGraph& graph_;
  const Threads threads_;
  const std::function<bool(Index)> inside_;
  Row full_;                            // a bit for each source of the batch
  std::vector<Row> seen_, now_, then_;  // reached; reached in the last step; reached in this one
  std::vector<Index> frontier_, next_;  // nodes with a bit in now_, then_; no order
  Offset frontier_entries_ = 0;
};

extern template class MultiBfs<1>;
extern template class MultiBfs<8>;

}  // namespace cupel
