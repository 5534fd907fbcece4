// Distances from 64 sources at once, a bit each: M. Then et al., "The more the merrier: efficient
// multi-source graph traversal", VLDB 2014. A search ends where it has met all that is asked of it.
#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "cupel/learn/links/heuristics/heuristics.h"
#include "cupel/learn/links/heuristics/pair_groups.h"

namespace cupel {
namespace {

constexpr Index kTogether = 64;

// The searches from some sources along the arcs, step by step.
class Search {
 public:
  explicit Search(const Csr& arcs)
      : arcs_(arcs), seen_(static_cast<std::size_t>(arcs.rows)), now_(seen_), then_(seen_) {}

  void start(Index node, int bit) {
    if (now_[node] == 0) frontier_.push_back(node);
    now_[node] |= std::uint64_t{1} << bit;
    seen_[node] |= std::uint64_t{1} << bit;
  }
  bool over() const { return frontier_.empty(); }
  bool seen(Index node, int bit) const { return seen_[node] >> bit & 1; }

  void step(const RunLimits& limits) {
    next_.clear();
    std::size_t looked_at = 0;
    for (const Index v : frontier_) {
      if ((++looked_at & 0xffff) == 0) limits.check();
      const std::uint64_t from = std::exchange(now_[v], 0);
      for (const Index w : arcs_.row_columns(v)) {
        const std::uint64_t fresh = from & ~seen_[w];
        if (fresh == 0) continue;
        if (then_[w] == 0) next_.push_back(w);
        then_[w] |= fresh;
      }
    }
    for (const Index w : next_) seen_[w] |= then_[w];
    now_.swap(then_);
    frontier_.swap(next_);
  }

 private:
  const Csr& arcs_;
  std::vector<std::uint64_t> seen_, now_, then_;  // reached; in the last step; in this one
  std::vector<Index> frontier_, next_;            // nodes with a bit in now_, then_
};

class ShortestPath final : public PairScorer {
 public:
  ShortestPath(const LinkGraph& graph, Threads threads) : graph_(graph), threads_(threads) {}

  void score(std::span<const Pair> pairs, std::span<float> scores,
             const RunLimits& limits) override {
    const GroupBy by = graph_.directed ? GroupBy::kSource : GroupBy::kSmaller;
    const PairGroups groups = group_pairs(pairs, by, graph_.arcs.rows);
    parallel_blocks(threads_, groups.size(), kTogether, [&](std::int64_t begin, std::int64_t end) {
      search(groups, static_cast<Index>(begin), static_cast<Index>(end), pairs, scores, limits);
    });
  }

 private:
  struct Open {
    std::size_t place;
    Index to;
    int bit;
  };

  void search(const PairGroups& groups, Index begin, Index end, std::span<const Pair> pairs,
              std::span<float> scores, const RunLimits& limits) const {
    Search search(graph_.arcs);
    std::vector<Open> open;
    for (Index g = begin; g < end; ++g) {
      search.start(groups.nodes[g], g - begin);
      for (const std::size_t place : groups.of(g)) {
        const Pair pair = pairs[place];
        const Index to = pair.source == groups.nodes[g] ? pair.target : pair.source;
        open.push_back({place, to, g - begin});
      }
    }
    // A node with itself is met before the first step.
    for (Index distance = 0; !open.empty(); ++distance) {
      limits.check();
      const float score = distance == 0 ? 2.0f : 1.0f / static_cast<float>(distance);
      std::erase_if(open, [&](const Open& one) {
        if (!search.seen(one.to, one.bit)) return false;
        scores[one.place] = score;
        return true;
      });
      if (search.over()) break;
      search.step(limits);
    }
    for (const Open& one : open) scores[one.place] = 0;
  }

  const LinkGraph graph_;
  const Threads threads_;
};

}  // namespace

std::unique_ptr<PairScorer> shortest_path_scorer(const LinkGraph& graph, Threads threads) {
  return std::make_unique<ShortestPath>(graph, threads);
}

}  // namespace cupel
