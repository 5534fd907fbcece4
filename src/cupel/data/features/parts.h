// What kinds of features have in common.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "cupel/data/features/features.h"

namespace cupel {

// graphs + 1: the first node of each graph. One graph is a set of one.
[[nodiscard]] std::vector<Index> graph_starts(const FeatureSource& source);

// Throws Error naming `kind` unless every arc has its reverse and there is neither a self-loop nor
// a repeated arc. Sets of graphs are so by contract.
void require_simple(const FeatureSource& source, const std::string& kind);

// Throws Error "WHERE: ...; WAY_OUT" where a dense matrix of features would have more than 2^32
// values, 16 GiB.
void check_dense(Index rows, std::int64_t columns, const std::string& where,
                 const std::string& way_out);

// A column of numbers.
[[nodiscard]] Matrix column(const std::vector<double>& values);

// Nodes and stored entries of each graph: all that features of degrees need.
struct GraphSize {
  Index nodes = 0;
  Offset entries = 0;  // sum of degrees
  // 0 for a graph without nodes.
  double average_degree() const {
    return nodes == 0 ? 0 : static_cast<double>(entries) / static_cast<double>(nodes);
  }
};
[[nodiscard]] std::vector<GraphSize> graph_sizes(const FeatureSource& source);

// The setting "k" of "cycles", of nodes and of graphs: lengths with '-' between.
[[nodiscard]] OptionSpec cycle_lengths_setting();
// "3-4-6" to {3, 4, 6}. Throws Error for a text that is no such list, and unless `source` is
// simple.
[[nodiscard]] std::vector<Index> cycle_lengths(const FeatureSource& source,
                                               const Options& settings);

// Sums of the rows of each graph.
[[nodiscard]] Matrix sum_over_graphs(const FeatureSource& source, const Features& features);

}  // namespace cupel
