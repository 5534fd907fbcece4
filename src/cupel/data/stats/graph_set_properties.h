// Numbers that describe each graph of a set, which labels may follow.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "cupel/base/parallel.h"
#include "cupel/data/dataset.h"

namespace cupel {

// One number per graph and property. As Li et al. 2024 ("Rethinking the Effectiveness of Graph
// Classification Datasets in Benchmarks for Assessing GNNs", section 4.1) define them:
//   nodes       |V|
//   edges       |E|, undirected and without repeats (their code has 2|E|: the same correlations)
//   degree      mean degree, 2|E| / |V|; 0 without nodes
//   clustering  mean over all nodes of joined / all pairs of neighbours, 0 below degree 2
//   cycles_3 .. cycles_7   cycles of that length in the cycle basis of cycle_basis.h
// The first eight are those of their figure 4.
inline constexpr std::array<const char*, 9> kGraphProperties = {
    "nodes",    "edges",    "degree",   "clustering", "cycles_3",
    "cycles_4", "cycles_5", "cycles_6", "cycles_7"};
inline constexpr std::size_t kFigureProperties = 8;

struct GraphProperties {
  std::array<std::vector<double>, kGraphProperties.size()> columns;  // graphs each
};

// A data set that is no set of graphs is the caller's bug. The same on any number of threads.
[[nodiscard]] GraphProperties graph_properties(const Dataset& dataset, Threads threads);

// Their parts. `start` as in GraphSet.
[[nodiscard]] std::vector<double> average_clustering(const Csr& graphs,
                                                     std::span<const Index> start, Threads threads);
// One vector for each of `lengths`: how many cycles of that length each graph's basis has.
[[nodiscard]] std::vector<std::vector<std::int64_t>> basis_cycles(const Csr& graphs,
                                                                  std::span<const Index> start,
                                                                  std::span<const Index> lengths,
                                                                  Threads threads);

}  // namespace cupel
