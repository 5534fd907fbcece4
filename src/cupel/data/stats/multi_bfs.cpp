#include "cupel/data/stats/multi_bfs.h"

#include <algorithm>
#include <bit>
#include <mutex>

#include "cupel/data/graph/parallel_rows.h"

namespace cupel {
namespace {

constexpr Offset kEntriesEach = 1 << 15;
constexpr Offset kOutwards = 8;  // outwards if the frontier has less than this part of the entries

// Adds up the bits of words place by place.
class BitCounter {
 public:
  void add(std::uint64_t word) {
    for (int p = 0; word != 0; ++p) {
      const std::uint64_t carry = planes_[p] & word;
      planes_[p] ^= word;
      word = carry;
    }
    if (++added_ == 255) flush();
  }
  void flush() {
    for (int p = 0; p < 8; ++p) {
      for (std::uint64_t left = planes_[p]; left != 0; left &= left - 1)
        counts_[std::countr_zero(left)] += std::uint64_t{1} << p;
      planes_[p] = 0;
    }
    added_ = 0;
  }
  const std::array<std::uint64_t, 64>& counts() const { return counts_; }

 private:
  std::array<std::uint64_t, 8> planes_{};
  std::array<std::uint64_t, 64> counts_{};
  int added_ = 0;
};

}  // namespace

// How many nodes each source reached in one step.
template <int kWords>
class MultiBfs<kWords>::LevelCounts {
 public:
  using Counters = std::array<BitCounter, kWords>;

  void take(Counters& counters, std::span<const Index> found, Offset entries,
            std::vector<Index>& next) {
    const std::lock_guard lock(mutex_);
    for (int k = 0; k < kWords; ++k) {
      counters[k].flush();
      for (int bit = 0; bit < 64; ++bit) of_source[64 * k + bit] += counters[k].counts()[bit];
    }
    entries_ += entries;
    next.insert(next.end(), found.begin(), found.end());
  }
  Offset entries() const { return entries_; }

  std::array<std::uint64_t, kSources> of_source{};

 private:
  std::mutex mutex_;
  Offset entries_ = 0;
};

template <int kWords>
MultiBfs<kWords>::MultiBfs(const SimpleGraph& graph, Threads threads,
                           std::function<bool(Index)> inside)
    : graph_(graph),
      threads_(threads),
      inside_(std::move(inside)),
      seen_(static_cast<std::size_t>(graph.connected_nodes())),
      now_(seen_.size()),
      then_(seen_.size()) {}

template <int kWords>
bool MultiBfs<kWords>::run(std::span<const Index> sources, const std::function<bool()>& stop,
                           SourceDistances& out) {
  const std::size_t count = sources.size();
  for (std::size_t k = 0; k < kWords; ++k) {
    const std::size_t bits = std::min<std::size_t>(64, count - std::min(count, 64 * k));
    full_.words[k] = bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
  }
  out.eccentricity.assign(count, 0);
  out.sum.assign(count, 0);
  for (Index v = 0; v < graph_.connected_nodes(); ++v) seen_[v] = inside_(v) ? Row{} : full_;
  std::ranges::fill(now_, Row{});
  std::ranges::fill(then_, Row{});
  frontier_.clear();
  frontier_entries_ = 0;
  for (std::size_t k = 0; k < count; ++k) {
    const std::uint64_t bit = std::uint64_t{1} << (k % 64);
    const Index v = sources[k];
    if (!now_[v].any()) frontier_.push_back(v), frontier_entries_ += graph_.degree(v);
    now_[v].words[k / 64] |= bit;
    seen_[v].words[k / 64] |= bit;
  }
  for (Index level = 1; !frontier_.empty(); ++level) {
    if (stop()) return false;
    LevelCounts counts;
    next_.clear();
    if (frontier_entries_ < graph_.entries() / (kOutwards * std::max(1, threads_.count))) {
      step_outwards(counts);
    } else {
      step_inwards(counts);
    }
    parallel_blocks(threads_, std::ssize(frontier_), 1 << 12, [&](auto begin, auto end) {
      for (auto k = begin; k < end; ++k) now_[frontier_[k]] = Row{};
    });
    frontier_.swap(next_);
    now_.swap(then_);
    frontier_entries_ = counts.entries();
    for (std::size_t k = 0; k < count; ++k) {
      if (counts.of_source[k] == 0) continue;
      out.eccentricity[k] = level;
      out.sum[k] += static_cast<std::uint64_t>(level) * counts.of_source[k];
    }
  }
  return true;
}

template <int kWords>
void MultiBfs<kWords>::step_outwards(LevelCounts& counts) {
  for (const Index v : frontier_) {
    const Row from = now_[v];
    for (const Index w : graph_.neighbours(v)) {
      const Row& seen = seen_[w];
      Row fresh;
      for (int k = 0; k < kWords; ++k) fresh.words[k] = from.words[k] & ~seen.words[k];
      if (!fresh.any()) continue;
      if (!then_[w].any()) next_.push_back(w);
      for (int k = 0; k < kWords; ++k) then_[w].words[k] |= fresh.words[k];
    }
  }
  typename LevelCounts::Counters counters;
  Offset entries = 0;
  for (const Index w : next_) {
    for (int k = 0; k < kWords; ++k) {
      counters[k].add(then_[w].words[k]);
      seen_[w].words[k] |= then_[w].words[k];
    }
    entries += graph_.degree(w);
  }
  std::vector<Index> in_place;
  counts.take(counters, {}, entries, in_place);
}

template <int kWords>
void MultiBfs<kWords>::step_inwards(LevelCounts& counts) {
  const auto range = [&](Index begin, Index end) {
    typename LevelCounts::Counters counters;
    std::vector<Index> found;
    Offset entries = 0;
    for (Index v = begin; v < end; ++v) {
      Row missing;
      for (int k = 0; k < kWords; ++k) missing.words[k] = full_.words[k] & ~seen_[v].words[k];
      if (!missing.any()) continue;
      Row met;
      for (const Index w : graph_.neighbours(v)) {
        std::uint64_t open = 0;
        for (int k = 0; k < kWords; ++k) {
          met.words[k] |= now_[w].words[k];
          open |= missing.words[k] & ~met.words[k];
        }
        if (open == 0) break;
      }
      std::uint64_t any = 0;
      for (int k = 0; k < kWords; ++k) any |= met.words[k] &= missing.words[k];
      if (any == 0) continue;
      for (int k = 0; k < kWords; ++k) {
        counters[k].add(met.words[k]);
        seen_[v].words[k] |= met.words[k];
      }
      then_[v] = met;
      found.push_back(v);
      entries += graph_.degree(v);
    }
    counts.take(counters, found, entries, next_);
  };
  if (threads_.count <= 1) {
    range(0, graph_.connected_nodes());
  } else {
    parallel_rows(threads_, graph_.row_ptr(), graph_.connected_nodes(), kEntriesEach, range);
  }
}

template class MultiBfs<1>;
template class MultiBfs<8>;

}  // namespace cupel
