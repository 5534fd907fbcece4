// Scores of facts over time, told apart by relation and group: what a report says beside a table.
#pragma once

#include <vector>

#include "cupel/judge/report/print.h"
#include "cupel/lab/results/results.h"

namespace cupel::report {

// In the order of cells, relations ("all" first), groups and metrics. Empty where the runs of the
// table are about something else.
[[nodiscard]] std::vector<EventScore> event_scores(const TableResults& table);

// Per data set and relation: how hard its questions are, as ratios of first-time to repeated and of
// inductive to transductive facts (Horawalavithana et al. 2022, EXPERT, section 5), and the table's
// metric by model and group. No rows where there are no event scores.
[[nodiscard]] Grid groups_grid(const ReportTable& table);

}  // namespace cupel::report
