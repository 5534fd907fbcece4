#include "cupel/api/study_words.h"

#include <cmath>

#include <nlohmann/json.hpp>

#include "cupel/base/words.h"

namespace cupel {

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
