// Submissions: predictions that are scored here, and what they have to answer.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "cupel/judge/report/table.h"
#include "cupel/lab/verify/submission.h"

namespace cupel {

struct CheckedSubmission {
  std::string folder;  // as it was named
  Submission submission;
  int asked = 0;                        // runs that must have predictions
  std::vector<SubmissionFault> faults;  // of these
  ReportTable table;                    // of one cell, of those that could be scored

  [[nodiscard]] bool suitable() const { return faults.empty(); }
  [[nodiscard]] const Cell& cell() const { return table.cell(0, 0); }
};
// Throws Error as read_submission() and rescore() do, and Interrupted.
[[nodiscard]] CheckedSubmission check_submission(const std::string& folder,
                                                 const PlanSources& sources,
                                                 const RunLimits& limits = {});
// As `cupel submit check --json` prints it.
[[nodiscard]] nlohmann::ordered_json checked_json(const CheckedSubmission& checked);

struct WrittenTasks {
  int tasks = 0;     // that were written, see write_tasks()
  std::string note;  // what to do about a protocol that may change; empty: nothing
};
// Throws Error as read_submission() and write_tasks() do, and Interrupted.
WrittenTasks write_submission_tasks(const std::string& folder, const PlanSources& sources,
                                    const RunLimits& limits = {});

}  // namespace cupel
