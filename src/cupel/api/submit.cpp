#include "cupel/api/submit.h"

#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace cupel {
namespace {

using Json = nlohmann::ordered_json;

Json faults_json(const std::vector<SubmissionFault>& faults) {
  Json out = Json::array();
  for (const SubmissionFault& fault : faults)
    out.push_back({{"split", fault.split}, {"init", fault.init}, {"text", fault.text}});
  return out;
}

}  // namespace

CheckedSubmission check_submission(const std::string& folder, const PlanSources& sources,
                                   const RunLimits& limits) {
  CheckedSubmission out;
  out.folder = folder;
  out.submission = read_submission(folder);
  Rescored rescored = rescore(out.submission, sources, limits);
  out.asked = rescored.asked;
  out.faults = std::move(rescored.faults);
  out.table = std::move(make_report(rescored.results).tables.at(0));
  return out;
}

Json checked_json(const CheckedSubmission& checked) {
  const Submission& submission = checked.submission;
  const Cell& cell = checked.cell();
  return {{"kind", "submission"},
          {"folder", checked.folder},
          {"protocol", submission.protocol.name},
          {"version", submission.protocol.version},
          {"pinned", submission.pinned},
          {"table", submission.protocol.tables.front().id},
          {"dataset", cell.column.dataset},
          {"model", submission.model},
          {"citation", submission.citation},
          {"metric", cell.column.measure.metric},
          {"deterministic", submission.deterministic},
          {"protocol_asks", cell.expected_n},
          {"asked", checked.asked},
          {"scored", cell.n},
          {"mean", cell.mean ? Json(*cell.mean) : Json()},
          {"sd", cell.sd ? Json(*cell.sd) : Json()},
          {"spread_kind", cell.spread_kind},
          {"suitable", checked.suitable()},
          {"faults", faults_json(checked.faults)}};
}

WrittenTasks write_submission_tasks(const std::string& folder, const PlanSources& sources,
                                    const RunLimits& limits) {
  const Submission submission = read_submission(folder);
  WrittenTasks out;
  out.tasks = write_tasks(submission, sources, limits);
  if (!submission.pinned)
    out.note = fmt::format(
        "version = \"{}\" in {} keeps predictions for this version of protocol '{}' "
        "from being scored by another one",
        version_text(submission), kSubmissionFile, submission.protocol.name);
  return out;
}

}  // namespace cupel
