// The tensor programs of temporal graph attention.
//
// Xu, Ruan, Korpeoglu, Kumar and Achan, "Inductive Representation Learning on Temporal Graphs",
// ICLR 2020, equations 4 to 8, for entities without features. An entity i at time t has
//   h^0_i(t) = 0
//   h^l_i(t): attention of receivers h^(l-1)_i(t) to senders [h^(l-1)_j(t_ij) ; e_ij ; Phi(t -
//   t_ij)],
// of meetings (i, j, e_ij, t_ij) before t. temporal_layers.h has Phi, the attention, and the logits
// of pairs.
#pragma once

#include "cupel/learn/events/temporal_layers.h"

namespace cupel {

struct TgatShape {
  Index width = 100;
  Index layers = 2;
  Index kinds = 0;             // of facts, each with an embedding e; 0: facts have none
  double dropout = 0.1;        // of weights of attention
  bool trained_times = false;  // whether w and b of Phi are trained
  bool residual = false;       // AttentionShape::residual
};

// LayerConstants of each layer, from the first on, and then those of all.
struct TgatConstants {
  enum : int { kPairSources, kPairTargets, kPairKinds, kOfAll };  // pair x row of the last layer
};

// Both programs have all parameters, in one order, and all constants. Immutable.
struct TgatPrograms {
  explicit TgatPrograms(const TgatShape& shape);
  Program embed;   // row of the last layer x width
  Program logits;  // pair x 1
  PairScorerPlaces scorer;
};

}  // namespace cupel
