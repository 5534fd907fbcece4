// Whether a program keeps to what is asked of one, on made data that take a moment.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
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
[[nodiscard]] const char* word_of(ModelCheck::Outcome outcome);  // "good", "warning", "bad"
// [{"outcome", "text"}]
[[nodiscard]] nlohmann::ordered_json checks_json(const std::vector<ModelCheck>& checks);

// What a run of a check has, where the row has no less: whether a program hangs is told in seconds.
inline constexpr double kCheckSeconds = 20;

// Runs a row of the protocol on a generated data set: the first initialisation twice and another
// one, as sessions of runs do, and one as a search does. Its own data, split and preparation are
// not looked at. After the first that is bad nothing more is tried. Each run has `seconds`, else
// kCheckSeconds or less, and is told of them. Throws Error for a kind of task of which nothing can
// be generated, NotStarted where the program cannot be started, and Interrupted.
[[nodiscard]] std::vector<ModelCheck> check_model(const Protocol& protocol, const ModelRow& row,
                                                  const PlanSources& sources,
                                                  const Executor& executor,
                                                  const RunLimits& limits = {},
                                                  const std::optional<double>& seconds = {});

}  // namespace cupel
