// From the runs of a store to what effectiveness is predicted from and for.
#pragma once

#include <string>
#include <vector>

#include "cupel/base/parallel.h"
#include "cupel/judge/effectiveness/effectiveness.h"
#include "cupel/judge/prediction/evaluate.h"
#include "cupel/lab/plan/plan.h"
#include "cupel/lab/protocol/protocol.h"

namespace cupel {

struct PredictionData {
  std::vector<PredictionSample> samples;  // by data set, in the order of names, and split
  std::vector<std::string> notes;         // what was left out, and why
};

// A data set of the results, prepared as the table of the protocol says. Throws Error for a table
// that the protocol does not have and where data cannot be loaded.
[[nodiscard]] Dataset dataset_of(const Protocol& protocol, const std::string& table,
                                 const std::string& name, const PlanSources& sources);

// One sample for each data set and split with scores of all rows that the data set has parts of.
// Features are those of the training and validation graphs of the split, after preparation.
// Effectiveness is equation 1 of the split's own test scores; of structure and attributes it is the
// mean, or what is there, as in the code of Li et al. 2024. Where a part names several rows, the
// best over all splits stands for them on each.
//
// `results` must be of `protocol`. A split whose lower score is 0 has no effectiveness and is left
// out, with a note. Throws Error as assess_effectiveness does, for a data set that is no set of
// graphs, where data cannot be loaded, and for too few data sets before they are.
[[nodiscard]] PredictionData prediction_data(const Results& results, const Protocol& protocol,
                                             const EffectivenessRequest& request,
                                             const PlanSources& sources, Threads threads);

}  // namespace cupel
