#include "cupel/data/audit/node_copies.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <map>
#include <utility>

namespace cupel {
namespace {

constexpr double kLeastExcess = 2, kLeastShare = 0.005;

// SplitMix64's finisher: sums of spread ids tell sets apart, in whatever order.
std::uint64_t spread(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

// The largest out-degree of a degree's range: 1, 2, 3, 4, 8, 16, ...
Offset range_of(Offset degree) {
  if (degree <= 4) return degree;
  return static_cast<Offset>(std::bit_ceil(static_cast<std::uint64_t>(degree)));
}

double pairs_of(double n) { return n * (n - 1) / 2; }

// Pairs of nodes of one class that would have the same single target.
double equal_single_targets(const Csr& directed, std::span<const Index> labels) {
  std::map<Index, double> singles, arcs, same;
  std::vector<std::uint64_t> into;  // class and target of each arc
  for (Index i = 0; i < directed.rows; ++i) {
    const Index c = labels[static_cast<std::size_t>(i)];
    if (directed.row_size(i) == 1) singles[c] += 1;
    arcs[c] += static_cast<double>(directed.row_size(i));
    for (const Index j : directed.row_columns(i))
      into.push_back(static_cast<std::uint64_t>(c) << 32 | static_cast<std::uint32_t>(j));
  }
  std::sort(into.begin(), into.end());
  for (std::size_t from = 0, to = 0; from < into.size(); from = to) {
    while (to < into.size() && into[to] == into[from]) ++to;
    same[static_cast<Index>(into[from] >> 32)] += pairs_of(static_cast<double>(to - from));
  }
  double out = 0;
  for (const auto& [c, count] : singles) {
    if (arcs[c] > 1) out += pairs_of(count) * same[c] / pairs_of(arcs[c]);
  }
  return out;
}

// Of two nodes of one class, the chance that their features are equal and not all zero.
double share_of_equal_features(std::span<const Index> labels, const std::vector<Index>& twin) {
  std::map<Index, double> of_class;
  std::map<std::pair<Index, Index>, double> of_group;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    of_class[labels[i]] += 1;
    if (twin[i] >= 0) of_group[{labels[i], twin[i]}] += 1;
  }
  double all = 0, equal = 0;
  for (const auto& [c, count] : of_class) all += pairs_of(count);
  for (const auto& [key, count] : of_group) equal += pairs_of(count);
  return all > 0 ? equal / all : 0;
}

// Of two of these nodes, the chance that just one is entered.
double one_entered(double nodes, double unentered) {
  const double u = nodes > 0 ? unentered / nodes : 0;
  return 2 * u * (1 - u);
}

}  // namespace

std::string to_text(CopyRule rule) {
  return rule == CopyRule::kWikipedia ? "wikipedia" : "beyond-chance";
}

std::optional<CopyRule> copy_rule_of(const std::string& name) {
  for (const CopyRule rule : {CopyRule::kBeyondChance, CopyRule::kWikipedia}) {
    if (to_text(rule) == name) return rule;
  }
  return std::nullopt;
}

double almost_equal_rows(const Csr& graph, std::span<const Index> labels,
                         std::span<const Index> among) {
  std::vector<std::pair<std::uint64_t, Index>> rows;  // one of each label and set
  for (const Index i : among) {
    std::uint64_t sum = 0;
    for (const Index j : graph.row_columns(i)) sum += spread(static_cast<std::uint64_t>(j));
    const auto label = static_cast<std::uint64_t>(labels[static_cast<std::size_t>(i)]);
    rows.emplace_back(sum ^ spread(~label), i);
  }
  const auto same = [](const auto& a, const auto& b) { return a.first == b.first; };
  std::sort(rows.begin(), rows.end());
  rows.erase(std::unique(rows.begin(), rows.end(), same), rows.end());
  std::vector<std::uint64_t> less_one;
  for (const auto& [hash, i] : rows) {
    const std::uint64_t of_label =
        spread(~static_cast<std::uint64_t>(labels[static_cast<std::size_t>(i)]));
    for (const Index j : graph.row_columns(i))
      less_one.push_back(spread((hash ^ of_label) - spread(static_cast<std::uint64_t>(j))) ^
                         of_label);
  }
  std::sort(less_one.begin(), less_one.end());
  double out = 0;
  for (std::size_t from = 0, to = 0; from < less_one.size(); from = to) {
    while (to < less_one.size() && less_one[to] == less_one[from]) ++to;
    out += pairs_of(static_cast<double>(to - from));
  }
  return out;
}

NodeCopies node_copies(const Csr& directed, std::span<const Index> labels, const Features& features,
                       CopyRule rule) {
  NodeCopies out;
  out.all = wikipedia_duplicates(directed, labels);
  if (out.all.empty()) return out;

  std::vector<char> entered(static_cast<std::size_t>(directed.rows), 0);
  for (const Index j : directed.columns) entered[static_cast<std::size_t>(j)] = 1;
  std::map<Offset, std::vector<Index>> of_degree;
  for (Index i = 0; i < directed.rows; ++i) of_degree[directed.row_size(i)].push_back(i);
  std::map<Offset, CopyRange> ranges;

  // Copies, and those of them whose features an entered node of their group has.
  const std::vector<Index> twin = group_of_node(equal_features(features), directed.rows);
  std::vector<char> equal(static_cast<std::size_t>(directed.rows), 0);
  for (const auto& group : wikipedia_groups(directed, labels)) {
    CopyRange& range = ranges[range_of(directed.row_size(group.front()))];
    std::vector<Index> originals;
    for (const Index i : group) {
      const auto at = static_cast<std::size_t>(i);
      if (entered[at] && twin[at] >= 0) originals.push_back(twin[at]);
    }
    std::sort(originals.begin(), originals.end());
    for (const Index i : group) {
      const auto at = static_cast<std::size_t>(i);
      if (entered[at]) continue;
      ++range.copies;
      equal[at] = twin[at] >= 0 && std::binary_search(originals.begin(), originals.end(), twin[at]);
      range.equal_features += equal[at];
    }
  }

  const double share_equal = share_of_equal_features(labels, twin);
  for (auto& [most, range] : ranges) {
    range.least = most <= 4 ? most : most / 2 + 1;
    range.most = most;
    double pairs = most == 1 ? equal_single_targets(directed, labels) : 0;
    double nodes = 0, unentered = 0;
    for (auto at = of_degree.lower_bound(range.least);
         at != of_degree.end() && at->first <= range.most; ++at) {
      if (most > 1) pairs += almost_equal_rows(directed, labels, at->second);
      nodes += static_cast<double>(at->second.size());
      for (const Index i : at->second) unentered += entered[static_cast<std::size_t>(i)] == 0;
    }
    range.by_chance = pairs * one_entered(nodes, unentered);
    range.equal_by_chance = range.by_chance * share_equal;
    range.beyond = 2 * range.by_chance < static_cast<double>(range.copies);
    range.equal_beyond = range.equal_features > 0 &&
                         2 * range.equal_by_chance < static_cast<double>(range.equal_features);
    // A single target says too little to call anything a leak: targets are drawn alike for many
    // reasons. Where there is a leak, such copies are a part of it.
    if (range.beyond && most > 1) {
      out.excess += static_cast<double>(range.copies) - range.by_chance;
    } else if (range.equal_beyond) {
      out.excess += static_cast<double>(range.equal_features) - range.equal_by_chance;
    }
    out.by_chance += std::min(range.by_chance, static_cast<double>(range.copies));
    out.ranges.push_back(range);
  }

  for (const Index i : out.all) {
    const CopyRange& range = ranges[range_of(directed.row_size(i))];
    if (range.beyond || (range.equal_beyond && equal[static_cast<std::size_t>(i)]))
      out.beyond.push_back(i);
  }
  const bool by_paper = rule == CopyRule::kWikipedia;
  out.is_leak = by_paper || out.excess - 1 >= std::max(kLeastExcess, kLeastShare * directed.rows);
  if (out.is_leak) out.found = by_paper ? out.all : out.beyond;
  return out;
}

}  // namespace cupel
