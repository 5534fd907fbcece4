// Where the clusters of a mapper graph are drawn.
#pragma once

#include <cstdint>
#include <vector>

#include "cupel/judge/picture/mapper.h"

namespace cupel {

enum class PictureLayout : std::uint8_t {
  // Places on the page keep to distances in the mapper graph, by majorising the stress
  //   sum over pairs i < j of d_ij^-2 (|x_i - x_j| - d_ij)^2,   d: edges on a shortest path
  // (E. Gansner, Y. Koren and S. North, "Graph drawing by stress majorization", GD 2004), as
  // Graphviz's neato does, with which the published figures were laid out. Each component alone,
  // from where its clusters are in the lens; components are packed around the largest (K.
  // Freivalds, U. Dogrusoz and P. Kikusts, "Disconnected graph layout and the polyomino packing
  // approach", GD 2001).
  kStress,
  kLens,  // where the cluster's nodes are on average in the lens
};

struct PlacedClusters {
  PictureLayout kind = PictureLayout::kStress;  // the one that was used
  std::vector<LensPoint> places;  // by cluster, y upwards; of those not drawn they mean nothing
};

// With more clusters to draw than kMostByStress, kLens is used whatever was asked for: stress takes
// 4 bytes and some 100 steps for each pair of a component's clusters. Deterministic; pure.
inline constexpr int kMostByStress = 2500;
[[nodiscard]] PlacedClusters lay_out(const MapperGraph& graph, PictureLayout wanted);

}  // namespace cupel
