// Weisfeiler-Lehman subtree kernel. Shervashidze et al., "Weisfeiler-Lehman graph kernels", JMLR
// 12, 2011, section 3.2.
#pragma once

#include "cupel/learn/graph_kernels/gram.h"
#include "cupel/learn/graph_kernels/labelled_graphs.h"

namespace cupel {

// Labels of level 0 are the nodes' own; a label of level l + 1 stands for a label of level l and
// the multiset of the neighbours' labels of level l. Features are the labels of levels 0 .. levels,
// each level for itself; a graph has as many of one as it has nodes with it.
// Labels are compared, not their hashes alone: two are one only if they are the same. Levels that
// only rename the labels of the one before are not repeated but weigh more. O(levels (nodes +
// arcs)) time. Throws Error if there are more than 2^31 labels; Interrupted or TimedOut between two
// levels.
[[nodiscard]] Histograms wl_histograms(const LabelledGraphs& graphs, int levels,
                                       const RunLimits& limits = {});

}  // namespace cupel
