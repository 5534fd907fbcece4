// Structural and label statistics of a data set.
//
// All but the counts of what is stored speak of the *simple undirected graph*: nodes i != j are
// joined by one edge if an entry (i, j) or (j, i) is stored, whatever its value; self loops and
// repeats do not count. n nodes, m edges, d(v) the degree, y(v) the class, C classes that have a
// node, D_k the sum of degrees in class k.
//
// Definitions as in Platonov et al. 2023 ("A critical look at the evaluation of GNNs under
// heterophily", sections 3 and 4), whose published values they reproduce. What a graph leaves
// undefined is nullopt, never NaN.
//
// Integers are exact and floating-point sums have a fixed order: results do not depend on the
// number of threads. They depend on the clock only where the time budget was used up.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cupel/base/parallel.h"
#include "cupel/data/dataset.h"

namespace cupel {

struct StatisticsOptions {
  Threads threads;
  double seconds = 10;     // of wall time for diameter and shortest paths together
  std::uint64_t seed = 0;  // of the sources that are sampled where not all can be searched
};

// Quantiles interpolate linearly between the two nearest nodes (NumPy's default). Of no node: 0.
struct DegreeStatistics {
  Index min = 0, max = 0;
  double mean = 0;  // 2m / n
  double median = 0, p5 = 0, p25 = 0, p75 = 0, p95 = 0, p99 = 0;
};

// The longest shortest path of the largest component, as an interval; exact where lower == upper.
struct Diameter {
  Index lower = 0, upper = 0;
  bool exact() const { return lower == upper; }
};

// Mean distance of two different nodes of the largest component, or of any component. `exact`: over
// all pairs, and low == value == high. Else an estimate from `sources` sampled nodes (to all that
// each reaches), with an approximate 95 % confidence interval.
struct AveragePath {
  double value = 0, low = 0, high = 0;
  bool exact = false;
  Index sources = 0;
};

// Nodes by their share of same-class neighbours (Mernyei and Cangea 2020, figure 2, whose bars are
// counts / nodes). A node without a neighbour has no share and is left out. (The released code of
// the figure gives it the share of the node before it.)
struct SameClassShares {
  // 25 bins of equal width: [0, 1/25), ..., [24/25, 1]. Whole numbers decide, so that a share of
  // exactly k/25 is in bin k; in floating point a few of these fall into the bin below.
  std::vector<std::int64_t> bins;
  std::int64_t nodes = 0, left_out = 0;  // with and without a share
  std::optional<double> mean;            // of the shares; none if nodes == 0
};

// How edges relate to classes. Where nodes have no label, all of this is of the graph induced on
// those that have one: n, m, d(v) and D_k are those of it.
struct LabelStatistics {
  Index unlabelled = 0;            // nodes without a label
  std::vector<Index> class_sizes;  // nodes per class, in the order of Dataset::class_names
  // Edges within a class / m. None without edges.
  std::optional<double> edge_homophily;
  // Mean of (neighbours of the same class) / d(v) over nodes with d(v) > 0 (Pei et al. 2020).
  std::optional<double> node_homophily;
  // 1/(C-1) sum_k max(0, r_k - n_k/n), r_k = share of the D_k edge ends of class k that lead to
  // class k, 0 where D_k = 0 (Lim et al. 2021). None for one class or no edges.
  std::optional<double> class_homophily;
  // (h - S) / (1 - S), h the edge homophily, S = sum_k (D_k/2m)^2: 0 for random wiring. None where
  // all edge ends are in one class, or without edges.
  std::optional<double> adjusted_homophily;
  // I(y(u), y(v)) / H(y(u)) for a random edge in random orientation: how much a neighbour's class
  // tells of a node's own. None where the entropy is 0, or without edges.
  std::optional<double> label_informativeness;
  // Nodes with d(v) > 0 by their share of same-class neighbours: [0, 0.1), ..., [0.9, 1]. The
  // shares of exactly 0 and exactly 1 are counted apart as well.
  std::vector<std::int64_t> same_class_share;
  std::int64_t none_of_same_class = 0, all_of_same_class = 0;
  // The same in finer bins, and as figure 2 of Mernyei and Cangea 2020 counts: a node with
  // self-loops is one of its own neighbours, and of its own class.
  SameClassShares shares, shares_with_loops;
};

struct Statistics {
  Index nodes = 0;
  Offset edges = 0;  // m
  Index features = 0, classes = 0;

  // What is stored.
  Offset arcs = 0;                        // entries of the adjacency
  Offset self_loops = 0;                  // entries on its diagonal
  Offset reciprocal = 0;                  // pairs i != j with both (i, j) and (j, i)
  std::optional<double> feature_density;  // non-zero values / (nodes * features)

  DegreeStatistics degree;
  // 2 (m + nodes with a self-loop) / n, the mean degree of Mernyei and Cangea 2020, table 1, which
  // counts distinct unordered pairs, a node with itself among them. 0 without nodes.
  double mean_degree_with_loops = 0;
  Index isolated_nodes = 0;  // d(v) = 0
  Index components = 0, largest_component = 0;

  std::uint64_t triangles = 0;
  // 3 * triangles / sum_v d(v)(d(v)-1)/2. None if no node has two neighbours.
  std::optional<double> global_clustering;
  // Mean over all nodes of (edges among neighbours) / (d(v)(d(v)-1)/2), 0 where d(v) < 2. None
  // without nodes.
  std::optional<double> local_clustering;

  std::optional<Diameter> diameter;         // none without nodes
  std::optional<AveragePath> average_path;  // none if the largest component has no two nodes
  // Over all ordered pairs of different nodes that a path joins, in whatever component, and how
  // many these are: the average shortest path of the same table. The same as average_path where no
  // other component has two nodes. None likewise.
  std::optional<AveragePath> average_path_reachable;
  std::uint64_t reachable_pairs = 0;
  std::optional<LabelStatistics> labels;  // none where nodes have no labels

  // How long each part took, in the order done: wall time, and processor time of the whole process.
  // Not part of the result.
  struct PartTime {
    std::string part;
    double wall = 0, processor = 0;
  };
  std::vector<PartTime> seconds;
};

// Memory: 8 bytes per edge and about 70 per node (20 more per thread) beside the data set.
// A data set whose labels are neither none nor one per node is the caller's bug.
[[nodiscard]] Statistics statistics(const Dataset& dataset, const StatisticsOptions& options);

// The label part alone: linear time. None where the data set has no labels.
[[nodiscard]] std::optional<LabelStatistics> label_statistics(const Dataset& dataset,
                                                              Threads threads);

}  // namespace cupel
