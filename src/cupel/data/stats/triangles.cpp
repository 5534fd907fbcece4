#include "cupel/data/stats/triangles.h"

#include <algorithm>
#include <atomic>
#include <vector>

#include "cupel/base/parallel.h"

namespace cupel {
namespace {

constexpr std::int64_t kNodesEach = 1 << 14;

// Each triangle u > v > w is found once, at u: v and w are among the smaller neighbours of u, of
// which there are few, because hubs have the smallest ids; and w is one of v's.
class Counter {
 public:
  Counter(const SimpleGraph& graph, Threads threads)
      : graph_(graph), threads_(threads), of_node_(graph.connected_nodes()) {
    smaller_.resize(of_node_.size());
    parallel_blocks(threads, graph.connected_nodes(), kNodesEach, [&](auto begin, auto end) {
      for (auto v = static_cast<Index>(begin); v < end; ++v) {
        const auto row = graph.neighbours(v);
        smaller_[v] = static_cast<Index>(std::ranges::lower_bound(row, v) - row.begin());
      }
    });
  }

  // Triangles that each node is in.
  std::vector<std::uint64_t> count() {
    std::atomic<Index> next = graph_.connected_nodes();
    const int workers = std::max(1, threads_.count);
    parallel_blocks(threads_, workers, 1, [&](std::int64_t, std::int64_t) { work(next); });
    return std::move(of_node_);
  }

 private:
  static constexpr Index kBlock = 64;

  std::span<const Index> smaller(Index v) const {
    return graph_.neighbours(v).first(static_cast<std::size_t>(smaller_[v]));
  }

  void add(Index v, std::uint64_t triangles) {
    std::atomic_ref(of_node_[v]).fetch_add(triangles, std::memory_order_relaxed);
  }

  void work(std::atomic<Index>& next) {
    std::vector<std::uint32_t> hits(of_node_.size());
    std::vector<std::uint64_t> marks((of_node_.size() + 63) / 64);
    for (Index end; (end = next.fetch_sub(kBlock)) > 0;) {
      for (Index u = std::max(0, end - kBlock); u < end; ++u) at_node(u, marks, hits);
    }
  }

  void at_node(Index u, std::vector<std::uint64_t>& marks, std::vector<std::uint32_t>& hits) {
    const auto row = smaller(u);
    if (row.size() < 2) return;
    for (const Index v : row) marks[v >> 6] |= std::uint64_t{1} << (v & 63);
    std::uint64_t all = 0;
    for (const Index v : row) {
      std::uint64_t here = 0;
      for (const Index w : smaller(v)) {
        const auto hit = static_cast<std::uint32_t>(marks[w >> 6] >> (w & 63)) & 1u;
        here += hit;
        hits[w] += hit;
      }
      if (here > 0) add(v, here);
      all += here;
    }
    add(u, all);
    for (const Index v : row) {
      marks[v >> 6] = 0;
      if (hits[v] > 0) add(v, hits[v]);
      hits[v] = 0;
    }
  }

  const SimpleGraph& graph_;
  const Threads threads_;
  std::vector<std::uint64_t> of_node_;
  std::vector<Index> smaller_;
};

}  // namespace

Clustering clustering(const SimpleGraph& graph, Threads threads) {
  const std::vector<std::uint64_t> triangles = Counter(graph, threads).count();
  Clustering out;
  // Sums in the order of the nodes, block by block.
  const Index nodes = graph.connected_nodes();
  std::vector<double> local(static_cast<std::size_t>((nodes + kNodesEach - 1) / kNodesEach));
  std::uint64_t corners = 0, triples = 0;
  parallel_blocks(threads, nodes, kNodesEach, [&](std::int64_t begin, std::int64_t end) {
    double sum = 0;
    std::uint64_t own_corners = 0, own_triples = 0;
    for (auto v = static_cast<Index>(begin); v < end; ++v) {
      const auto degree = static_cast<std::uint64_t>(graph.degree(v));
      if (degree < 2) continue;
      const std::uint64_t pairs = degree * (degree - 1) / 2;
      own_corners += triangles[v];
      own_triples += pairs;
      sum += static_cast<double>(triangles[v]) / static_cast<double>(pairs);
    }
    local[static_cast<std::size_t>(begin / kNodesEach)] = sum;
    std::atomic_ref(corners).fetch_add(own_corners, std::memory_order_relaxed);
    std::atomic_ref(triples).fetch_add(own_triples, std::memory_order_relaxed);
  });
  out.triangles = corners / 3;
  if (triples > 0) out.global = static_cast<double>(corners) / static_cast<double>(triples);
  if (graph.nodes() > 0) {
    double sum = 0;
    for (const double part : local) sum += part;
    out.average_local = sum / graph.nodes();
  }
  return out;
}

}  // namespace cupel
