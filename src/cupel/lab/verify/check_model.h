// Whether a program keeps to what is asked of one, on made data that take a moment.
#pragma once

#include <string>
#include <vector>

#include "cupel/lab/plan/sources.h"
#include "cupel/lab/protocol/protocol.h"
#include "cupel/lab/run/executor.h"

namespace cupel {

struct ModelCheck {
  enum class Outcome { kGood, kWarning, kBad };
  Outcome outcome = Outcome::kGood;
  std::string text;  // a sentence
};

// Runs a row of the protocol on a generated data set: the first initialisation twice and another
// one, as sessions of runs do. Its own data, split and preparation are not looked at. After the
// first that is bad nothing more is tried. Throws Error for a kind of task of which nothing can be
// generated, NotStarted where the program cannot be started, and Interrupted.
[[nodiscard]] std::vector<ModelCheck> check_model(const Protocol& protocol, const ModelRow& row,
                                                  const PlanSources& sources,
                                                  const Executor& executor,
                                                  const RunLimits& limits = {});

}  // namespace cupel
