// A part of a protocol, in the spelling of users.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cupel/lab/plan/plan.h"

namespace cupel {

// As of Selection, but for `choices`, which are written "layers=1,2" or, of one row,
// "sage.layers=1".
struct PartRequest {
  std::vector<std::string> datasets, models, tables, choices;
  int splits = 0, inits = 0;
  bool available = false;  // only data sets that are at hand
};

struct ProtocolPart {
  Selection selection;
  std::string left_out;  // what is not at hand of what is available, in a sentence; "": nothing
};

// Nothing is read; `sources` is called only to see what is at hand. Throws Error for what is no
// choice, and as at_hand() does.
[[nodiscard]] ProtocolPart part_of(const Protocol& protocol, const PartRequest& request,
                                   const std::function<PlanSources()>& sources);

}  // namespace cupel
