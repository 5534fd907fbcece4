#include "cupel/learn/graph_kernels/weisfeiler_lehman.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "cupel/base/error.h"
#include "cupel/base/sort_unique.h"

namespace cupel {

namespace {

// Numbers labels densely, in the order of first occurrence.
Index compress(std::vector<Index>& labels) {
  std::vector<Index> values = labels;
  sort_unique(values);
  std::vector<Index> number(values.size(), -1);
  Index next = 0;
  for (Index& label : labels) {
    const auto at = std::lower_bound(values.begin(), values.end(), label) - values.begin();
    if (number[at] < 0) number[at] = next++;
    label = number[at];
  }
  return next;
}

class Relabelling {
 public:
  explicit Relabelling(const Csr& adjacency)
      : adjacency_(adjacency),
        arcs_(adjacency.columns.size()),
        place_(static_cast<std::size_t>(adjacency.rows)) {
    std::size_t slots = 16;
    while (slots < 2 * place_.size()) slots *= 2;
    table_.resize(slots);
  }

  // Labels in [0, count) to those of the next level; returns how many there are.
  Index next(std::vector<Index>& labels, Index count) {
    gather(labels, count);
    std::fill(table_.begin(), table_.end(), -1);
    next_.resize(labels.size());
    Index found = 0;
    for (Index v = 0; v < adjacency_.rows; ++v) {
      std::size_t slot = hash(labels, v) & (table_.size() - 1);
      while (table_[slot] >= 0 && !same(labels, table_[slot], v))
        slot = (slot + 1) & (table_.size() - 1);
      if (table_[slot] < 0) {
        table_[slot] = v;
        next_[v] = found++;
      } else {
        next_[v] = next_[table_[slot]];
      }
    }
    labels.swap(next_);
    return found;
  }

 private:
  // Neighbours' labels, ascending, of each node: nodes hand out their label in its order.
  void gather(const std::vector<Index>& labels, Index count) {
    std::vector<Index> first(static_cast<std::size_t>(count) + 1, 0), order(labels.size());
    for (const Index label : labels) ++first[static_cast<std::size_t>(label) + 1];
    std::partial_sum(first.begin(), first.end(), first.begin());
    for (Index v = 0; v < adjacency_.rows; ++v) order[first[labels[v]]++] = v;
    std::copy(adjacency_.row_ptr.begin(), adjacency_.row_ptr.end() - 1, place_.begin());
    for (const Index v : order)
      for (const Index u : adjacency_.row_columns(v)) arcs_[place_[u]++] = labels[v];
  }

  std::size_t hash(const std::vector<Index>& labels, Index v) const {
    constexpr std::uint64_t kFactor = 0x9E3779B97F4A7C15u;
    std::uint64_t h = (static_cast<std::uint64_t>(labels[v]) + 1) * kFactor;
    for (Offset at = adjacency_.row_ptr[v]; at < adjacency_.row_ptr[v + 1]; ++at)
      h = ((h ^ (h >> 29)) + static_cast<std::uint64_t>(arcs_[at]) + 1) * kFactor;
    return static_cast<std::size_t>(h ^ (h >> 32));
  }

  bool same(const std::vector<Index>& labels, Index u, Index v) const {
    return labels[u] == labels[v] && adjacency_.row_size(u) == adjacency_.row_size(v) &&
           std::equal(arcs_.data() + adjacency_.row_ptr[u],
                      arcs_.data() + adjacency_.row_ptr[u + 1],
                      arcs_.data() + adjacency_.row_ptr[v]);
  }

  const Csr& adjacency_;
  std::vector<Index> arcs_;
  std::vector<Offset> place_;
  std::vector<Index> table_;  // a node with the label that belongs here, or -1
  std::vector<Index> next_;
};

}  // namespace

Histograms wl_histograms(const LabelledGraphs& graphs, int levels, const RunLimits& limits) {
  const auto nodes = static_cast<std::size_t>(graphs.adjacency.rows);
  std::vector<Index> labels(nodes, 0);
  if (!graphs.node_labels.empty())
    labels.assign(graphs.node_labels.begin(), graphs.node_labels.end());
  Index count = compress(labels);
  Relabelling relabelling(graphs.adjacency);
  std::vector<std::vector<Index>> of_level = {labels};
  std::vector<Offset> first = {0, count};
  int repeats = 0;  // levels after the last in `of_level` that only rename its labels
  for (int level = 1; level <= levels; ++level) {
    limits.check();
    const Index before = count;
    count = relabelling.next(labels, count);
    if (count == before) {
      repeats = levels - level + 1;
      break;
    }
    of_level.push_back(labels);
    first.push_back(first.back() + count);
    if (first.back() > std::numeric_limits<Index>::max())
      fail("Weisfeiler-Lehman kernel: {} levels have more than {} labels; set fewer levels", levels,
           std::numeric_limits<Index>::max());
  }

  Histograms out;
  out.features = static_cast<Index>(first.back());
  out.weights.assign(static_cast<std::size_t>(out.features), 1.0);
  std::fill(out.weights.begin() + first[of_level.size() - 1], out.weights.end(), 1.0 + repeats);
  std::vector<Index> seen(static_cast<std::size_t>(out.features), 0);
  for (Index g = 0; g < graphs.size(); ++g) {
    limits.check();
    for (std::size_t level = 0; level < of_level.size(); ++level) {
      const auto begin = out.ids.size();
      for (Index v = graphs.start[g]; v < graphs.start[g + 1]; ++v) {
        const auto id = static_cast<Index>(first[level] + of_level[level][v]);
        if (seen[id]++ == 0) out.ids.push_back(id);
      }
      for (auto at = begin; at < out.ids.size(); ++at) {
        out.counts.push_back(seen[out.ids[at]]);
        seen[out.ids[at]] = 0;
      }
    }
    out.start.push_back(static_cast<Offset>(out.ids.size()));
  }
  return out;
}

}  // namespace cupel
