// The mapper graph of a graph: what a lens of two columns groups, and how the groups hang together.
//
// C. Bodnar, C. Cangea and P. Lio, "Deep graph mapper: seeing graphs through the neural lens",
// arXiv:2002.03864, 2020. The lens is cut into cells; each connected piece of the graph within a
// cell is a cluster, a node of the mapper graph. Choices of detail are those of the code that the
// authors released.
//
// Pure functions, safe to call from many threads.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "cupel/base/matrix.h"

namespace cupel {

enum class MapperEdges : std::uint8_t {
  kSharedArcs,   // SDGM (appendix B there): edges of the graph between two clusters
  kSharedNodes,  // DGM: nodes that two clusters have in common, which takes an overlap
};

struct MapperSettings {
  int intervals = 20;  // of each axis; 1 to kMostIntervals
  double overlap = 0;  // each interval grows by overlap / (intervals + 1) at both ends; 0 to 1
  MapperEdges edges = MapperEdges::kSharedArcs;
  double epsilon = 0.05;  // of kSharedArcs: edges with a smaller weight are left out; 0 to 1
  Index smallest = 8;     // components with fewer nodes are marked as not drawn; 0 or more
};
inline constexpr int kMostIntervals = 1000;

using LensPoint = std::array<double, 2>;

struct Cluster {
  int column = 0, row = 0;   // its cell: intervals of the first and the second axis, from 0
  std::vector<Index> nodes;  // ascending, at least one; connected in the graph within the cell
  LensPoint cell_mean{};     // of the lens over all nodes of its cell: the released colour value
  LensPoint mean{};          // of the lens over its own nodes
  int component = 0;         // of the mapper graph, numbered by the smallest cluster
  bool drawn = true;         // false: its component is too small
};

struct ClusterEdge {
  Index source = 0, target = 0;  // clusters, source < target
  Offset count = 0;              // what it is made of: edges, or shared nodes
  double weight = 0;             // count / (largest count + 1e-8)
};

struct MapperGraph {
  std::vector<Cluster> clusters;   // by column, then row, then smallest node
  std::vector<ClusterEdge> edges;  // those that epsilon leaves, by (source, target)
  Offset largest_count = 0;        // over all pairs of clusters, also those left out
  Offset pairs_left_out = 0;       // pairs of clusters that epsilon takes away
};

// Each column of nodes x 2 brought to [0, 1): f - min, then / (max + 1e-6). Throws Error for a
// value that is not finite.
[[nodiscard]] std::vector<LensPoint> normalised_lens(const Matrix& lens);

// The mapper graph of `graph`, taken as undirected and simple, with a lens as normalised_lens()
// gives it. Interval i of n is [i/n - g, (i+1)/n + g], closed at both ends, so that a node on a
// border is in two. With an overlap of at most 1 a node is in at most 3 x 3 cells: memory is linear
// in nodes + arcs, time in arcs times 81 at most, and linear without overlap. A lens or settings
// out of range are the caller's bug (std::logic_error).
[[nodiscard]] MapperGraph mapper_graph(const Csr& graph, const std::vector<LensPoint>& lens,
                                       const MapperSettings& settings);

}  // namespace cupel
