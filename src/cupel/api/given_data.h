// Data sets that a program has in memory: made from its arrays, and as columns of a protocol.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cupel/data/dataset.h"
#include "cupel/data/formats/node_graph.h"
#include "cupel/data/formats/parts.h"
#include "cupel/lab/plan/sources.h"

namespace cupel {

// The arrays of a graph. `where` of each is its name in messages.
struct GivenGraph {
  NodeGraph arrays;                      // y and x may be absent: nothing is asked, or no feature
  std::optional<CsrArrays> sparse_x;     // in place of x; values that are all 1 are not kept
  std::optional<std::int64_t> nodes;     // needed where there is neither y nor x
  std::vector<std::string> class_names;  // one for each class, in their order; empty: their values
};
// Throws Error naming the array, the value and what to do, as readers of files do; also for splits
// that overlap or hold nodes without a label.
[[nodiscard]] Dataset dataset_of(const GivenGraph& graph);

// A set of graphs whose arrays are those of all, one after the other.
struct GivenSet {
  std::string name;
  std::vector<std::int64_t> start;  // graphs + 1: graph g has nodes [start[g], start[g + 1])
  std::vector<Offset> edge_start;   // graphs + 1: its edges, which lead from node to node of it
  NpyArray edge_index;              // 2 x edges, one of which stands for both arcs
  std::optional<NpyArray> x, edge_attr;  // nodes x features, edges x attributes
  // A class for each graph, or answers to several tasks of yes and no (graphs x tasks).
  std::vector<std::int64_t> classes;
  std::vector<std::string> class_names;  // as of a graph
  std::optional<NpyArray> answers;       // 0, 1, NaN where it is not known; in place of classes
};
// Throws Error as above. What becomes of edges: data/formats/graph_union.h.
[[nodiscard]] Dataset dataset_of(const GivenSet& set);

// Facts over time, in any order: arrays of one axis with an entry for each.
struct GivenFacts {
  std::string name;
  NpyArray source, target, time;
  std::optional<NpyArray> relation;         // places in relation_names; none: all are of the first
  std::vector<std::string> relation_names;  // at least one; they have a direction
  // Whose places ends are; empty: ends are any numbers (data/facts/temporal_edges.h).
  std::vector<std::string> entity_names;
  std::string time_unit;  // as of TemporalFacts
};
// Throws Error as above.
[[nodiscard]] Dataset dataset_of(const GivenFacts& facts);

// Data sets in memory by the references that a plan asks for. given_reference() of a name is none
// of the catalog and no path that exists; one that was loaded stands for what it was loaded from.
using GivenData = std::map<std::string, std::shared_ptr<const Dataset>>;
[[nodiscard]] std::string given_reference(const std::string& name);

// `sources`, and these.
[[nodiscard]] PlanSources with_given(PlanSources sources, GivenData given);

}  // namespace cupel
