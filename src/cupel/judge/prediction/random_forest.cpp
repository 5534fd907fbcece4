#include "cupel/judge/prediction/random_forest.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <optional>
#include <utility>

#include "cupel/base/error.h"
#include "cupel/base/shuffle.h"

namespace cupel {
namespace {

constexpr std::uint32_t kTreePurpose = 0x74726565;  // "tree"

// Of a node's sum of squared errors. What a split takes from it is known better than that.
constexpr double kRounding = 1e-12;

struct TreeSplit {
  int feature = 0;
  double threshold = 0;
  double gain = 0;  // by how much the sum of squared errors falls
};

// Samples order_[begin, end) of a node.
struct NodePart {
  std::size_t node = 0, begin = 0, end = 0;
};

class TreeGrower {
 public:
  TreeGrower(std::span<const std::vector<double>> x, std::span<const double> y,
             const ForestSettings& settings, Stream stream)
      : x_(x),
        y_(y),
        visited_(settings.features_per_node > 0
                     ? static_cast<std::size_t>(settings.features_per_node)
                     : x[0].size()),
        min_leaf_(static_cast<std::size_t>(settings.min_leaf)),
        stream_(stream),
        weight_(x.size(), settings.bootstrap ? 0 : 1),
        features_(x[0].size()) {
    const auto size = static_cast<std::uint32_t>(x.size());
    for (std::uint32_t i = 0; settings.bootstrap && i < size; ++i)
      ++weight_[stream_.next_below(size)];
    for (std::uint32_t i = 0; i < size; ++i)
      if (weight_[i] > 0) order_.push_back(i);
    std::iota(features_.begin(), features_.end(), 0);
  }

  RegressionTree grow() {
    RegressionTree tree(1);
    std::vector<NodePart> open = {{0, 0, order_.size()}};
    while (!open.empty()) {
      const NodePart part = open.back();
      open.pop_back();
      measure(part);
      tree[part.node].value = mean_;
      const auto split = best_split(part);
      if (!split) continue;
      const std::size_t left = tree.size();
      tree[part.node] = {split->feature, split->threshold, left, mean_};
      tree.resize(left + 2);
      const std::size_t middle = divide(part, *split);
      open.push_back({left + 1, middle, part.end});
      open.push_back({left, part.begin, middle});
    }
    return tree;
  }

 private:
  double value(std::uint32_t sample, int feature) const {
    return x_[sample][static_cast<std::size_t>(feature)];
  }

  std::span<const std::uint32_t> samples(const NodePart& part) const {
    return std::span(order_).subspan(part.begin, part.end - part.begin);
  }

  void measure(const NodePart& part) {
    total_ = mean_ = error_ = 0;
    for (const std::uint32_t i : samples(part)) {
      total_ += weight_[i];
      mean_ += weight_[i] * y_[i];
    }
    mean_ /= total_;
    for (const std::uint32_t i : samples(part))
      error_ += weight_[i] * (y_[i] - mean_) * (y_[i] - mean_);
  }

  std::optional<TreeSplit> best_split(const NodePart& part) {
    const auto own = samples(part);
    const double first = y_[own[0]];
    if (std::ranges::all_of(own, [&](std::uint32_t i) { return y_[i] == first; }))
      return std::nullopt;
    shuffle(features_, stream_);
    std::optional<TreeSplit> best;
    bool varies = false;
    for (std::size_t f = 0; f < features_.size() && (f < visited_ || !varies); ++f)
      varies |= try_feature(features_[f], own, best);
    return best;
  }

  // Whether it has two values at least. With deviations from the mean of the node, which sum to 0,
  // a split with the sum s on its left takes s^2 / left + s^2 / right from the error.
  bool try_feature(int feature, std::span<const std::uint32_t> own,
                   std::optional<TreeSplit>& best) {
    sorted_.clear();
    for (const std::uint32_t i : own) sorted_.emplace_back(value(i, feature), i);
    // Equal values by number, so that sums have one order whatever the library sorts with.
    std::sort(sorted_.begin(), sorted_.end());
    double left = 0, sum = 0;
    for (std::size_t at = 1; at < sorted_.size(); ++at) {
      const auto [low, i] = sorted_[at - 1];
      const double high = sorted_[at].first;
      left += weight_[i];
      sum += weight_[i] * (y_[i] - mean_);
      if (low == high || at < min_leaf_ || sorted_.size() - at < min_leaf_) continue;
      const double gain = sum * sum * total_ / (left * (total_ - left));
      if (best && gain <= best->gain + kRounding * error_) continue;
      const double middle = std::midpoint(low, high);
      best = {feature, middle < high ? middle : low, gain};
    }
    return sorted_.front().first != sorted_.back().first;
  }

  // Where the right part begins.
  std::size_t divide(const NodePart& part, const TreeSplit& split) {
    const auto begin = order_.begin();
    const auto middle = std::stable_partition(
        begin + static_cast<std::ptrdiff_t>(part.begin),
        begin + static_cast<std::ptrdiff_t>(part.end),
        [&](std::uint32_t i) { return value(i, split.feature) <= split.threshold; });
    return static_cast<std::size_t>(middle - begin);
  }

  std::span<const std::vector<double>> x_;
  std::span<const double> y_;
  std::size_t visited_, min_leaf_;
  Stream stream_;
  std::vector<double> weight_;        // how often a sample was drawn
  std::vector<std::uint32_t> order_;  // samples that were drawn, those of a node together
  std::vector<int> features_;
  std::vector<std::pair<double, std::uint32_t>> sorted_;
  double total_ = 0, mean_ = 0, error_ = 0;  // of a node: weight, mean target, squared errors
};

void check(std::span<const std::vector<double>> x, std::span<const double> y,
           const ForestSettings& settings) {
  if (x.empty() || x[0].empty())
    fail("random forest: there are no {} to learn from; give one at least",
         x.empty() ? "samples" : "features");
  if (x.size() != y.size())
    fail("random forest: {} samples have {} targets; give each its own", x.size(), y.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (x[i].size() != x[0].size())
      fail("random forest: sample {} has {} features, and sample 0 has {}; give all the same", i,
           x[i].size(), x[0].size());
    for (std::size_t f = 0; f < x[i].size(); ++f)
      if (!std::isfinite(x[i][f]))
        fail("random forest: feature {} of sample {} is {}; leave the sample out", f, i, x[i][f]);
    if (!std::isfinite(y[i]))
      fail("random forest: the target of sample {} is {}; leave the sample out", i, y[i]);
  }
  if (settings.trees < 1 || settings.min_leaf < 1)
    fail("random forest: {} trees with leaves of {} samples; both are 1 or more", settings.trees,
         settings.min_leaf);
  if (settings.features_per_node < 0 || std::cmp_greater(settings.features_per_node, x[0].size()))
    fail("random forest: a node cannot visit {} of {} features; take 0 for all",
         settings.features_per_node, x[0].size());
}

}  // namespace

RandomForest::RandomForest(std::span<const std::vector<double>> x, std::span<const double> y,
                           const ForestSettings& settings, StreamKey key, Threads threads) {
  check(x, y, settings);
  features_ = x[0].size();
  trees_.resize(static_cast<std::size_t>(settings.trees));
  parallel_blocks(threads, settings.trees, 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t t = begin; t < end; ++t) {
      const Stream stream(key, kTreePurpose, static_cast<std::uint32_t>(t));
      trees_[static_cast<std::size_t>(t)] = TreeGrower(x, y, settings, stream).grow();
    }
  });
}

double RandomForest::predict(std::span<const double> row) const {
  if (row.size() != features_)
    fail("random forest: a sample has {} features, and those learnt from have {}", row.size(),
         features_);
  for (std::size_t f = 0; f < row.size(); ++f)
    if (!std::isfinite(row[f]))
      fail("random forest: feature {} of a sample is {}; leave the sample out", f, row[f]);
  double sum = 0;
  for (const RegressionTree& tree : trees_) {
    const TreeNode* node = tree.data();
    while (node->feature >= 0) {
      const bool left = row[static_cast<std::size_t>(node->feature)] <= node->threshold;
      node = &tree[node->left + (left ? 0 : 1)];
    }
    sum += node->value;
  }
  return sum / static_cast<double>(trees_.size());
}

}  // namespace cupel
