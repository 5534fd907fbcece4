#include "cupel/api/study_words.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "cupel/base/words.h"

namespace cupel {

std::vector<std::string> refused_texts(const std::vector<Refusal>& refused) {
  std::vector<std::pair<std::string, int>> runs;
  for (const Refusal& refusal : refused) {
    const std::string text = refusal.text();
    const auto known =
        std::find_if(runs.begin(), runs.end(), [&](const auto& one) { return one.first == text; });
    if (known == runs.end())
      runs.emplace_back(text, refusal.runs);
    else
      known->second += refusal.runs;
  }
  std::vector<std::string> out;
  for (const auto& [text, count] : runs)
    out.push_back(fmt::format("{} refused: {}", counted(count, "run"), text));
  return out;
}

std::vector<std::string> program_notes(const Pending& pending) {
  std::vector<std::string> out = {isolation_note(pending), files_note(pending)};
  std::erase(out, "");
  return out;
}

std::string left_out_text(const std::vector<std::string>& rows) {
  if (rows.empty()) return "";
  return fmt::format("nothing is published to decide about, so these are not run: {}",
                     fmt::join(rows, ", "));
}

std::string progress_text(const Progress& progress) {
  std::string out = fmt::format("{} of {}", grouped(progress.done), counted(progress.total, "run"));
  if (progress.done > 0)
    out += fmt::format(", {} a minute, {} left", grouped(std::llround(progress.runs_per_minute)),
                       duration_text(progress.seconds_left));
  if (progress.failed > 0) out += fmt::format(", {} failed", progress.failed);
  if (progress.elsewhere > 0)
    out += fmt::format("; {} of them in the hands of another process", grouped(progress.elsewhere));
  // What takes long is the run that began first.
  if (const auto& run = progress.oldest) {
    out += fmt::format("; {} on {}: ", run->model, run->dataset);
    if (run->share > 0)
      out += fmt::format("{} % of its training, ", std::floor(100 * run->share));
    else if (run->epochs >= 0)
      out += fmt::format("epoch {}, ", grouped(run->epochs));
    out += duration_text(run->seconds);
  } else if (!progress.model.empty()) {
    out += fmt::format("; last: {} on {}", progress.model, progress.dataset);
  }
  return out;
}

std::string summary_text(const ExecuteSummary& summary, const std::string& store) {
  std::string out =
      fmt::format("{} done in {}", counted(summary.done, "run"), duration_text(summary.seconds));
  if (summary.seconds >= 0.5)
    out +=
        fmt::format(" ({} a minute)", grouped(std::llround(60 * summary.done / summary.seconds)));
  if (summary.stored > 0) out += fmt::format("; {} were there", grouped(summary.stored));
  if (summary.diverged > 0) out += fmt::format("; {} diverged", summary.diverged);
  if (summary.not_started > 0) out += fmt::format("; {} not started", summary.not_started);
  return out + fmt::format("; all results are in {}", store);
}

int runs_without_score(const ExecuteSummary& summary) {
  return summary.failed + summary.timed_out + summary.not_started + summary.failed_before;
}

std::vector<std::string> not_started_texts(const ExecuteSummary& summary) {
  std::vector<std::string> out;
  for (const NotStartedRow& row : summary.not_started_rows)
    if (!row.announced)
      out.push_back(fmt::format("{} on {}: {} not started: {}", row.model, row.dataset,
                                counted(row.runs, "run"), row.reason));
  return out;
}

std::string until_text(const UntilSummary& summary) {
  return fmt::format(
      "{}: {} equivalent, {} different, {} undecided, after {} of the protocol's {} runs of them "
      "({:.1f} %)",
      counted(summary.cells, "cell"), summary.equivalent, summary.different, summary.undecided,
      grouped(summary.asked_runs), grouped(summary.full_runs),
      100.0 * static_cast<double>(summary.asked_runs) / static_cast<double>(summary.full_runs));
}

std::string checkpoint_text(const ExecuteSummary& summary) {
  if (summary.checkpoint_problem.empty()) return "";
  return "long runs could not put down how far they were: " + summary.checkpoint_problem;
}

nlohmann::ordered_json estimate_json(const PlanEstimate& estimate) {
  auto lines = nlohmann::ordered_json::array();
  for (const PlanEstimate::Line& line : estimate.lines) {
    lines.push_back(
        {{"dataset", line.dataset},
         {"model", line.model},
         {"configurations", line.configurations},
         {"runs", line.runs},
         {"seconds_per_run", line.seconds_per_run},
         {"memory_bytes", line.memory_bytes == 0 ? nlohmann::ordered_json()
                                                 : nlohmann::ordered_json(line.memory_bytes)},
         {"measured_runs", line.measured}});
  }
  auto refused = nlohmann::ordered_json::array();
  for (const Refusal& refusal : estimate.refused)
    refused.push_back({{"dataset", refusal.family->dataset->name},
                       {"model", refusal.family->row},
                       {"runs", refusal.runs},
                       {"reason", refusal.reason}});
  return {{"runs", estimate.runs},   {"stored", estimate.stored},
          {"later", estimate.later}, {"seconds", estimate.seconds},
          {"to_do", lines},          {"refused", refused}};
}

}  // namespace cupel
