// How work goes on and what came of it, in words and as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "cupel/lab/run/estimate.h"
#include "cupel/lab/run/scheduler.h"

namespace cupel {

// One line: "120 of 400 runs, 2,310 a minute, 7.3 s left; gcn on cora: epoch 40, 0.2 s".
[[nodiscard]] std::string progress_text(const Progress& progress);

// "400 runs done in 12 s (2,000 a minute); 100 were there; all results are in STORE".
[[nodiscard]] std::string summary_text(const ExecuteSummary& summary, const std::string& store);
// Why a long run could not put down how far it was, in a sentence; "" where all could.
[[nodiscard]] std::string checkpoint_text(const ExecuteSummary& summary);

// The plan as `cupel run --dry-run --json` prints it.
[[nodiscard]] nlohmann::ordered_json estimate_json(const PlanEstimate& estimate);

}  // namespace cupel
