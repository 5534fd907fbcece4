#include "cupel/learn/graph_kernels/subgraph_matching.h"

#include <gtest/gtest.h>

#include <numeric>
#include <set>

#include "cupel/base/error.h"
#include "cupel/learn/graph_kernels/isomorphism_class.h"
#include "learn/graph_kernels/made_graphs.h"

namespace cupel {
namespace {

// The kernel as it is defined: cliques of the product graph, one pair of graphs after the other,
// of which those are counted that hold together by c-edges.
class Product {
 public:
  Product(const MadeLabelledGraphs& made, Index i, Index j, bool labels, bool arc_labels) {
    std::vector<std::pair<Index, Index>> pairs;
    for (Index u = made.start[i]; u < made.start[i + 1]; ++u)
      for (Index v = made.start[j]; v < made.start[j + 1]; ++v)
        if (!labels || made.node_labels[u] == made.node_labels[v]) pairs.emplace_back(u, v);
    edge_.assign(pairs.size(), std::vector<char>(pairs.size(), ' '));
    for (std::size_t a = 0; a < pairs.size(); ++a) {
      for (std::size_t b = 0; b < pairs.size(); ++b) {
        const auto [u, v] = pairs[a];
        const auto [s, t] = pairs[b];
        if (u == s || v == t || made.joined(u, s) != made.joined(v, t)) continue;
        if (!made.joined(u, s))
          edge_[a][b] = 'd';
        else if (!arc_labels || made.arc_label(u, s) == made.arc_label(v, t))
          edge_[a][b] = 'c';
      }
    }
  }

  double cliques(std::size_t k) {
    k_ = k;
    count_ = 0;
    extend(0);
    return count_;
  }

 private:
  void extend(std::size_t from) {
    if (!clique_.empty() && holds_together()) ++count_;
    if (clique_.size() == k_) return;
    for (std::size_t a = from; a < edge_.size(); ++a) {
      if (!std::all_of(clique_.begin(), clique_.end(),
                       [&](std::size_t b) { return edge_[a][b] != ' '; }))
        continue;
      clique_.push_back(a);
      extend(a + 1);
      clique_.pop_back();
    }
  }
  bool holds_together() const {
    std::set<std::size_t> reached = {clique_[0]};
    for (std::size_t round = 0; round < clique_.size(); ++round)
      for (const std::size_t a : clique_)
        for (const std::size_t b : clique_)
          if (edge_[a][b] == 'c' && reached.contains(a)) reached.insert(b);
    return reached.size() == clique_.size();
  }

  std::vector<std::vector<char>> edge_;
  std::vector<std::size_t> clique_;
  std::size_t k_ = 0;
  double count_ = 0;
};

TEST(SubgraphMatching, EqualsCliquesOfTheProductGraph) {
  const MadeLabelledGraphs made = random_graphs(14, 6, 2);
  for (const int variant : {0, 1, 2}) {
    const bool labels = variant > 0, arc_labels = variant > 1;
    const LabelledGraphs graphs = arc_labels ? made.all_labelled()
                                  : labels   ? made.labelled()
                                             : made.plain();
    for (const int k : {1, 2, 3, 5}) {
      const Gram gram = inner_products(sm_histograms(graphs, k, {1}), {1});
      for (Index i = 0; i < gram.graphs; ++i)
        for (Index j = 0; j <= i; ++j)
          EXPECT_EQ(gram(i, j), Product(made, i, j, labels, arc_labels).cliques(k))
              << i << " " << j << ", k " << k << ", variant " << variant;
    }
  }
}

TEST(SubgraphMatching, ArcLabelsWithoutNodeLabels) {
  const MadeLabelledGraphs made = random_graphs(8, 5, 2);
  const LabelledGraphs graphs = {made.adjacency, made.start, {}, made.arc_labels};
  const Gram gram = inner_products(sm_histograms(graphs, 4, {1}), {1});
  for (Index i = 0; i < gram.graphs; ++i)
    for (Index j = 0; j <= i; ++j)
      EXPECT_EQ(gram(i, j), Product(made, i, j, false, true).cliques(4)) << i << " " << j;
}

TEST(SubgraphMatching, SameOnAnyNumberOfThreads) {
  const MadeLabelledGraphs made = random_graphs(60, 12);
  const Histograms one = sm_histograms(made.labelled(), 5, {1});
  const Histograms four = sm_histograms(made.labelled(), 5, {4});
  EXPECT_EQ(one.ids, four.ids);
  EXPECT_EQ(one.counts, four.counts);
  EXPECT_EQ(one.weights, four.weights);
}

// All graphs of n nodes in all orders; connected ones (OEIS A001187) fall into classes (A001349).
TEST(IsomorphismClass, SortsAllConnectedGraphs) {
  const std::vector<int> classes = {0, 1, 1, 2, 6, 21, 112};
  const std::vector<int> connected = {0, 1, 1, 4, 38, 728, 26704};
  for (int n = 1; n <= 6; ++n) {
    const SubgraphLayout layout;
    std::set<std::uint64_t> met;
    int seen = 0;
    double orders = 0;
    for (std::uint64_t arcs = 0; arcs < std::uint64_t{1} << (n * (n - 1) / 2); ++arcs) {
      unsigned reached = 1;
      for (int round = 0; round < n; ++round)
        for (int p = 0; p < n; ++p)
          for (int q = 0; q < p; ++q)
            if ((arcs >> layout.arc_shift(p, q) & 1) != 0 && (reached >> p | reached >> q) & 1)
              reached |= 1u << p | 1u << q;
      if (reached != (1u << n) - 1) continue;
      ++seen;
      const IsomorphismClass found = isomorphism_class(layout, {arcs, 0}, n);
      // n! / |Aut| orders give different arcs.
      if (met.insert(found.canonical.arcs).second)
        orders += std::tgamma(n + 1) / static_cast<double>(found.automorphisms);
    }
    EXPECT_EQ(seen, connected[n]);
    EXPECT_EQ(static_cast<int>(met.size()), classes[n]);
    EXPECT_NEAR(orders, connected[n], 1e-6);
  }
}

double subgraphs(const LabelledGraphs& graphs, int k) {
  const Histograms h = sm_histograms(graphs, k, {1});
  return std::accumulate(h.counts.begin(), h.counts.end(), 0.0);
}

TEST(SubgraphMatching, EstimatesItsWork) {
  const MadeLabelledGraphs made = random_graphs(200, 20);
  for (const int k : {3, 5}) {
    const double exact = subgraphs(made.plain(), k);
    EXPECT_NEAR(sm_operations(made.plain(), k), exact, 0.1 * exact);
  }
  // Choose the centre and any leaves, or one node.
  const MadeLabelledGraphs hub = union_of({star(60)});
  EXPECT_EQ(subgraphs(hub.plain(), 4), 61 + 60 + 60 * 59 / 2 + 60 * 59 * 58 / 6);
  EXPECT_NEAR(sm_operations(hub.plain(), 4), subgraphs(hub.plain(), 4), 4000);
}

TEST(SubgraphMatching, RefusesHubsAtOnceAndSaysWhatToDo) {
  const MadeLabelledGraphs made = union_of({star(3000), path(5)});  // 3e12 subgraphs of five nodes
  try {
    refuse_large_sm("sm-svm", made.plain(), 5);
    FAIL() << "not refused";
  } catch (const Error& e) {
    EXPECT_TRUE(std::string(e.what()).starts_with("sm-svm: ")) << e.what();
    EXPECT_NE(std::string(e.what()).find("set k = 4"), std::string::npos) << e.what();
  }
  EXPECT_NO_THROW(refuse_large_sm("sm-svm", made.plain(), 3));
}

TEST(SubgraphMatching, RefusesMoreLabelsThanItCanWriteDown) {
  MadeLabelledGraphs made = random_graphs(10, 6);
  for (std::size_t v = 0; v < made.node_labels.size(); ++v)
    made.node_labels[v] = static_cast<Index>(v) << 18;
  EXPECT_THROW((void)sm_histograms(made.labelled(), 5, {1}), Error);
  EXPECT_NO_THROW((void)sm_histograms(made.labelled(), 2, {1}));
}

}  // namespace
}  // namespace cupel
