// The tensor program of RE-Net in the form of PyTorch Geometric.
//
// torch_geometric/nn/models/re_net.py of version 2.8. With [a ; b] for a over b, at each of the
// last steps u of the data's time, whatever happened in it:
//   m_u = mean of e_v over all v that s met by r at u; zeros without one
//   h <- GRU([e_s ; m_u ; w_r], h)
//   logits of o: W [e_s ; h ; w_r] + b
// Where the source is asked another GRU, W and b do so with e_o and what o was met by; e and w are
// shared. The mean aggregator and this form of the rest are of Jin, Qu, Jin and Ren, "Recurrent
// Event Network", EMNLP 2020 (section 3.2), whose encoder also reads the state of the graph.
#pragma once

#include <vector>

#include "cupel/engine/program/builder.h"
#include "cupel/learn/events/re_net/history_shape.h"

namespace cupel {

// Constants, in the order in which the program has them: one, and then those of either end. Parts
// that many queries share have rows of their own: a given entity, a content (who was met in a
// step, and how often).
struct PairConstants {
  enum : int {
    kEntities,  // entity x all entities: one entry
    kFirstEnd,
  };
  enum OfEnd : int {
    kGivenEntity,      // given x entity: one entry
    kContentEntities,  // content x entity: a mean; the first has none
    kHistories,        // history x content: `length` entries, step by step
    kHistoryGiven,     // history x given: one entry
    kHistoryRelation,  // history x relations: one entry
    kQueryHistory,     // query x history: one entry, or none if it is of the other end
    kOfEnd
  };
  static constexpr int kCount = kFirstEnd + 2 * kOfEnd;
  static constexpr int at(int end, int constant) { return kFirstEnd + end * kOfEnd + constant; }
};

// query x width: h after dropout. `answers`: by end_of().
[[nodiscard]] Program trace_re_net_pyg(const ReNetShape& shape, std::vector<ReNetAnswers>& answers);

}  // namespace cupel
