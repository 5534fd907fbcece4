// Shortest-path kernel. Borgwardt and Kriegel, "Shortest-path kernels on graphs", ICDM 2005, with
// equality of lengths (and of end labels) as the kernel on paths.
#pragma once

#include "cupel/learn/graph_kernels/gram.h"
#include "cupel/learn/graph_kernels/labelled_graphs.h"

namespace cupel {

// A feature is a length of at least one arc with the labels of both ends, in order; a graph has as
// many of one as it has ordered pairs of nodes that far apart. Pairs that no path joins count
// nowhere. The same on any number of threads. Throws Interrupted or TimedOut between
// the searches from 64 nodes and the next.
[[nodiscard]] Histograms sp_histograms(const LabelledGraphs& graphs, Threads threads,
                                       const RunLimits& limits = {});

// Upper estimate of the steps that it takes, and Error if they are hours. `who` begins the message.
[[nodiscard]] double sp_operations(const LabelledGraphs& graphs);
void refuse_large_sp(const std::string& who, const LabelledGraphs& graphs, double limit = 1e13);

}  // namespace cupel
