// The tensor programs of RE-Net.
//
// Jin, Qu, Jin and Ren, "Recurrent Event Network: Autoregressive Structure Inference over Temporal
// Knowledge Graphs", EMNLP 2020, in the form of its released code. With [a ; b] for a over b, at
// each step u of the history of s, which is the last at which s was at this end of a fact:
//   n_v = relu(mean over v's messages (w, k) of B1_k e_w + O1 e_v)            (first layer)
//   n'_s = mean over s's messages (v, k) of B2_k n_v + O2 n_s                 (second layer)
//   g <- GRU([n'_s ; e_s ; w_r ; H_u], g),  q <- GRU'([n'_s ; e_s ; H_u], q)  (equations 3, 5)
//   logits of o: W_o [e_s ; g ; w_r] + b;  logits of r: W_r [e_s ; q] + b'
//   H_u = GRU"(max over v of n"_v of steps ..., u - 1, u)                     (equation 4)
// B_k is of 2 x 2 blocks; n" is of two layers of its own.
#pragma once

#include "cupel/engine/program/builder.h"
#include "cupel/learn/events/re_net/history_shape.h"

namespace cupel {

// Constants, in the order in which the programs have them. GraphRows says what the first ones are.
struct GraphConstants {
  enum : int {
    kEntities,
    kMessageEntity,
    kMessageKind,
    kNodeMessages,
    kNodeEntity,
    kNodeMessageNode,
    kNodeMessageKind,
    kReceiverMessages,
    kReceiverNode,
    kCount
  };
};
struct ReNetConstants : GraphConstants {
  enum : int {
    kStates = GraphConstants::kCount,  // step x width: H
    kReceiverStep,                     // receiver x step: one entry
    kSubjectEntity,                    // subject x entity: one entry
    kSubjectReceivers,                 // subject x receiver: its history
    kQueryReceivers,                   // query x receiver: the same, of its subject
    kQueryKind,                        // query x 2 relations: one entry
    kQuerySubject,                     // query x subject: one entry
    kCount
  };
};
struct GlobalConstants : GraphConstants {
  enum : int {
    kStepReceivers = GraphConstants::kCount,  // step x receiver: who is active
    kWindowSteps,                             // window x step: the steps up to one
    kOnes,                                    // window x 1: ones
    kCount
  };
};

// query x 2 width: [g ; q], both after dropout.
[[nodiscard]] Program trace_re_net(const ReNetShape& shape, ReNetAnswers& answers);

// Places of the parameters by which the next step's sources and targets are predicted.
struct GlobalAnswers {
  int of_source = -1, source_bias = -1, of_target = -1, target_bias = -1;
};

// window x width: H of the last step of each window.
[[nodiscard]] Program trace_global(const ReNetShape& shape, GlobalAnswers& answers);

}  // namespace cupel
