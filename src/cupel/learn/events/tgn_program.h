// The tensor programs of a temporal graph network.
//
// Rossi, Chamberlain, Frasca, Eynard, Monti and Bronstein, "Temporal Graph Networks for Deep
// Learning on Dynamic Graphs", 2020, in the form of its released code. With d = width, and [a ; b]
// for a over b:
//   Phi(x)_i = cos(w_i x + b_i), w_i = 10^(-9 (i - 1) / (d - 1)) and b = 0 at first
//   mem_i <- GRU([mem_i ; mem_j ; e ; Phi(t - last_i)], mem_i)     (the message of (i, j, e, t))
//   q = W_q [mem_i ; Phi(0)], k_j = W_k [mem_j ; e_ij ; Phi(t - t_ij)], v_j the same by W_v
//   z_i = W_2 relu(W_1 [W_o (two heads of softmax(q k / sqrt(d)) v) ; mem_i])
//   logit(i, j) = w_4 relu(W_3 [z_i ; z_j ; e])
// Linear layers have biases, and attention is zero, not its bias, where nothing is attended to.
#pragma once

#include "cupel/engine/program/builder.h"

namespace cupel {

struct TgnShape {
  Index width = 100;
  Index kinds = 0;             // of facts, each with an embedding e; 0: facts have none
  double dropout = 0.1;        // of weights of attention
  bool trained_times = false;  // whether w and b of Phi are trained
};

// Constants, in the order in which the programs have them, over the row spaces `node` (entities
// that have a message), `root` (entities at a time), `slot` (neighbours of roots) and `pair`:
struct TgnConstants {
  enum : int {
    kOwn,          // node x width: states before the message. What `embed` has here instead is the
                   // states with it
    kPartner,      // node x width
    kElapsed,      // node x 1: time
    kRootNodes,    // root x node: one entry, or none
    kSlotNodes,    // slot x node: one entry
    kSlotElapsed,  // slot x 1: time
    kRootSlots,    // root x slot
    kAttends,      // root x 1: 1 if the root has a slot, else 0
    kPairSources,  // pair x root: one entry
    kPairTargets,  // pair x root: one entry
    kNodeKinds,    // node x kinds: one entry. This and what follows only with kinds
    kSlotKinds,    // slot x kinds: one entry
    kPairKinds,    // pair x kinds: one entry
    kCount
  };
};

// All programs have all parameters, in one order, and all constants. Immutable.
struct TgnPrograms {
  explicit TgnPrograms(const TgnShape& shape);
  Program update;  // node x width: states with the message
  Program embed;   // root x width: z
  Program logits;  // pair x 1, from messages on

  // Places among the parameters of those by which pairs are scored from embeddings: W_3 as width x
  // width for each end and for e (-1: none), and its bias; w_4, width x 1, and its bias.
  int of_source = -1, of_target = -1, of_kind = -1, hidden_bias = -1, out = -1, out_bias = -1;
  int kinds = -1;  // kinds x width: the embeddings e; -1: none
};

}  // namespace cupel
