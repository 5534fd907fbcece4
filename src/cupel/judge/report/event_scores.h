// Scores of facts over time, told apart by relation and group: what a report says beside a table.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cupel/data/facts/groups.h"
#include "cupel/judge/report/print.h"
#include "cupel/lab/results/results.h"

namespace cupel::report {

// In the order of cells, relations ("all" first), groups and metrics. Empty where the runs of the
// table are about something else.
[[nodiscard]] std::vector<EventScore> event_scores(const TableResults& table);

// Sentences on how a table was asked, as far as that is not what is usual, and on steps of time
// that its batches cut. None where its runs are about something else.
[[nodiscard]] std::vector<std::string> event_notes(const TableResults& table);

// The questions of a data set's relation ("all": of all), as any model was asked them.
struct AskedRelation {
  std::string dataset, relation;
  std::map<std::string, std::int64_t> questions;  // by group, by the table's metric
  [[nodiscard]] GroupCounts counts() const;       // of the five groups
  std::map<int, GroupCounts> cuts = {};           // the same of each split
  std::string ends = {};                          // EventScore
  // The questions of a group, "all" or one of the five, whose answer stands in no fact of training,
  // whatever models make of them. Nothing where that is not known: of other groups, and where no
  // end is asked for or groups are not told apart.
  [[nodiscard]] std::optional<std::int64_t> unseen_answers(const std::string& group) const;
};
// In the order of the table's event scores.
[[nodiscard]] std::vector<AskedRelation> asked_relations(const ReportTable& table);

// Per data set and relation: how hard its questions are, as ratios of first-time to repeated and of
// inductive to transductive facts (Horawalavithana et al. 2022, EXPERT, section 5), over splits
// their means, and the table's metric by model and group. No rows where there are no event scores.
[[nodiscard]] Grid groups_grid(const ReportTable& table);
// The same by how long the source had been silent, and by how many steps ahead of what was known.
[[nodiscard]] Grid staleness_grid(const ReportTable& table);
[[nodiscard]] Grid horizon_grid(const ReportTable& table);

}  // namespace cupel::report
