#include "cupel/data/stats/triangles.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <vector>

#include "cupel/base/parallel.h"

namespace cupel {
namespace {

constexpr std::int64_t kNodesEach = 1 << 14;

// Neighbours of hubs as bits: of each node v < size(), one bit for each w < v. At most half the
// memory of the graph itself.
class HubBits {
 public:
  HubBits(const SimpleGraph& graph, std::span<const Index> smaller, Threads threads) {
    const double most = 8 * std::sqrt(static_cast<double>(graph.edges()));
    size_ = std::min({graph.connected_nodes(), static_cast<Index>(most), kMostHubs});
    bits_.resize(start(size_));
    parallel_blocks(threads, size_, 64, [&](std::int64_t begin, std::int64_t end) {
      for (auto v = static_cast<Index>(begin); v < end; ++v) {
        std::uint64_t* const row = bits_.data() + start(v);
        for (const Index w : graph.neighbours(v).first(static_cast<std::size_t>(smaller[v])))
          row[w >> 6] |= std::uint64_t{1} << (w & 63);
      }
    });
  }

  Index size() const { return size_; }
  static Index words(Index v) { return (v + 63) / 64; }
  const std::uint64_t* row(Index v) const { return bits_.data() + start(v); }

 private:
  static constexpr Index kMostHubs = 1 << 16;

  // Words of the rows before v's.
  static std::size_t start(Index v) {
    // Row 0 has none, rows 1 to 64 one each, rows 65 to 128 two each, ...
    const std::size_t before = static_cast<std::size_t>(std::max(v, 1)) - 1;
    const std::size_t whole = before / 64, rest = before % 64;
    return 32 * whole * (whole + 1) + rest * (whole + 1);
  }

  Index size_ = 0;
  std::vector<std::uint64_t> bits_;
};

// Each triangle u > v > w is found once, at u: v and w are among the smaller neighbours of u, of
// which there are few, because hubs have the smallest ids; and w is one of v's.
class Counter {
 public:
  Counter(const SimpleGraph& graph, Threads threads)
      : graph_(graph),
        threads_(threads),
        of_node_(static_cast<std::size_t>(graph.connected_nodes())),
        smaller_(smaller_neighbours(graph, threads)),
        hubs_(graph, smaller_, threads) {}

  // Triangles that each node is in.
  std::vector<std::uint64_t> count() {
    std::atomic<Index> next = graph_.connected_nodes();
    // No more than there are blocks, so that `next` stays in its range.
    const int workers = std::clamp(threads_.count, 1, 1 + graph_.connected_nodes() / kBlock);
    parallel_blocks(threads_, workers, 1, [&](std::int64_t, std::int64_t) { work(next); });
    return std::move(of_node_);
  }

 private:
  static constexpr Index kBlock = 64;

  // What a worker has to itself; all zero between nodes.
  struct Space {
    std::vector<std::uint64_t> marks;    // the smaller neighbours of u, a bit each
    std::vector<std::uint32_t> hits;     // triangles by w
    std::vector<std::uint32_t> hits_at;  // the same by w's position among the neighbours of u
  };

  static std::vector<Index> smaller_neighbours(const SimpleGraph& graph, Threads threads) {
    std::vector<Index> out(static_cast<std::size_t>(graph.connected_nodes()));
    parallel_blocks(threads, std::ssize(out), kNodesEach, [&](auto begin, auto end) {
      for (auto v = static_cast<Index>(begin); v < end; ++v) {
        const auto row = graph.neighbours(v);
        out[v] = static_cast<Index>(std::ranges::lower_bound(row, v) - row.begin());
      }
    });
    return out;
  }

  std::span<const Index> smaller(Index v) const {
    return graph_.neighbours(v).first(static_cast<std::size_t>(smaller_[v]));
  }

  void add(Index v, std::uint64_t triangles) {
    if (triangles > 0) std::atomic_ref(of_node_[v]).fetch_add(triangles, std::memory_order_relaxed);
  }

  // From the end: nodes with few neighbours first, so that no worker is left with the longest.
  void work(std::atomic<Index>& next) {
    Space space;
    space.marks.resize((of_node_.size() + 63) / 64);
    space.hits.resize(of_node_.size());
    space.hits_at.resize(smaller_.empty() ? 0
                                          : static_cast<std::size_t>(std::ranges::max(smaller_)));
    for (Index end; (end = next.fetch_sub(kBlock)) > 0;) {
      for (Index u = std::max(0, end - kBlock); u < end; ++u) at_node(u, space);
    }
  }

  void at_node(Index u, Space& space) {
    const auto row = smaller(u);
    if (row.size() < 2) return;
    for (const Index v : row) space.marks[v >> 6] |= std::uint64_t{1} << (v & 63);
    std::uint64_t all = 0;
    for (std::size_t k = 1; k < row.size(); ++k) {
      const std::uint64_t here = common(row.first(k), row[k], space);
      add(row[k], here);
      all += here;
    }
    add(u, all);
    for (std::size_t k = 0; k < row.size(); ++k) {
      const Index w = row[k];
      space.marks[w >> 6] = 0;
      add(w, std::uint64_t{space.hits[w]} + space.hits_at[k]);
      space.hits[w] = space.hits_at[k] = 0;
    }
  }

  // How many of `before` (marked, and all below v) are neighbours of v: in the cheapest of the ways
  // that there are.
  std::uint64_t common(std::span<const Index> before, Index v, Space& space) const {
    const auto listed = static_cast<std::size_t>(smaller_[v]);
    if (v < hubs_.size()) {
      const std::uint64_t* const bits = hubs_.row(v);
      const auto words = static_cast<std::size_t>(HubBits::words(v));
      if (kTest * before.size() <= std::min(kWord * words, kMark * listed))
        return test(before, bits, space.hits_at.data());
      if (kWord * words <= kMark * listed) return join(bits, words, space);
    }
    std::uint64_t here = 0;
    for (const Index w : smaller(v)) {
      const auto hit = static_cast<std::uint32_t>(space.marks[w >> 6] >> (w & 63)) & 1u;
      here += hit;
      space.hits[w] += hit;
    }
    return here;
  }

  static std::uint64_t test(std::span<const Index> nodes, const std::uint64_t* bits,
                            std::uint32_t* hits) {
    std::uint64_t here = 0;
    for (std::size_t k = 0; k < nodes.size(); ++k) {
      const Index w = nodes[k];
      const auto hit = static_cast<std::uint32_t>(bits[w >> 6] >> (w & 63)) & 1u;
      hits[k] += hit;
      here += hit;
    }
    return here;
  }

  static std::uint64_t join(const std::uint64_t* bits, std::size_t words, Space& space) {
    std::uint64_t here = 0;
    for (std::size_t at = 0; at < words; ++at) {
      for (std::uint64_t left = bits[at] & space.marks[at]; left != 0; left &= left - 1) {
        ++space.hits[at * 64 + static_cast<std::size_t>(std::countr_zero(left))];
        ++here;
      }
    }
    return here;
  }

  // Relative costs of a bit tested, a word joined, a listed neighbour looked up.
  static constexpr std::size_t kTest = 2, kWord = 2, kMark = 2;

  const SimpleGraph& graph_;
  const Threads threads_;
  std::vector<std::uint64_t> of_node_;
  const std::vector<Index> smaller_;
  const HubBits hubs_;
};

}  // namespace

std::vector<std::uint64_t> triangles_of_nodes(const SimpleGraph& graph, Threads threads) {
  return Counter(graph, threads).count();
}

Clustering clustering(const SimpleGraph& graph, Threads threads) {
  const std::vector<std::uint64_t> triangles = triangles_of_nodes(graph, threads);
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
