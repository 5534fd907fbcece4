#include "cupel/data/stats/label_statistics.h"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <stdexcept>

namespace cupel {
namespace {

constexpr std::int64_t kNodesEach = 1 << 13;
constexpr std::int64_t kBins = 10, kFineBins = 25;

// Of some nodes: same-class neighbours / neighbours, of which there is at least one.
class ShareCounts {
 public:
  explicit ShareCounts(std::int64_t bins) : bins_(static_cast<std::size_t>(bins)) {}
  void add(std::int64_t same, std::int64_t neighbours) {
    const std::int64_t bins = std::ssize(bins_);
    ++bins_[static_cast<std::size_t>(std::min(bins - 1, same * bins / neighbours))];
    sum_ += static_cast<double>(same) / static_cast<double>(neighbours);
    ++nodes_;
    none_ += same == 0;
    all_ += same == neighbours;
  }
  const std::vector<std::int64_t>& bins() const { return bins_; }
  double sum() const { return sum_; }
  std::int64_t nodes() const { return nodes_; }
  std::int64_t none() const { return none_; }
  std::int64_t all() const { return all_; }

 private:
  std::vector<std::int64_t> bins_;
  double sum_ = 0;
  std::int64_t nodes_ = 0, none_ = 0, all_ = 0;
};

void join(std::vector<std::int64_t>& to, const std::vector<std::int64_t>& more) {
  to.resize(more.size());
  for (std::size_t bin = 0; bin < more.size(); ++bin) to[bin] += more[bin];
}

// -x log x, continued to 0.
double surprise(double x) { return x > 0 ? -x * std::log(x) : 0; }

class Counter {
 public:
  Counter(const SimpleGraph& graph, std::span<const Index> labels, Index classes, Threads threads)
      : graph_(graph), threads_(threads), label_(labels.size()), classes_(classes) {
    for (std::size_t v = 0; v < label_.size(); ++v) {
      label_[v] = labels[static_cast<std::size_t>(graph.original()[v])];
      if (label_[v] < 0 || label_[v] >= classes) throw std::logic_error("a label has no class");
    }
  }

  LabelStatistics count() {
    LabelStatistics out;
    out.class_sizes.assign(static_cast<std::size_t>(classes_), 0);
    for (const Index label : label_) ++out.class_sizes[label];
    shares(out);
    if (graph_.entries() == 0) return out;
    const double ends = static_cast<double>(graph_.entries());
    ends_of_classes();

    std::int64_t within = 0;
    for (const std::int64_t count : same_ends_) within += count;
    const double h = static_cast<double>(within) / ends;
    out.edge_homophily = h;

    double squares = 0, entropy = 0, excess = 0;
    Index used = 0;
    for (Index k = 0; k < classes_; ++k) {
      const double share = static_cast<double>(ends_[k]) / ends;
      squares += share * share;
      entropy += surprise(share);
      used += out.class_sizes[k] > 0;
      if (ends_[k] == 0) continue;
      const double own = static_cast<double>(same_ends_[k]) / static_cast<double>(ends_[k]);
      excess += std::max(0.0, own - static_cast<double>(out.class_sizes[k]) / graph_.nodes());
    }
    if (used > 1) out.class_homophily = excess / (used - 1);
    // Counted, not compared as sums: where one class has all ends, rounding must not decide.
    if (std::ranges::count_if(ends_, [](std::int64_t n) { return n > 0; }) < 2) return out;
    out.adjusted_homophily = (h - squares) / (1 - squares);
    // I = 2 H(class of an end) - H(classes of both ends), never below 0 but for rounding.
    out.label_informativeness = std::max(0.0, 2 - joint_entropy(ends) / entropy);
    return out;
  }

 private:
  // Node by node: shares of same-class neighbours. Sums are of blocks of nodes, in their order.
  void shares(LabelStatistics& out) {
    struct Block {
      ShareCounts coarse{kBins}, fine{kFineBins}, with_loops{kFineBins};
    };
    const Index nodes = graph_.nodes();
    std::vector<Block> blocks(static_cast<std::size_t>((nodes + kNodesEach - 1) / kNodesEach));
    parallel_blocks(threads_, nodes, kNodesEach, [&](std::int64_t begin, std::int64_t end) {
      Block& own = blocks[static_cast<std::size_t>(begin / kNodesEach)];
      for (auto v = static_cast<Index>(begin); v < end; ++v) {
        std::int64_t same = 0;
        for (const Index w : graph_.neighbours(v)) same += label_[w] == label_[v];
        const std::int64_t degree = graph_.degree(v), loop = graph_.has_loop(v);
        if (degree > 0) own.coarse.add(same, degree);
        if (degree > 0) own.fine.add(same, degree);
        if (degree + loop > 0) own.with_loops.add(same + loop, degree + loop);
      }
    });
    out.same_class_share.assign(kBins, 0);
    for (const Block& block : blocks) {
      join(out.same_class_share, block.coarse.bins());
      out.none_of_same_class += block.coarse.none();
      out.all_of_same_class += block.coarse.all();
    }
    const auto total = [&](SameClassShares& to, ShareCounts Block::*which) {
      to.bins.assign(kFineBins, 0);
      double sum = 0;
      for (const Block& block : blocks) {
        join(to.bins, (block.*which).bins());
        to.nodes += (block.*which).nodes();
        sum += (block.*which).sum();
      }
      to.left_out = nodes - to.nodes;
      if (to.nodes > 0) to.mean = sum / static_cast<double>(to.nodes);
    };
    total(out.shares, &Block::fine);
    total(out.shares_with_loops, &Block::with_loops);
    out.node_homophily = out.shares.mean;
  }

  // ends_, same_ends_ and, class after class, how often each other class is at the far end.
  void ends_of_classes() {
    const auto classes = static_cast<std::size_t>(classes_);
    ends_.assign(classes, 0);
    same_ends_.assign(classes, 0);
    std::vector<Index> members(static_cast<std::size_t>(graph_.connected_nodes()));
    std::vector<std::size_t> start(classes + 1);
    for (std::size_t v = 0; v < members.size(); ++v) ++start[label_[v] + 1];
    for (std::size_t k = 0; k < classes; ++k) start[k + 1] += start[k];
    auto next = start;
    for (std::size_t v = 0; v < members.size(); ++v)
      members[next[label_[v]]++] = static_cast<Index>(v);

    std::vector<std::int64_t> far(classes);
    std::vector<Index> touched;
    for (std::size_t k = 0; k < classes; ++k) {
      count_far_ends({members.data() + start[k], start[k + 1] - start[k]}, far, touched);
      std::ranges::sort(touched);
      for (const Index other : touched) {
        ends_[k] += far[other];
        pairs_.push_back(far[other]);
        if (other == static_cast<Index>(k)) same_ends_[k] = far[other];
        far[other] = 0;
      }
      touched.clear();
    }
  }

  void count_far_ends(std::span<const Index> nodes, std::vector<std::int64_t>& far,
                      std::vector<Index>& touched) {
    const auto count = [&](std::span<const Index> some, auto& into, auto& found) {
      for (const Index v : some) {
        for (const Index w : graph_.neighbours(v)) {
          if (into[label_[w]]++ == 0) found.push_back(label_[w]);
        }
      }
    };
    if (threads_.count <= 1 || std::ssize(nodes) < kNodesEach) {
      count(nodes, far, touched);
      return;
    }
    std::mutex mutex;
    parallel_blocks(threads_, std::ssize(nodes), kNodesEach, [&](auto begin, auto end) {
      std::vector<std::int64_t> own(far.size());
      std::vector<Index> found;
      count(nodes.subspan(begin, end - begin), own, found);
      const std::lock_guard lock(mutex);
      for (const Index other : found) {
        if (far[other] == 0) touched.push_back(other);
        far[other] += own[other];
      }
    });
  }

  double joint_entropy(double ends) const {
    double sum = 0;
    for (const std::int64_t count : pairs_) sum += surprise(static_cast<double>(count) / ends);
    return sum;
  }

  const SimpleGraph& graph_;
  const Threads threads_;
  std::vector<Index> label_;  // by the graph's numbering
  const Index classes_;
  std::vector<std::int64_t> ends_, same_ends_;  // per class: all, those that lead to the class
  std::vector<std::int64_t> pairs_;             // of each pair of classes that occurs, in order
};

}  // namespace

std::optional<LabelStatistics> label_statistics(const SimpleGraph& graph,
                                                std::span<const Index> labels, Index classes,
                                                Threads threads) {
  if (labels.empty() && graph.nodes() > 0) return std::nullopt;
  if (std::ssize(labels) != graph.nodes()) throw std::logic_error("one label per node is needed");
  return Counter(graph, labels, classes, threads).count();
}

}  // namespace cupel
