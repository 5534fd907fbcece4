#include "cupel/data/wiki/harmonic.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <memory>
#include <mutex>
#include <numeric>
#include <span>
#include <stdexcept>

#include "cupel/data/wiki/repeated_sum.h"
#include "cupel/data/wiki/row_counter.h"

namespace cupel {
namespace {

// The graph without loops, its nodes numbered anew: first those with children, in the order in
// which a depth-first search meets them, so that what lies below near nodes is near in memory.
struct Layout {
  Index nodes = 0, inner = 0;  // inner: those with children, the ids below
  std::vector<Offset> row_ptr = {0};
  std::vector<Index> columns;
  std::vector<Index> original;  // per node

  explicit Layout(const Csr& children);
  std::span<const Index> children(Index v) const {
    return {columns.data() + row_ptr[v], static_cast<std::size_t>(row_ptr[v + 1] - row_ptr[v])};
  }
};

// Nodes in the order in which a depth-first search from those without parents, then from any, meets
// them.
std::vector<Index> depth_first(const Csr& children) {
  const Index n = children.rows;
  std::vector<bool> met(static_cast<std::size_t>(n)), below(met.size());
  for (Index v = 0; v < n; ++v) {
    for (const Index w : children.row_columns(v)) below[w] = below[w] || w != v;
  }
  std::vector<Index> order, stack;
  order.reserve(met.size());
  const auto search = [&](Index from) {
    stack.assign(1, from);
    while (!stack.empty()) {
      const Index v = stack.back();
      stack.pop_back();
      if (met[v]) continue;
      met[v] = true;
      order.push_back(v);
      const std::span<const Index> row = children.row_columns(v);
      for (auto w = row.rbegin(); w != row.rend(); ++w) {
        if (!met[*w]) stack.push_back(*w);
      }
    }
  };
  for (Index v = 0; v < n; ++v) {
    if (!below[v] && !met[v]) search(v);
  }
  for (Index v = 0; v < n; ++v) {
    if (!met[v]) search(v);
  }
  return order;
}

Layout::Layout(const Csr& stored) : nodes(stored.rows) {
  const auto has_children = [&](Index v) {
    const auto row = stored.row_columns(v);
    return std::ranges::any_of(row, [&](Index w) { return w != v; });
  };
  original = depth_first(stored);
  const auto leaves = std::stable_partition(original.begin(), original.end(), has_children);
  inner = static_cast<Index>(leaves - original.begin());
  std::vector<Index> new_id(original.size());
  for (Index v = 0; v < nodes; ++v) new_id[original[v]] = v;
  row_ptr.reserve(static_cast<std::size_t>(inner) + 1);
  for (Index v = 0; v < inner; ++v) {
    const auto begin = static_cast<std::ptrdiff_t>(columns.size());
    for (const Index w : stored.row_columns(original[v])) {
      if (w != original[v]) columns.push_back(new_id[w]);
    }
    std::sort(columns.begin() + begin, columns.end());
    row_ptr.push_back(std::ssize(columns));
  }
}

// Inner nodes in the order in which they are searched from: those that reach much first, together,
// since they share most of their way; then by place. How much a node reaches is told, to a power of
// two, by how many of 512 nodes it reaches that lie evenly in the layout. Some of that may be
// missed where there are cycles, which costs time and nothing else.
std::vector<Index> by_reach(const Layout& graph) {
  using Probes = BitRow<8>;
  constexpr int kRounds = 8;
  const auto probe_of = [&](Index v) {  // -1: none
    const std::int64_t k = std::int64_t{512} * v / graph.nodes;
    return k != std::int64_t{512} * (v - 1) / graph.nodes || v == 0 ? static_cast<int>(k) : -1;
  };
  std::vector<Probes> reached(static_cast<std::size_t>(graph.inner));
  bool changed = true;
  for (int round = 0; round < kRounds && changed; ++round) {
    changed = false;
    for (Index v = graph.inner; v-- > 0;) {
      const Probes before = reached[v];
      Probes now = before;
      for (const Index w : graph.children(v)) {
        if (w < graph.inner) {
          for (int k = 0; k < 8; ++k) now[k] |= reached[w][k];
        }
        const int probe = probe_of(w);
        if (probe >= 0) now[probe / 64] |= std::uint64_t{1} << probe % 64;
      }
      changed |= now != before;
      reached[v] = now;
    }
  }
  std::vector<std::uint8_t> powers(reached.size());
  for (std::size_t v = 0; v < reached.size(); ++v) {
    unsigned count = 0;
    for (const std::uint64_t word : reached[v]) count += static_cast<unsigned>(std::popcount(word));
    powers[v] = static_cast<std::uint8_t>(std::bit_width(count));
  }
  std::vector<Index> order(reached.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, std::greater{}, [&](Index v) { return powers[v]; });
  return order;
}

// The searches of one thread. A bit of a row is a source.
template <int kWords>
class Searches {
 public:
  static constexpr Index kSources = 64 * kWords;
  static std::uint64_t bytes(const Layout& graph) {
    return sizeof(Row) *
           (static_cast<std::uint64_t>(graph.nodes) + 2 * static_cast<std::uint64_t>(graph.inner));
  }

  explicit Searches(const Layout& graph)
      : graph_(graph),
        seen_(static_cast<std::size_t>(graph.nodes)),
        now_(static_cast<std::size_t>(graph.inner)),
        then_(now_.size()) {}

  // sums[k] of sources[k], all of them inner nodes.
  void run(std::span<const Index> sources, std::span<double> sums) {
    std::ranges::fill(sums, 0.0);
    for (std::size_t k = 0; k < sources.size(); ++k) {
      const Index v = sources[k];
      seen_[v][k / 64] |= std::uint64_t{1} << k % 64;
      now_[v] = seen_[v];
      frontier_.push_back(v);
      touched_.push_back(v);
    }
    for (std::uint64_t level = 1; !frontier_.empty(); ++level) {
      step();
      const double term = 1.0 / static_cast<double>(level);
      counter_.take(
          [&](int k, std::uint64_t nodes) { sums[k] = add_repeatedly(sums[k], term, nodes); });
    }
    if (touched_.size() > seen_.size() / 8) {
      std::ranges::fill(seen_, Row{});
    } else {
      for (const Index v : touched_) seen_[v] = Row{};
    }
    touched_.clear();
  }

 private:
  using Row = BitRow<kWords>;

  static bool any(const Row& row) {
    std::uint64_t all = 0;
#pragma GCC unroll 8
    for (const std::uint64_t word : row) all |= word;
    return all != 0;
  }

  // Rows lie all over memory: those of the first children are asked for ahead of time.
  void fetch(Index v) {
    constexpr std::size_t kMost = 16;
    const std::span<const Index> children = graph_.children(v);
    __builtin_prefetch(&now_[v]);
    for (const Index w : children.first(std::min(kMost, children.size()))) {
      __builtin_prefetch(&seen_[w]);
      if (w < graph_.inner) __builtin_prefetch(&then_[w]);
    }
  }

  void step() {
    constexpr std::size_t kAhead = 2;
    for (std::size_t at = 0; at < frontier_.size(); ++at) {
      if (at + kAhead < frontier_.size()) fetch(frontier_[at + kAhead]);
      const Index v = frontier_[at];
      const Row from = now_[v];
      now_[v] = Row{};
      for (const Index w : graph_.children(v)) reach(w, from);
    }
    frontier_.swap(next_);
    next_.clear();
    now_.swap(then_);
  }

  void reach(Index w, const Row& from) {
    Row& seen = seen_[w];
    Row fresh;
#pragma GCC unroll 8
    for (int k = 0; k < kWords; ++k) fresh[k] = from[k] & ~seen[k];
    if (!any(fresh)) return;
    if (!any(seen)) touched_.push_back(w);
#pragma GCC unroll 8
    for (int k = 0; k < kWords; ++k) seen[k] |= fresh[k];
    counter_.add(fresh);
    if (w >= graph_.inner) return;
    Row& then = then_[w];
    if (!any(then)) next_.push_back(w);
#pragma GCC unroll 8
    for (int k = 0; k < kWords; ++k) then[k] |= fresh[k];
  }

  const Layout& graph_;
  AlignedVector<Row> seen_;             // reached, per node
  AlignedVector<Row> now_, then_;       // reached in the last step; in this one
  std::vector<Index> frontier_, next_;  // nodes with a bit in now_, then_
  std::vector<Index> touched_;          // nodes with a bit in seen_
  RowCounter<kWords> counter_;          // of this step
};

// Spaces that threads take turns in.
template <class Space>
class Pool {
 public:
  explicit Pool(const Layout& graph) : graph_(graph) {}
  std::unique_ptr<Space> take() {
    {
      const std::lock_guard lock(mutex_);
      if (!free_.empty()) {
        auto space = std::move(free_.back());
        free_.pop_back();
        return space;
      }
    }
    return std::make_unique<Space>(graph_);
  }
  void give(std::unique_ptr<Space> space) {
    const std::lock_guard lock(mutex_);
    free_.push_back(std::move(space));
  }

 private:
  const Layout& graph_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Space>> free_;
};

template <int kWords>
void search_all(const Layout& graph, std::span<const Index> sources, Threads threads,
                const CentralityProgress& progress, const CentralityMemory& memory,
                std::vector<double>& scores) {
  using Space = Searches<kWords>;
  const std::uint64_t most = std::max<std::uint64_t>(1, memory.all / (Space::bytes(graph) + 1));
  threads.count = static_cast<int>(std::min<std::uint64_t>(std::max(1, threads.count), most));
  Pool<Space> pool(graph);
  std::mutex mutex;
  std::int64_t done = 0;
  parallel_blocks(threads, std::ssize(sources), Space::kSources, [&](auto begin, auto end) {
    const auto batch =
        sources.subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin));
    std::vector<double> sums(batch.size());
    auto space = pool.take();
    space->run(batch, sums);
    pool.give(std::move(space));
    for (std::size_t k = 0; k < batch.size(); ++k) scores[graph.original[batch[k]]] = sums[k];
    const std::lock_guard lock(mutex);
    done += end - begin;
    if (progress) progress(done, std::ssize(sources));
  });
}

}  // namespace

std::vector<double> harmonic_centrality(const Csr& children, const std::vector<bool>& wanted,
                                        Threads threads, const CentralityProgress& progress,
                                        const CentralityMemory& memory) {
  if (children.rows != children.cols || wanted.size() != static_cast<std::size_t>(children.rows))
    throw std::logic_error("harmonic_centrality: a graph and a flag for each of its nodes");
  std::vector<double> scores(wanted.size());
  const Layout graph(children);
  std::vector<Index> sources;
  for (const Index v : by_reach(graph)) {
    if (wanted[graph.original[v]]) sources.push_back(v);
  }
  if (Searches<8>::bytes(graph) <= memory.wide) {
    search_all<8>(graph, sources, threads, progress, memory, scores);
  } else {
    search_all<1>(graph, sources, threads, progress, memory, scores);
  }
  return scores;
}

}  // namespace cupel
