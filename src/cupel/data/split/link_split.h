// Splits of links: which pairs their ids stand for, and which of them carry messages.
#pragma once

#include "cupel/data/graph/pairs.h"
#include "cupel/data/split/split.h"

namespace cupel {

// The links that a resolved scheme of pairs splits: those of the prepared graph, and those that its
// file adds to them. Ids of its splits are places in this list. Throws Error naming the way out for
// a set of graphs, a graph without links, arcs of one direction under a scheme without direction,
// and a scheme with direction where every arc has its way back: that would tell of a tested arc.
[[nodiscard]] PairList links_of(const Dataset& dataset, const SplitScheme& scheme);

// Whether validation links carry messages when test pairs are asked for; training links always do.
// For validation pairs, training links alone do.
[[nodiscard]] bool valid_carries_messages(const SplitScheme& scheme);

// The pairs of these ids, in their order.
[[nodiscard]] std::vector<Pair> pairs_at(const PairList& links, const std::vector<Index>& ids);

// links_of() for the links that a file of pairs splits, which need not be resolved.
[[nodiscard]] PairList links_of(const Dataset& dataset, const SplitFile& file);

// The splits of a file of pairs by their places in `links`, parts ascending. Throws Error naming
// file, split and pair for one that is no link of the graph, or of nodes that it does not have.
[[nodiscard]] std::vector<Split> ids_of(const SplitFile& file, const Dataset& dataset,
                                        const PairList& links);

}  // namespace cupel
