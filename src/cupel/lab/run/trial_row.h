// Rows with the settings of a trial of a search.
#pragma once

#include "cupel/lab/protocol/protocol.h"
#include "cupel/lab/protocol/rule_choices.h"

namespace cupel {

// Puts a trial's settings into a row, or into what it does differently on some data sets: those
// that rows choose of the training rule into its `train`, but of a row that `trains_itself`.
template <class Part>
void put_trial(Part& part, bool trains_itself, const Settings& trial) {
  for (const auto& [name, value] : trial)
    if (trains_itself || !set_rule_choice(part.train, part.where, name, value))
      part.settings[name] = value;
}

// The row with a trial's settings on all data sets. They stand in for the row's own choices. Throws
// Error for a choice that the search does not cover, which would have no value.
[[nodiscard]] ModelRow with_trial(ModelRow row, const Settings& trial);

}  // namespace cupel
