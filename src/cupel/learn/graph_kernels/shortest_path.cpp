#include "cupel/learn/graph_kernels/shortest_path.h"

#include <algorithm>
#include <array>
#include <bit>
#include <unordered_map>

#include "cupel/base/error.h"

namespace cupel {

namespace {

constexpr Index kTogether = 64;  // sources of one search, one bit each

struct Path {
  Index from, to, length;  // labels of the ends
  friend bool operator==(const Path&, const Path&) = default;
};
struct PathHash {
  std::size_t operator()(const Path& p) const {
    std::uint64_t h = static_cast<std::uint64_t>(p.from) * 0x9E3779B97F4A7C15u;
    h = (h ^ (h >> 29) ^ static_cast<std::uint64_t>(p.to)) * 0xBF58476D1CE4E5B9u;
    h = (h ^ (h >> 29) ^ static_cast<std::uint64_t>(p.length)) * 0x94D049BB133111EBu;
    return static_cast<std::size_t>(h ^ (h >> 32));
  }
};
using PathCounts = std::vector<std::pair<Path, double>>;

// Searches from 64 nodes of a graph at once (Then et al., "The more the merrier", VLDB 2014).
class Search {
 public:
  Search(const LabelledGraphs& graphs, const RunLimits& limits)
      : graphs_(graphs), limits_(limits) {}

  PathCounts count(Index g) {
    begin_ = graphs_.start[g];
    const Index nodes = graphs_.start[g + 1] - begin_;
    // Sources with the same label next to each other: few labels in each search.
    order_.resize(static_cast<std::size_t>(nodes));
    for (Index i = 0; i < nodes; ++i) order_[i] = begin_ + i;
    if (!graphs_.node_labels.empty())
      std::stable_sort(order_.begin(), order_.end(),
                       [&](Index a, Index b) { return graphs_.label(a) < graphs_.label(b); });
    for (auto* bits : {&seen_, &now_, &next_}) bits->assign(static_cast<std::size_t>(nodes), 0);
    found_.clear();
    for (Index from = 0; from < nodes; from += kTogether) {
      limits_.check();
      search(from, std::min(nodes, from + kTogether));
    }
    PathCounts out(found_.begin(), found_.end());
    std::sort(out.begin(), out.end(), [](const auto& a, const auto& b) {
      return std::array{a.first.length, a.first.from, a.first.to} <
             std::array{b.first.length, b.first.from, b.first.to};
    });
    return out;
  }

 private:
  void search(Index from, Index to) {
    std::fill(seen_.begin(), seen_.end(), 0);
    sources_.clear();
    active_.clear();
    for (Index i = from; i < to; ++i) {
      const Index node = order_[i], label = graphs_.label(node);
      const std::uint64_t bit = std::uint64_t{1} << (i - from);
      seen_[node - begin_] = now_[node - begin_] = bit;
      active_.push_back(node - begin_);
      if (sources_.empty() || sources_.back().first != label) sources_.emplace_back(label, 0);
      sources_.back().second |= bit;
    }
    for (Index length = 1; !active_.empty(); ++length) {
      reached_.clear();
      for (const Index node : active_) {
        const std::uint64_t here = now_[node];
        now_[node] = 0;
        for (const Index to_node : graphs_.adjacency.row_columns(begin_ + node)) {
          const Index neighbour = to_node - begin_;
          const std::uint64_t fresh = here & ~seen_[neighbour];
          if (fresh == 0) continue;
          if (next_[neighbour] == 0) reached_.push_back(neighbour);
          next_[neighbour] |= fresh;
        }
      }
      for (const Index node : reached_) {
        seen_[node] |= next_[node];
        now_[node] = next_[node];
        next_[node] = 0;
        add(node, length);
      }
      active_.swap(reached_);
      flush(length);
    }
  }

  // Without labels a length is summed up before it is looked up.
  void add(Index node, Index length) {
    if (graphs_.node_labels.empty()) {
      pairs_ += std::popcount(now_[node]);
      return;
    }
    const Index label = graphs_.label(begin_ + node);
    for (const auto& [from, bits] : sources_)
      if (const int pairs = std::popcount(now_[node] & bits); pairs > 0)
        found_[{from, label, length}] += pairs;
  }
  void flush(Index length) {
    if (pairs_ > 0) found_[{0, 0, length}] += static_cast<double>(pairs_);
    pairs_ = 0;
  }

  const LabelledGraphs& graphs_;
  const RunLimits& limits_;
  Index begin_ = 0;
  std::vector<Index> order_, active_, reached_;
  std::vector<std::uint64_t> seen_, now_, next_;  // by node of the graph: who reached it, and when
  std::vector<std::pair<Index, std::uint64_t>> sources_;  // labels, and which sources have them
  std::int64_t pairs_ = 0;
  std::unordered_map<Path, double, PathHash> found_;
};

}  // namespace

Histograms sp_histograms(const LabelledGraphs& graphs, Threads threads, const RunLimits& limits) {
  std::vector<PathCounts> found(static_cast<std::size_t>(graphs.size()));
  parallel_blocks(threads, graphs.size(), 8, [&](std::int64_t begin, std::int64_t end) {
    Search search(graphs, limits);
    for (auto g = begin; g < end; ++g) {
      found[static_cast<std::size_t>(g)] = search.count(static_cast<Index>(g));
    }
  });
  Histograms out;
  std::unordered_map<Path, Index, PathHash> numbers;
  for (const PathCounts& counts : found) {
    for (const auto& [path, count] : counts) {
      out.ids.push_back(
          numbers.try_emplace(path, static_cast<Index>(numbers.size())).first->second);
      out.counts.push_back(count);
    }
    out.start.push_back(static_cast<Offset>(out.ids.size()));
  }
  out.features = static_cast<Index>(numbers.size());
  return out;
}

double sp_operations(const LabelledGraphs& graphs) {
  double sum = 0;
  for (Index g = 0; g < graphs.size(); ++g) {
    const Index begin = graphs.start[g], end = graphs.start[g + 1];
    const auto arcs = graphs.adjacency.row_ptr[end] - graphs.adjacency.row_ptr[begin];
    // Each source reaches each arc once, however many go together.
    sum += static_cast<double>(end - begin) * static_cast<double>(end - begin + arcs);
  }
  return sum;
}

void refuse_large_sp(const std::string& who, const LabelledGraphs& graphs, double limit) {
  constexpr double kRate = 5e8;  // measured: 4e8 to 3e9
  const double operations = sp_operations(graphs);
  if (operations > limit)
    fail(
        "{}: the shortest paths between all nodes of each graph need up to {:.1e} operations, "
        "about {}, and more than {:.0e} are refused; leave out the largest graphs or use wl-svm",
        who, operations, rough_time(operations, kRate), limit);
}

}  // namespace cupel
