// How work goes on and what came of it, in words and as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "cupel/judge/sequential/until_decided.h"
#include "cupel/lab/run/estimate.h"
#include "cupel/lab/run/pending.h"
#include "cupel/lab/run/refusal.h"
#include "cupel/lab/run/scheduler.h"

namespace cupel {

// "12 runs refused: kernel-s on HIV: REASON", one for each reason: configurations of a row are
// often refused for the same.
[[nodiscard]] std::vector<std::string> refused_texts(const std::vector<Refusal>& refused);
// What to know of the programs among these runs, a sentence each: which are not kept apart, and
// which may be edited unnoticed. Empty if there is nothing to say.
[[nodiscard]] std::vector<std::string> program_notes(const Pending& pending);
// Of Study::left_out(), in a sentence; "" where it is empty.
[[nodiscard]] std::string left_out_text(const std::vector<std::string>& rows);

// One line: "120 of 400 runs, 2,310 a minute, 7.3 s left; gcn on cora: epoch 40, 0.2 s".
[[nodiscard]] std::string progress_text(const Progress& progress);

// "400 runs done in 12 s (2,000 a minute); 100 were there; all results are in STORE".
[[nodiscard]] std::string summary_text(const ExecuteSummary& summary, const std::string& store);
// Runs that were asked for and have no score, now or from before.
[[nodiscard]] int runs_without_score(const ExecuteSummary& summary);
// "gcn on cora: 12 runs not started: REASON", but for what was told of before.
[[nodiscard]] std::vector<std::string> not_started_texts(const ExecuteSummary& summary);
// "30 cells: 23 equivalent, 0 different, 7 undecided, after 1,966 of the protocol's 48,600 runs of
// them (4.0 %)".
[[nodiscard]] std::string until_text(const UntilSummary& summary);
// Why a long run could not put down how far it was, in a sentence; "" where all could.
[[nodiscard]] std::string checkpoint_text(const ExecuteSummary& summary);

// The plan as `cupel run --dry-run --json` prints it.
[[nodiscard]] nlohmann::ordered_json estimate_json(const PlanEstimate& estimate);

}  // namespace cupel
