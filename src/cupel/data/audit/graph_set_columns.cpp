#include "cupel/data/audit/graph_set_columns.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include <fmt/format.h>

#include "cupel/data/graph/graph.h"

namespace cupel {
namespace {

constexpr Index kFolds = 10;

std::vector<double> component_counts(const Dataset& data) {
  const std::vector<Index>& start = data.graphs->start;
  const Components components = connected_components(data.adjacency);
  std::vector<double> out;
  // Numbered by their smallest node: those of a graph are consecutive.
  for (Index g = 0; g < data.graphs->size(); ++g) {
    Index most = -1, least = std::numeric_limits<Index>::max();
    for (Index i = start[g]; i < start[g + 1]; ++i) {
      most = std::max(most, components.of_node[static_cast<std::size_t>(i)]);
      least = std::min(least, components.of_node[static_cast<std::size_t>(i)]);
    }
    out.push_back(most < 0 ? 0 : most - least + 1);
  }
  return out;
}

// Sums of columns over the nodes of each graph.
std::vector<std::vector<double>> sums(const Features& features, const std::vector<Index>& start) {
  const Index columns = std::min(feature_count(features), kMostColumns);
  const std::size_t graphs = start.size() - 1;
  std::vector<std::vector<double>> out(static_cast<std::size_t>(columns),
                                       std::vector<double>(graphs, 0));
  for (std::size_t g = 0; g < graphs; ++g) {
    for (Index i = start[g]; i < start[g + 1]; ++i) {
      if (const auto* sparse = std::get_if<Csr>(&features)) {
        for (Offset at = sparse->row_ptr[i]; at < sparse->row_ptr[i + 1]; ++at) {
          const Index c = sparse->columns[static_cast<std::size_t>(at)];
          if (c < columns) out[static_cast<std::size_t>(c)][g] += sparse->value(at);
        }
      } else {
        const auto& dense = std::get<Matrix>(features);
        for (Index c = 0; c < columns; ++c)
          out[static_cast<std::size_t>(c)][g] += static_cast<double>(dense(i, c));
      }
    }
  }
  return out;
}

// A decision tree on one number. Ids of graphs, ascending by value.
class Tree {
 public:
  Tree(const std::vector<double>& values, const std::vector<Index>& labels, Index classes,
       std::span<const Index> order)
      : values_(values),
        labels_(labels),
        classes_(static_cast<std::size_t>(classes)),
        order_(order) {
    leaves_ = {leaf(0, order.size())};
    while (leaves_.size() < classes_) {
      const auto best =
          std::max_element(leaves_.begin(), leaves_.end(),
                           [](const Leaf& a, const Leaf& b) { return a.gain < b.gain; });
      if (best->gain <= 0) break;
      const Leaf parent = *best;
      *best = leaf(parent.from, parent.cut);
      leaves_.insert(best + 1, leaf(parent.cut, parent.to));
    }
    for (std::size_t k = 0; k + 1 < leaves_.size(); ++k)
      thresholds_.push_back((value(leaves_[k].to - 1) + value(leaves_[k].to)) / 2);
  }

  Index answer(double x) const {
    std::size_t k = 0;
    while (k < thresholds_.size() && x > thresholds_[k]) ++k;
    return leaves_[k].answer;
  }
  const std::vector<double>& thresholds() const { return thresholds_; }

 private:
  struct Leaf {
    std::size_t from = 0, to = 0, cut = 0;
    double gain = 0;  // of the best cut
    Index answer = 0;
  };

  double value(std::size_t k) const { return values_[static_cast<std::size_t>(order_[k])]; }

  Leaf leaf(std::size_t from, std::size_t to) const {
    Leaf out{from, to};
    std::vector<double> below(classes_, 0), above(classes_, 0);
    for (std::size_t k = from; k < to; ++k) above[label(k)] += 1;
    out.answer = static_cast<Index>(std::max_element(above.begin(), above.end()) - above.begin());
    double below2 = 0, above2 = 0;  // sums of squares
    for (const double n : above) above2 += n * n;
    const double whole = above2 / static_cast<double>(to - from);
    for (std::size_t k = from; k + 1 < to; ++k) {
      double &b = below[label(k)], &a = above[label(k)];
      below2 += 2 * b + 1, above2 -= 2 * a - 1;
      b += 1, a -= 1;
      if (value(k) == value(k + 1)) continue;
      const double gain = below2 / static_cast<double>(k + 1 - from) +
                          above2 / static_cast<double>(to - k - 1) - whole;
      if (gain <= out.gain + 1e-9) continue;
      out.gain = gain;
      out.cut = k + 1;
    }
    return out;
  }

  std::size_t label(std::size_t k) const {
    return static_cast<std::size_t>(labels_[static_cast<std::size_t>(order_[k])]);
  }

  const std::vector<double>& values_;
  const std::vector<Index>& labels_;
  std::size_t classes_;
  std::span<const Index> order_;
  std::vector<Leaf> leaves_;
  std::vector<double> thresholds_;
};

void judge_area(const std::vector<double>& values, const std::vector<Index>& labels,
                std::span<const Index> order, std::size_t classes, OneNumber& out) {
  std::vector<double> rank_sum(classes, 0), size(classes, 0);
  for (std::size_t from = 0, to = 0; from < order.size(); from = to) {
    const double value = values[static_cast<std::size_t>(order[from])];
    while (to < order.size() && values[static_cast<std::size_t>(order[to])] == value) ++to;
    const double rank = static_cast<double>(from + to + 1) / 2;
    for (std::size_t k = from; k < to; ++k) {
      const auto c = static_cast<std::size_t>(labels[static_cast<std::size_t>(order[k])]);
      rank_sum[c] += rank;
      size[c] += 1;
    }
  }
  const auto n = static_cast<double>(order.size());
  for (std::size_t c = 0; c < classes; ++c) {
    if (size[c] == 0 || size[c] == n) continue;
    const double pairs = size[c] * (n - size[c]);
    double area = (rank_sum[c] - size[c] * (size[c] + 1) / 2) / pairs;
    area = std::max(area, 1 - area);
    const double z = (area - 0.5) / std::sqrt((n + 1) / (12 * pairs));
    if (area <= out.area) continue;
    out.area = area;
    out.area_z = z;
    out.area_class = static_cast<Index>(c);
  }
}

}  // namespace

std::vector<GraphColumn> graph_columns(const Dataset& data) {
  const GraphSet& set = *data.graphs;
  std::vector<GraphColumn> out(4);
  out[0].name = "nodes";
  out[1].name = "edges";
  out[2].name = "mean degree";
  out[3] = {"components", component_counts(data)};
  std::vector<double> sizes;
  for (Index g = 0; g < set.size(); ++g) {
    const double nodes = set.start[g + 1] - set.start[g];
    const auto arcs = static_cast<double>(data.adjacency.row_ptr[set.start[g + 1]] -
                                          data.adjacency.row_ptr[set.start[g]]);
    sizes.push_back(nodes);
    out[1].values.push_back(arcs / 2);
    out[2].values.push_back(nodes > 0 ? arcs / nodes : 0);
  }
  Index column = 0;
  for (auto& sum : sums(data.features, set.start))
    out.push_back({fmt::format("nodes of label column {}", column++), std::move(sum)});
  column = 0;
  for (auto& sum : sums(Features(set.node_attributes), set.start)) {
    for (std::size_t g = 0; g < sum.size(); ++g) sum[g] = sizes[g] > 0 ? sum[g] / sizes[g] : 0;
    out.push_back({fmt::format("mean of node attribute {}", column++), std::move(sum)});
  }
  out[0].values = std::move(sizes);
  return out;
}

OneNumber judge_one_number(const std::vector<double>& values, const std::vector<Index>& labels,
                           Index classes) {
  OneNumber out;
  std::vector<Index> order(values.size()), fold(values.size());
  for (std::size_t k = 0; k < order.size(); ++k) order[k] = static_cast<Index>(k);
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) {
    return values[static_cast<std::size_t>(a)] < values[static_cast<std::size_t>(b)];
  });
  std::vector<Index> seen(static_cast<std::size_t>(classes), 0);
  for (std::size_t k = 0; k < fold.size(); ++k)
    fold[k] = seen[static_cast<std::size_t>(labels[k])]++ % kFolds;

  std::size_t right = 0;
  std::vector<Index> train;
  for (Index f = 0; f < kFolds; ++f) {
    train.clear();
    std::copy_if(order.begin(), order.end(), std::back_inserter(train),
                 [&](Index k) { return fold[static_cast<std::size_t>(k)] != f; });
    if (train.empty()) continue;
    const Tree tree(values, labels, classes, train);
    for (std::size_t k = 0; k < fold.size(); ++k)
      right += fold[k] == f && tree.answer(values[k]) == labels[k];
  }
  if (!values.empty()) {
    out.accuracy = static_cast<double>(right) / static_cast<double>(values.size());
    out.thresholds = Tree(values, labels, classes, order).thresholds();
  }
  judge_area(values, labels, order, static_cast<std::size_t>(classes), out);
  return out;
}

}  // namespace cupel
