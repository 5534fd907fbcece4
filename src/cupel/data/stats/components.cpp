#include "cupel/data/stats/components.h"

#include <algorithm>
#include <atomic>
#include <numeric>
#include <unordered_map>

#include "cupel/data/graph/parallel_rows.h"

namespace cupel {
namespace {

constexpr std::int64_t kNodesEach = 1 << 14;
constexpr Offset kEntriesEach = 1 << 16;
constexpr Index kFirst = 2;  // neighbours of each node that are joined before the largest is sought

Index load(Index& at) { return std::atomic_ref(at).load(std::memory_order_relaxed); }

// The trees of a forest: parent[v] <= v, a root is its own parent. Threads may join at once; the
// smaller root always stays, so the trees come out the same in any order.
class Forest {
 public:
  explicit Forest(Index nodes) : parent_(static_cast<std::size_t>(nodes)) {
    std::iota(parent_.begin(), parent_.end(), 0);
  }

  void join(Index u, Index v) {
    Index a = load(parent_[u]), b = load(parent_[v]);
    while (a != b) {
      const Index high = std::max(a, b), low = std::min(a, b);
      const Index above = load(parent_[high]);
      if (above == low) return;
      Index expected = high;
      if (above == high && std::atomic_ref(parent_[high])
                               .compare_exchange_strong(expected, low, std::memory_order_relaxed)) {
        return;
      }
      a = load(parent_[load(parent_[high])]);
      b = load(parent_[low]);
    }
  }

  // Every node becomes a child of its root.
  void flatten(Threads threads) {
    parallel_blocks(threads, std::ssize(parent_), kNodesEach, [&](auto begin, auto end) {
      for (auto v = begin; v < end; ++v) {
        Index root = load(parent_[v]);
        for (Index above; (above = load(parent_[root])) != root;) root = above;
        std::atomic_ref(parent_[v]).store(root, std::memory_order_relaxed);
      }
    });
  }

  // The root that most of some evenly spaced nodes have.
  Index frequent_root() const {
    constexpr std::size_t kLooks = 1024;
    std::unordered_map<Index, int> seen;
    Index best = 0;
    int most = 0;
    const std::size_t step = std::max<std::size_t>(1, parent_.size() / kLooks);
    for (std::size_t v = 0; v < parent_.size(); v += step) {
      if (const int count = ++seen[parent_[v]]; count > most) most = count, best = parent_[v];
    }
    return best;
  }

  std::vector<Index>& parents() { return parent_; }

 private:
  std::vector<Index> parent_;
};

}  // namespace

ComponentSizes component_sizes(const SimpleGraph& graph, Threads threads) {
  ComponentSizes out;
  Forest forest(graph.nodes());
  const Index connected = graph.connected_nodes();
  parallel_blocks(threads, connected, kNodesEach, [&](std::int64_t begin, std::int64_t end) {
    for (auto v = static_cast<Index>(begin); v < end; ++v) {
      const auto row = graph.neighbours(v);
      for (const Index w : row.first(std::min<std::size_t>(row.size(), kFirst))) forest.join(v, w);
    }
  });
  forest.flatten(threads);
  // Both ends of an edge list it: those of the largest tree need not be asked.
  const Index skip = connected == 0 ? -1 : forest.frequent_root();
  const std::vector<Index> before = forest.parents();
  parallel_rows(threads, graph.row_ptr(), connected, kEntriesEach, [&](Index begin, Index end) {
    for (Index v = begin; v < end; ++v) {
      if (before[v] == skip) continue;
      const auto row = graph.neighbours(v);
      for (std::size_t k = kFirst; k < row.size(); ++k) forest.join(v, row[k]);
    }
  });
  forest.flatten(threads);

  out.root = std::move(forest.parents());
  std::vector<Index> sizes(out.root.size());
  for (const Index root : out.root) ++sizes[root];
  for (Index v = 0; v < graph.nodes(); ++v) {
    out.count += out.root[v] == v;
    out.largest = std::max(out.largest, sizes[v]);
  }
  Index first = graph.nodes();
  for (Index v = 0; v < graph.nodes(); ++v) {
    if (sizes[out.root[v]] != out.largest || graph.original()[v] >= first) continue;
    first = graph.original()[v];
    out.root_of_largest = out.root[v];
  }
  return out;
}

}  // namespace cupel
