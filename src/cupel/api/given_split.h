// A protocol of facts over time with cuts of the user's own.
#pragma once

#include <string>

#include "cupel/lab/protocol/protocol.h"

namespace cupel {

// The protocol with all its tables cut in time as `split` says: the last times of the parts
// ("2018,2019,2021"), shares of the facts ("0.7,0.85"), or a graph of EXPERT ("iclr"), whose
// published cuts are meant; "": the protocol itself. How many splits there are and what is held out
// stays. Published values are of other cuts, and it has none. Its text says so, written anew
// without comments, so that it is another version. Throws Error naming `option` for a protocol that
// is not about facts over time, or for shares that are none; whether times fit the data shows when
// a plan is made.
[[nodiscard]] Protocol with_split(const Protocol& protocol, const std::string& split,
                                  const std::string& option);

}  // namespace cupel
