// The tensor programs of a temporal graph network.
//
// Rossi, Chamberlain, Frasca, Eynard, Monti and Bronstein, "Temporal Graph Networks for Deep
// Learning on Dynamic Graphs", 2020, in the form of its released code. With d = width, and [a ; b]
// for a over b:
//   mem_i <- GRU([mem_i ; mem_j ; e ; Phi(t - last_i)], mem_i)     (the message of (i, j, e, t))
//   z_i(t): attention of receivers mem_i to senders [mem_j ; e_ij ; Phi(t - t_ij)]
// and with further layers z of the one below, as of the same t, in place of each mem here.
// temporal_layers.h has Phi, the attention, and the logits of pairs.
//
// PyTorch Geometric's example has another z, which does not depend on the time that is asked: its
// attention is TransformerConv's (transformer_layer.h) to [mem_j ; Phi(last_j - t_ij) ; e_ij],
// where last_j is the time of the last message of j.
#pragma once

#include "cupel/learn/events/temporal_layers.h"

namespace cupel {

enum class TgnForm { kReleased, kPyg };

struct TgnShape {
  Index width = 100;
  Index kinds = 0;             // of facts, each with an embedding e; 0: facts have none
  double dropout = 0.1;        // of weights of attention
  bool trained_times = false;  // whether w and b of Phi are trained
  TgnForm form = TgnForm::kReleased;
  Index layers = 1;  // of attention; one in PyTorch Geometric's form
};

// Constants, in the order in which the programs have them, over the row spaces `node` (entities
// that have a message), `receiver` (entities), `root` (these at a time), `slot` (neighbours of
// roots) and `pair`. In PyTorch Geometric's form receivers take the place of roots in all that
// follows kSlotElapsed. Where there are several layers these are of the first, `root` is a row of
// it, pairs are of rows of the last, and the LayerConstants of each of the others follow:
struct TgnConstants {
  enum : int {
    kOwn,      // node x width: states before the message. What `embed` has here instead is the
               // states with it
    kPartner,  // node x width
    kElapsed,  // node x 1: time
    kReceiverNodes,  // receiver x node: one entry, or none
    kRootReceivers,  // root x receiver: one entry
    kSlotNodes,      // slot x node: one entry
    kSlotElapsed,    // slot x 1: time
    kRootSlots,      // root x slot
    kAttends,        // root x 1: 1 if the root has a slot, else 0
    kPairSources,    // pair x root: one entry
    kPairTargets,    // pair x root: one entry
    kNodeKinds,      // node x kinds: one entry. This and what follows only with kinds
    kSlotKinds,      // slot x kinds: one entry
    kPairKinds,      // pair x kinds: one entry
    kCount
  };
};

// All programs have all parameters, in one order, and all constants. Immutable.
struct TgnPrograms {
  explicit TgnPrograms(const TgnShape& shape);
  Program update;  // node x width: states with the message
  Program embed;   // root x width: z
  Program logits;  // pair x 1, from messages on

  PairScorerPlaces scorer;
};

}  // namespace cupel
