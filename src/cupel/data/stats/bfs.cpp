#include "cupel/data/stats/bfs.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <mutex>

namespace cupel {
namespace {

constexpr std::int64_t kNodesEach = 1 << 12;  // a multiple of 64: blocks own whole words
constexpr std::int64_t kFrontierEach = 256;
constexpr Offset kTooFewToShare = 1 << 14;  // entries that one thread is quicker with
// When to turn: the constants of the paper.
constexpr Offset kInwards = 15;
constexpr std::int64_t kOutwards = 18;

}  // namespace

Bfs::Bfs(const SimpleGraph& graph, Threads threads)
    : graph_(graph),
      threads_(threads),
      distance_(static_cast<std::size_t>(graph.connected_nodes())),
      bits_((distance_.size() + 63) / 64),
      next_bits_(bits_.size()) {}

Index Bfs::run(Index source) {
  std::ranges::fill(distance_, -1);
  distance_[source] = 0;
  frontier_.assign(1, source);
  frontier_nodes_ = 1;
  frontier_entries_ = graph_.degree(source);
  Offset left = graph_.entries() - frontier_entries_;
  bool inwards = false;
  Index level = 0;
  while (true) {
    const std::int64_t before = frontier_nodes_;
    if (!inwards && frontier_entries_ > left / kInwards && frontier_entries_ > kTooFewToShare) {
      inwards = true;
      bits_of_frontier();
    }
    if (inwards) {
      step_inwards(level + 1);
    } else {
      step_outwards(level + 1);
    }
    if (frontier_nodes_ == 0) return level;
    ++level;
    left -= frontier_entries_;
    if (inwards && frontier_nodes_ < before &&
        frontier_nodes_ < std::ssize(distance_) / kOutwards) {
      inwards = false;
      frontier_of_bits();
    }
  }
}

void Bfs::step_outwards(Index level) {
  next_.clear();
  Offset entries = 0;
  const auto claim = [&](Index w) {
    const std::atomic_ref at(distance_[w]);
    Index none = -1;
    return at.load(std::memory_order_relaxed) < 0 &&
           at.compare_exchange_strong(none, level, std::memory_order_relaxed);
  };
  if (frontier_entries_ <= kTooFewToShare || threads_.count <= 1) {
    for (const Index v : frontier_) {
      for (const Index w : graph_.neighbours(v)) {
        if (distance_[w] >= 0) continue;
        distance_[w] = level;
        next_.push_back(w);
        entries += graph_.degree(w);
      }
    }
  } else {
    std::mutex mutex;
    parallel_blocks(threads_, std::ssize(frontier_), kFrontierEach, [&](auto begin, auto end) {
      std::vector<Index> found;
      Offset own = 0;
      for (auto k = begin; k < end; ++k) {
        for (const Index w : graph_.neighbours(frontier_[k])) {
          if (!claim(w)) continue;
          found.push_back(w);
          own += graph_.degree(w);
        }
      }
      const std::lock_guard lock(mutex);
      next_.insert(next_.end(), found.begin(), found.end());
      entries += own;
    });
  }
  frontier_.swap(next_);
  frontier_nodes_ = std::ssize(frontier_);
  frontier_entries_ = entries;
}

void Bfs::step_inwards(Index level) {
  std::atomic<std::int64_t> nodes = 0, entries = 0;
  parallel_blocks(threads_, std::ssize(distance_), kNodesEach, [&](auto begin, auto end) {
    std::int64_t own_nodes = 0, own_entries = 0;
    for (auto word = begin / 64; word * 64 < end; ++word) {
      std::uint64_t found = 0;
      const auto last = static_cast<Index>(std::min(end, word * 64 + 64));
      for (auto v = static_cast<Index>(word * 64); v < last; ++v) {
        if (distance_[v] >= 0) continue;
        const auto row = graph_.neighbours(v);
        const bool reached =
            std::ranges::any_of(row, [&](Index w) { return bits_[w >> 6] >> (w & 63) & 1; });
        if (!reached) continue;
        distance_[v] = level;
        found |= std::uint64_t{1} << (v & 63);
        ++own_nodes;
        own_entries += std::ssize(row);
      }
      next_bits_[word] = found;
    }
    nodes += own_nodes;
    entries += own_entries;
  });
  bits_.swap(next_bits_);
  frontier_nodes_ = nodes;
  frontier_entries_ = entries;
}

void Bfs::bits_of_frontier() {
  std::ranges::fill(bits_, 0);
  for (const Index v : frontier_) bits_[v >> 6] |= std::uint64_t{1} << (v & 63);
}

void Bfs::frontier_of_bits() {
  frontier_.clear();
  for (std::size_t word = 0; word < bits_.size(); ++word) {
    for (std::uint64_t left = bits_[word]; left != 0; left &= left - 1)
      frontier_.push_back(static_cast<Index>(word * 64) + std::countr_zero(left));
  }
}

}  // namespace cupel
