// Which data sets of a protocol are on this machine.
#pragma once

#include <string>
#include <vector>

#include "cupel/lab/plan/plan.h"

namespace cupel {

struct AtHand {
  Selection selection;  // without what is not at hand
  // Data sets by the names of their columns; tables whose groups of nodes need a data set that is
  // not there ("table 3, which needs squirrel-directed").
  std::vector<std::string> left_out;
  std::vector<Absent> absent;  // what is not there
};

// What is at hand of `selection`, as `sources` tell it. Nothing is read. Throws Error as
// check_selection() does, and if nothing is left.
[[nodiscard]] AtHand at_hand(const Protocol& protocol, const Selection& selection,
                             const PlanSources& sources);

// What is left out, and how to get it: a line without its end. Empty if everything is at hand.
[[nodiscard]] std::string left_out_text(const AtHand& at_hand);

}  // namespace cupel
