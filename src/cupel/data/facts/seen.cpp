#include "cupel/data/facts/seen.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <numeric>
#include <utility>

namespace cupel {
namespace {

constexpr Offset kFactGrain = Offset{1} << 16;
constexpr Offset kNodeGrain = Offset{1} << 12;

// The ends of a fact in the one order under which it is kept.
std::pair<Index, Index> kept_ends(Index source, Index target, bool undirected) {
  return undirected && source > target ? std::pair(target, source) : std::pair(source, target);
}

std::uint64_t entry_of(Index target, Index relation) {
  return std::uint64_t{static_cast<std::uint32_t>(target)} << 32 |
         static_cast<std::uint32_t>(relation);
}

}  // namespace

NodeSet::NodeSet(const FactColumns& facts, Threads threads) : NodeSet(facts.nodes) {
  const auto mark = [&](Index node) {
    const auto at = static_cast<std::size_t>(node);
    const std::uint64_t bit = std::uint64_t{1} << (at % 64);
    std::atomic_ref<std::uint64_t> word(bits_[at / 64]);
    // Most nodes are marked already: to read is cheaper than to write.
    if ((word.load(std::memory_order_relaxed) & bit) == 0)
      word.fetch_or(bit, std::memory_order_relaxed);
  };
  parallel_blocks(threads, facts.size(), kFactGrain, [&](Offset begin, Offset end) {
    for (const Index node : facts.part(begin, end).source) mark(node);
    for (const Index node : facts.part(begin, end).target) mark(node);
  });
}

Offset NodeSet::size() const {
  return std::accumulate(bits_.begin(), bits_.end(), Offset{0},
                         [](Offset sum, std::uint64_t word) { return sum + std::popcount(word); });
}

FactCounts::FactCounts(const FactColumns& facts, Undirected undirected, Threads threads)
    : undirected_(undirected.begin(), undirected.end()),
      start_(static_cast<std::size_t>(facts.nodes) + 1),
      entries_(static_cast<std::size_t>(facts.size())) {
  // Calls take(row, entry) for each fact, from many threads.
  const auto for_all = [&](const auto& take) {
    parallel_blocks(threads, facts.size(), kFactGrain, [&](Offset begin, Offset end) {
      for (Offset i = begin; i < end; ++i) {
        const auto at = static_cast<std::size_t>(i);
        const Index relation = facts.relation_of(i);
        const auto [row, target] =
            kept_ends(facts.source[at], facts.target[at], is_undirected(undirected_, relation));
        take(static_cast<std::size_t>(row), entry_of(target, relation));
      }
    });
  };
  const auto next = [&](std::size_t row) {
    return std::atomic_ref<Offset>(start_[row]).fetch_add(1, std::memory_order_relaxed);
  };

  for_all([&](std::size_t row, std::uint64_t) { next(row); });
  std::exclusive_scan(start_.begin(), start_.end(), start_.begin(), Offset{0});
  // Threads fill a row in any order; it is sorted afterwards.
  for_all([&](std::size_t row, std::uint64_t entry) {
    entries_[static_cast<std::size_t>(next(row))] = entry;
  });
  // Each row's start has moved to its end, which is the start of the next.
  std::move_backward(start_.begin(), start_.end() - 1, start_.end());
  start_.front() = 0;

  parallel_blocks(threads, facts.nodes, kNodeGrain, [&](Offset begin, Offset end) {
    for (Offset node = begin; node < end; ++node) {
      const auto first = entries_.begin() + start_[static_cast<std::size_t>(node)];
      const auto last = entries_.begin() + start_[static_cast<std::size_t>(node) + 1];
      std::sort(first, last);
    }
  });
}

Offset FactCounts::count(Index source, Index relation, Index target) const {
  const auto [row, other] = kept_ends(source, target, is_undirected(undirected_, relation));
  const auto at = static_cast<std::size_t>(row);
  const auto [first, last] = std::equal_range(
      entries_.begin() + start_[at], entries_.begin() + start_[at + 1], entry_of(other, relation));
  return last - first;
}

}  // namespace cupel
