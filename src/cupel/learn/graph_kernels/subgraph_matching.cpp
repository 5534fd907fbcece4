#include "cupel/learn/graph_kernels/subgraph_matching.h"

#include <algorithm>
#include <bit>
#include <unordered_map>

#include "cupel/base/error.h"
#include "cupel/base/random.h"
#include "cupel/learn/graph_kernels/isomorphism_class.h"
#include "cupel/learn/graph_kernels/subgraph_search.h"

namespace cupel {

namespace {

// Counts of codes, for one graph after the other: an open table that is emptied by its entries.
class CodeCounts {
 public:
  struct Entry {
    SubgraphCode code;
    int size = 0;  // 0: nothing here
    double count = 0;
  };

  void add(const SubgraphCode& code, int size) {
    std::size_t slot = SubgraphCodeHash{}(code) & (table_.size() - 1);
    while (table_[slot].size != 0 && table_[slot].code != code)
      slot = (slot + 1) & (table_.size() - 1);
    if (table_[slot].size == 0) {
      table_[slot] = {code, size, 0};
      used_.push_back(slot);
      if (2 * used_.size() > table_.size()) {
        const Entry entry = {code, size, 1};
        used_.pop_back();
        table_[slot] = {};
        grow();
        put(entry);
        return;
      }
    }
    ++table_[slot].count;
  }

  // All entries, in the order in which they were met, and none after.
  std::vector<Entry> take() {
    std::vector<Entry> out;
    for (const std::size_t slot : used_) {
      out.push_back(table_[slot]);
      table_[slot] = {};
    }
    used_.clear();
    return out;
  }

 private:
  void put(const Entry& entry) {
    std::size_t slot = SubgraphCodeHash{}(entry.code) & (table_.size() - 1);
    while (table_[slot].size != 0) slot = (slot + 1) & (table_.size() - 1);
    table_[slot] = entry;
    used_.push_back(slot);
  }
  void grow() {
    const std::vector<Entry> entries = take();
    table_.assign(2 * table_.size(), {});
    for (const Entry& entry : entries) put(entry);
  }

  std::vector<Entry> table_ = std::vector<Entry>(1024);
  std::vector<std::size_t> used_;
};

int bits_for(std::uint64_t values) { return std::bit_width(values - 1); }

SubgraphLayout layout_for(const LabelledGraphs& graphs, int k) {
  const auto count = [](std::span<const Index> labels) {
    return labels.empty()
               ? 1u
               : static_cast<unsigned>(*std::max_element(labels.begin(), labels.end())) + 1u;
  };
  const unsigned labels = count(graphs.node_labels), arc_labels = count(graphs.arc_labels);
  const SubgraphLayout layout = {bits_for(arc_labels + 1u), bits_for(labels)};
  constexpr int kWord = 64;
  if (layout.label_shift(k) > kWord || layout.arc_shift(k, 0) > kWord)
    fail(
        "subgraph matching: subgraphs of {} nodes with {} labels of nodes and {} of arcs need {} "
        "and {} bits, and there are {} each; set a smaller k or fewer labels",
        k, labels, arc_labels, layout.label_shift(k), layout.arc_shift(k, 0), kWord);
  return layout;
}

// Reads a subgraph as its search hands it out.
class Encoder {
 public:
  Encoder(const LabelledGraphs& graphs, const SubgraphLayout& layout)
      : graphs_(graphs), layout_(layout) {}

  SubgraphCode operator()(const Index* nodes, const std::uint8_t* joined, int size) const {
    SubgraphCode code;
    for (int p = 0; p < size; ++p) {
      if (layout_.label_bits > 0)
        code.labels |= static_cast<std::uint64_t>(graphs_.node_labels[nodes[p]])
                       << layout_.label_shift(p);
      if (graphs_.arc_labels.empty()) {
        if (p > 0) code.arcs |= static_cast<std::uint64_t>(joined[p]) << layout_.arc_shift(p, 0);
        continue;
      }
      for (int q = 0; q < p; ++q)
        if ((joined[p] >> q & 1) != 0)
          code.arcs |= (arc_label(nodes[p], nodes[q]) + 1) << layout_.arc_shift(p, q);
    }
    return code;
  }

 private:
  std::uint64_t arc_label(Index u, Index v) const {
    const auto row = graphs_.adjacency.row_columns(u);
    const auto at = std::lower_bound(row.begin(), row.end(), v) - row.begin();
    return static_cast<std::uint64_t>(graphs_.arc_labels[graphs_.adjacency.row_ptr[u] + at]);
  }

  const LabelledGraphs& graphs_;
  SubgraphLayout layout_;
};

constexpr std::uint64_t kVisitsBetweenChecks = 1 << 16;

}  // namespace

Histograms sm_histograms(const LabelledGraphs& graphs, int k, Threads threads,
                         const RunLimits& limits) {
  const SubgraphLayout layout = layout_for(graphs, k);
  std::vector<std::vector<CodeCounts::Entry>> met(static_cast<std::size_t>(graphs.size()));
  parallel_blocks(threads, graphs.size(), 8, [&](std::int64_t begin, std::int64_t end) {
    SubgraphSearch search(graphs);
    const Encoder encode(graphs, layout);
    CodeCounts counts;
    std::uint64_t visits = 0;  // one root may have billions of them
    for (auto g = begin; g < end; ++g) {
      search.enter(static_cast<Index>(g));
      for (Index root = graphs.start[g]; root < graphs.start[g + 1]; ++root) {
        limits.check();
        search.from(root, k, [&](const Index* nodes, const std::uint8_t* joined, int size) {
          if (++visits % kVisitsBetweenChecks == 0) limits.check();
          counts.add(encode(nodes, joined, size), size);
        });
      }
      met[static_cast<std::size_t>(g)] = counts.take();
    }
  });

  Histograms out;
  std::unordered_map<SubgraphCode, Index, SubgraphCodeHash> class_of, numbers;
  std::unordered_map<Index, double> sum;
  for (auto& entries : met) {
    limits.check();
    sum.clear();
    const auto begin = out.ids.size();
    for (const CodeCounts::Entry& entry : entries) {
      const auto [known, fresh] = class_of.try_emplace(entry.code, 0);
      if (fresh) {
        const IsomorphismClass found = isomorphism_class(layout, entry.code, entry.size);
        const auto [number, first] =
            numbers.try_emplace(found.canonical, static_cast<Index>(numbers.size()));
        if (first) out.weights.push_back(static_cast<double>(found.automorphisms));
        known->second = number->second;
      }
      const auto [total, unseen] = sum.try_emplace(known->second, 0.0);
      if (unseen) out.ids.push_back(known->second);
      total->second += entry.count;
    }
    for (auto at = begin; at < out.ids.size(); ++at) out.counts.push_back(sum[out.ids[at]]);
    out.start.push_back(static_cast<Offset>(out.ids.size()));
    entries = {};
  }
  out.features = static_cast<Index>(numbers.size());
  return out;
}

double sm_operations(const LabelledGraphs& graphs, int k) {
  constexpr Index kProbes = 20000;
  const Index nodes = graphs.adjacency.rows;
  if (nodes == 0) return 0;
  const Index repeats = std::max(Index{1}, kProbes / nodes);
  SubgraphSearch search(graphs);
  const StreamKey key = stream_key("subgraph matching: estimate");
  double sum = 0;
  for (Index g = 0; g < graphs.size(); ++g) {
    search.enter(g);
    for (Index root = graphs.start[g]; root < graphs.start[g + 1]; ++root) {
      Stream random(key, 0, 0, static_cast<std::uint32_t>(root));
      for (Index r = 0; r < repeats; ++r)
        sum += search.probe(root, k, [&](std::uint32_t bound) { return random.next_below(bound); });
    }
  }
  return sum / repeats;
}

void refuse_large_sm(const std::string& who, const LabelledGraphs& graphs, int k, double limit) {
  constexpr double kRate = 5e7;  // measured: 2e7 to 1e8
  const double subgraphs = sm_operations(graphs, k);
  if (subgraphs <= limit) return;
  int fits = k - 1;
  while (fits > 1 && sm_operations(graphs, fits) > limit) --fits;
  fail(
      "{}: the graphs have about {:.1e} connected subgraphs of at most {} nodes, which takes about "
      "{}, and more than {:.0e} are refused; set k = {}, or use wl-svm",
      who, subgraphs, k, rough_time(subgraphs, kRate), limit, fits);
}

}  // namespace cupel
