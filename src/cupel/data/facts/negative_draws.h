// What kinds of negatives of facts are made of: batches of one relation, facts that are true now,
// draws without replacement.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "cupel/data/facts/distinct_facts.h"
#include "cupel/data/facts/end_pools.h"
#include "cupel/data/facts/negatives.h"
#include "cupel/data/graph/pairs.h"

namespace cupel {

// Numbers below `size` in an even order, one at a time, none twice. Memory O(draws).
class DrawnOrder {
 public:
  DrawnOrder(Stream& stream, std::uint64_t size) : stream_(stream), size_(size) {}
  std::uint64_t next();  // at most `size` times

 private:
  Stream& stream_;
  std::uint64_t size_, drawn_ = 0;
  std::unordered_map<std::uint64_t, std::uint64_t> moved_;
};

// The rank-th number from `first` on that is not in `taken` (ascending, distinct, none below
// `first`). Logarithmic.
template <typename Number>
[[nodiscard]] Number nth_free(std::span<const Number> taken, Number first, Number rank) {
  // taken[i] - first - i numbers are free below taken[i], and that grows with i.
  std::size_t low = 0, high = taken.size();
  while (low < high) {
    const std::size_t middle = (low + high) / 2;
    if (taken[middle] - first - static_cast<Number>(middle) <= rank)
      low = middle + 1;
    else
      high = middle;
  }
  return first + rank + static_cast<Number>(low);
}

// Pairs of a source and a target, of two pools, that are no facts now. Refers to what it is made
// of.
class FreePairs {
 public:
  // `taken`: pairs that are facts, as numbers of pair_number(), ascending, distinct.
  FreePairs(std::span<const Index> sources, std::span<const Index> targets,
            std::span<const std::uint64_t> taken)
      : sources_(sources), targets_(targets), taken_(taken) {}

  std::uint64_t size() const { return sources_.size() * targets_.size() - taken_.size(); }
  Pair at(std::uint64_t rank) const;  // rank < size(). Logarithmic
  // Those of one source, which is in its pool.
  std::uint64_t size_of(Index source) const { return targets_.size() - row(source).second.size(); }
  Index target_at(Index source, std::uint64_t rank) const;  // rank < size_of(source)
  // Where pools are equal and (a, b) is (b, a): how many are different. O(pool log taken).
  std::uint64_t unordered() const;

  // Row by row. Both are in their pools. Logarithmic.
  static std::uint64_t pair_number(std::span<const Index> sources, std::span<const Index> targets,
                                   Pair pair);

 private:
  // The number of the source's first pair, and what is taken of its row.
  std::pair<std::uint64_t, std::span<const std::uint64_t>> row(Index source) const;
  std::span<const Index> sources_, targets_;
  std::span<const std::uint64_t> taken_;
};

// Asked facts of one batch and one relation, which draw together from a stream of their own.
struct AskedGroup {
  std::uint32_t batch = 0;
  Index relation = 0;
  std::span<const Offset> facts;      // their places, ascending
  Offset now_begin = 0, now_end = 0;  // places of all facts at the batch's times
  std::size_t now = 0;                // which of the intervals of time that batches have
};

// Batches of the asked facts, and what is true at their times, which is looked up once for all
// batches of the same times. Refers to the context. Safe to ask from many threads.
//
// Memory beside what is asked for: 150 bytes a batch. An interval of time is the same for all
// batches within a step, so that a fact is in at most three of them.
class AskedBatches {
 public:
  explicit AskedBatches(const FactNegativeContext& context);

  // The end of the last batch's times: nothing beyond is looked at.
  Offset end() const { return batches_.empty() ? context_.end : batches_.back().now_end; }
  // Calls body for each batch and relation, from many threads.
  void for_groups(const std::function<void(const AskedGroup&)>& body) const;

  // Numbers of the relation's facts that are true at the group's times, within [low, high).
  // Ascending. 4 bytes for each fact then, kept.
  std::span<const Index> true_facts(const AskedGroup& group, const DistinctFacts& distinct,
                                    Index low, Index high);
  // Pairs of its pools that are no facts of the relation at the group's times. 16 bytes for each
  // fact then, twice that without direction, kept.
  FreePairs free_pairs(const AskedGroup& group, const EndPools& pools);

 private:
  struct Batch {
    Offset begin, end, now_begin, now_end;
    std::size_t now;
  };
  struct Now {
    std::once_flag facts_once, pairs_once;
    std::vector<Index> facts;
    std::vector<Index> relations;    // of the pairs, each once
    std::vector<std::size_t> start;  // of each, its first pair; and the end
    std::vector<std::uint64_t> pairs;
  };
  void find_pairs(const AskedGroup& group, const EndPools& pools, Now& now) const;

  const FactNegativeContext& context_;
  std::vector<Batch> batches_;
  std::unique_ptr<Now[]> nows_;
};

// Purposes of streams; steps are batches, rows are relations.
inline constexpr std::uint32_t kDrawRandom = 0, kDrawSeen = 1, kDrawFill = 2;

// The pools of the context's facts, as its setting `pool` has them.
[[nodiscard]] EndPools pools_of(const FactNegativeContext& context);
// A place for the draw of each asked fact.
[[nodiscard]] FactNegatives empty_draws(const FactNegativeContext& context);

// Pairs for some facts of the group, in their order, drawn evenly from those that are no facts now:
// different ones as long as there are enough. Throws Error if there are none.
[[nodiscard]] std::vector<Pair> draw_free(const FactNegativeContext& context,
                                          const AskedGroup& group, const FreePairs& from,
                                          std::size_t count);

// For each asked fact a different one of its relation that was first stated at places [begin, now),
// and is not true now; where there are fewer than are asked for, all of them, and others by
// draw_free() for asked facts that are drawn.
[[nodiscard]] FactNegatives draw_stated(const FactNegativeContext& context, Offset begin);

}  // namespace cupel
