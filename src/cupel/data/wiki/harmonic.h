// Harmonic centrality, exact.
//
// M. Marchiori and V. Latora, "Harmony in the small-world", Physica A 285, 2000; P. Boldi and
// S. Vigna, "Axioms for centrality", Internet Mathematics 10, 2014.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "cupel/base/matrix.h"
#include "cupel/base/parallel.h"

namespace cupel {

// Called now and then, by one thread at a time: sources done, sources there are.
using CentralityProgress = std::function<void(std::int64_t done, std::int64_t all)>;

// Bytes. The result does not depend on them.
struct CentralityMemory {
  std::uint64_t wide = std::uint64_t{1} << 30;  // most of a thread that searches from 512 nodes
  std::uint64_t all = std::uint64_t{4} << 30;   // most of all threads, if one needs no more
};

// Of each node x with wanted[x], the sum of 1 / d(x, y) over all y != x that can be reached from x
// along entries (x, y), d the least number of them; 0 for other nodes. Loops and repeats add
// nothing. The sum is made by adding 1 / d once for each y in the order of rising d, so it is the
// same to the bit as by a plain search from each node, and on any number of threads.
//
// Breadth-first searches from 512 nodes at once share their way (M. Then et al., "The more the
// merrier", VLDB 2014). Nodes that reach about as much are searched together, nodes near each other
// are numbered to be near in memory. 12 bytes a node and 4 an entry, and before the search 64 more
// for each node with children.
//
// Each thread takes 192 bytes a node with children and 64 any other. Where that is more than
// memory.wide, it searches from 64 nodes and takes an eighth; threads are left out where all
// together take more than memory.all.
// Time: nodes + entries reached, for each batch of 512.
[[nodiscard]] std::vector<double> harmonic_centrality(const Csr& children,
                                                      const std::vector<bool>& wanted,
                                                      Threads threads,
                                                      const CentralityProgress& progress = {},
                                                      const CentralityMemory& memory = {});

}  // namespace cupel
