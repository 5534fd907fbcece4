#include "cupel/data/stats/diameter.h"

#include <algorithm>
#include <limits>
#include <mutex>
#include <tuple>
#include <vector>

#include "cupel/data/stats/bfs.h"
#include "cupel/data/stats/multi_bfs.h"

namespace cupel {
namespace {

constexpr std::int64_t kNodesEach = 1 << 14;
constexpr Index kUnknown = std::numeric_limits<Index>::max() / 2;
constexpr int kSearchesFirst = 12;     // before many sources are searched together
constexpr Index kManyNodes = 1 << 19;  // above, 64 sources at a time: 24 bytes per node

class Bounds {
 public:
  Bounds(const SimpleGraph& graph, const ComponentSizes& components, Threads threads)
      : graph_(graph),
        threads_(threads),
        root_(components.root),
        component_(components.root_of_largest),
        bfs_(graph, threads),
        lower_(static_cast<std::size_t>(graph.connected_nodes())),
        upper_(lower_.size(), kUnknown) {}

  Diameter narrow(const std::function<bool()>& stop) {
    Index next = component_;  // its smallest id: among its hubs
    for (int searches = 0;; ++searches) {
      const Index before = open_;
      search(next);
      if (found_.exact() || stop()) return found_;
      const bool stuck = searches >= kSearchesFirst && before - open_ < 64;
      if (stuck || (searches >= kSearchesFirst && open_ <= 64)) {
        search_many(stop);
        if (found_.exact() || stop()) return found_;
      }
      next = searches % 2 == 0 || nearest_ < 0 ? farthest_ : nearest_;
    }
  }

 private:
  bool inside(Index v) const { return root_[v] == component_; }

  void search(Index source) {
    const Index ecc = bfs_.run(source);
    found_.lower = std::max(found_.lower, ecc);
    found_.upper = std::min(found_.upper, 2 * ecc);
    const std::vector<Index>& distance = bfs_.distance();
    parallel_blocks(threads_, std::ssize(lower_), kNodesEach, [&](auto begin, auto end) {
      for (auto v = begin; v < end; ++v) {
        const Index d = distance[v];
        if (d < 0) continue;
        lower_[v] = std::max({lower_[v], d, ecc - d});
        upper_[v] = std::min(upper_[v], ecc + d);
      }
    });
    lower_[source] = upper_[source] = ecc;
    look();
  }

  // What is left open, and where to search next: the open node of the largest upper bound (it may
  // raise the lower bound of the diameter) and, open or not, the one of the smallest lower bound
  // that is not known (it is central, and may bring all upper bounds down). Ties go to hubs.
  void look() {
    struct Pick {
      Index open = 0, most = -1, farthest = -1, least = kUnknown, nearest = -1;
    };
    Pick all;
    std::mutex mutex;
    parallel_blocks(threads_, std::ssize(lower_), kNodesEach, [&](auto begin, auto end) {
      Pick own;
      for (auto v = static_cast<Index>(begin); v < end; ++v) {
        if (!inside(v)) continue;
        if (lower_[v] < std::min(upper_[v], own.least)) own.least = lower_[v], own.nearest = v;
        if (upper_[v] <= found_.lower) continue;
        ++own.open;
        if (upper_[v] > own.most) own.most = upper_[v], own.farthest = v;
      }
      const std::lock_guard lock(mutex);
      all.open += own.open;
      if (own.most > all.most || (own.most == all.most && own.farthest < all.farthest))
        all.most = own.most, all.farthest = own.farthest;
      if (own.least < all.least || (own.least == all.least && own.nearest < all.nearest))
        all.least = own.least, all.nearest = own.nearest;
    });
    open_ = all.open;
    farthest_ = all.farthest;
    nearest_ = all.nearest;
    found_.upper = open_ == 0 ? found_.lower : std::min(found_.upper, all.most);
  }

  // Searches the open nodes of the largest upper bounds together.
  void search_many(const std::function<bool()>& stop) {
    if (graph_.connected_nodes() > kManyNodes) {
      search_batch<1>(stop);
    } else {
      search_batch<8>(stop);
    }
  }

  template <int kWords>
  void search_batch(const std::function<bool()>& stop) {
    std::vector<Index> open;
    for (Index v = 0; v < std::ssize(lower_); ++v) {
      if (inside(v) && upper_[v] > found_.lower) open.push_back(v);
    }
    const auto count = std::min<std::ptrdiff_t>(std::ssize(open), MultiBfs<kWords>::kSources);
    std::partial_sort(open.begin(), open.begin() + count, open.end(), [&](Index a, Index b) {
      return std::tie(upper_[b], a) < std::tie(upper_[a], b);
    });
    open.resize(static_cast<std::size_t>(count));
    MultiBfs<kWords> search(graph_, threads_, [&](Index v) { return inside(v); });
    SourceDistances result;
    if (!search.run(open, stop, result)) return;
    for (std::size_t k = 0; k < open.size(); ++k) {
      const Index ecc = result.eccentricity[k];
      lower_[open[k]] = upper_[open[k]] = ecc;
      found_.lower = std::max(found_.lower, ecc);
      found_.upper = std::min(found_.upper, 2 * ecc);
    }
    look();
  }

  const SimpleGraph& graph_;
  const Threads threads_;
  const std::vector<Index>& root_;
  const Index component_;
  Bfs bfs_;
  std::vector<Index> lower_, upper_;  // of each node's eccentricity
  Diameter found_{0, kUnknown};
  Index open_ = kUnknown, farthest_ = -1, nearest_ = -1;
};

}  // namespace

Diameter diameter_bounds(const SimpleGraph& graph, const ComponentSizes& components,
                         Threads threads, const std::function<bool()>& stop) {
  return Bounds(graph, components, threads).narrow(stop);
}

}  // namespace cupel
