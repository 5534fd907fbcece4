// EdgeBank: what was, will be. Poursafaei et al., "Towards Better Evaluation for Dynamic Link
// Prediction", NeurIPS 2022 (DGB), section 5; windows also as Huang et al., "Temporal Graph
// Benchmark", NeurIPS 2023 (TGB), read them.
#pragma once

#include <memory>

#include "cupel/learn/events/event_model.h"

namespace cupel {

// Which of the facts that were learnt are remembered when a question is asked. T is the last time
// learnt; a fact stated several times counts by its last time.
enum class EdgeMemory : std::uint8_t {
  unlimited,        // all
  quantile_window,  // of DGB: from the quantile 1 - share of the times of all facts learnt so far
                    // (between two facts as numpy interpolates) up to T. It moves with each fact.
  span_window,      // of TGB: from T - w on, both ends within; w is `share` of the span of time of
                    // the training facts given to fit(), and where there were none, of all learnt
  recurrence_window,  // of DGB: from T - w on; w is the sum, over the pairs that repeat, of the
                      // mean gap between their facts, divided by the number of all pairs
  repeated,           // facts stated at least as often as the mean fact
};

struct EdgeBankSettings {
  EdgeMemory memory = EdgeMemory::unlimited;
  // Whether (s, r, o) is remembered, or the pair (s, o) whatever the relation.
  bool relations = true;
  double share = 0.15;  // of the first two windows; above 0, at most 1
};

// Scores 1 or 0. Pairs have a direction. A fact of a relation without direction is one fact,
// whichever way it is written; where relations are not told apart and some of them have a direction
// and some do not, it stands for the pair both ways, and is asked for either way. A loop is a pair.
// A fact stated twice at one time is two facts with a gap of 0, as in DGB.
//
// Memory for each different fact (or pair): 26 to 52 bytes, and 9 to 18 more while it grows; 8 to
// 16 more in a window, 20 to 40 more in that of recurrence, 4 to 8 more for `repeated`. That of
// quantiles: 8 bytes for `share` of all facts. From the first rank() on 8 to 16 bytes more, and 48
// for each entity. 10^7 different facts of 10^6 entities took 0.4 GB unlimited, 0.5 GB with
// recurrence, and 0.15 GB more when ranked.
//
// score() looks up one pair for each fact; rank() walks through all pairs of the entity given, at
// the end where it is. Throws Error for a share out of range or too many relations to be told apart
// (FactKeys).
[[nodiscard]] std::unique_ptr<EventModel> make_edge_bank(const EventWorld& world,
                                                         const EdgeBankSettings& settings);

}  // namespace cupel
