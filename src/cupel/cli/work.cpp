#include "cupel/cli/work.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cupel/api/study_words.h"
#include "cupel/base/error.h"
#include "cupel/cli/command.h"
#include "cupel/cli/output.h"
#include "cupel/cli/text.h"
#include "cupel/lab/isolation/isolation.h"
#include "cupel/lab/run/estimate.h"
#include "cupel/lab/run/pending.h"

namespace cupel::cli {
namespace {

constexpr const char* kStopping =
    "\ncupel: stopping, and giving up the runs in flight; once more to quit at once\n";
constexpr std::size_t kMostFailuresShown = 10;

void report_failures(const ExecuteSummary& summary) {
  if (summary.failed_before > 0)
    print_error(fmt::format("{} of the store failed when {} done; --retry-failed does {} again",
                            counted(summary.failed_before, "run"),
                            summary.failed_before == 1 ? "it was" : "they were",
                            summary.failed_before == 1 ? "it" : "them"));
  const int failed = summary.failed + summary.timed_out;
  if (failed == 0) return;
  std::string text = counted(failed, "run") + " failed";
  if (summary.timed_out > 0) text += fmt::format(", {} by time-out", grouped(summary.timed_out));
  print_error(text + "; --retry-failed does them again:");
  const std::size_t shown = std::min(summary.failures.size(), kMostFailuresShown);
  for (std::size_t i = 0; i < shown; ++i) print_error("  " + brief(summary.failures[i]));
  if (shown < summary.failures.size())
    print_error(fmt::format("  and {} more kinds", summary.failures.size() - shown));
}

}  // namespace

PlanSources telling_sources(const std::filesystem::path& data_folder, StatusLine& status) {
  PlanSources out = plan_sources(data_folder);
  out.load = [load = out.load, &status](const std::string& name) {
    status.show("reading " + name, true);
    return load(name);
  };
  return out;
}

WorkReport work(const ExecuteOptions& options, const std::filesystem::path& store,
                const std::function<ExecuteSummary(const ExecuteOptions&)>& execute) {
  WorkReport out;
  const Interrupt interrupt(kStopping);
  {
    StatusLine status;
    ExecuteOptions watched = options;
    watched.interrupt = &interrupt.flag();
    const auto tell = [&](const Progress& progress) { status.show(progress_text(progress)); };
    if (status.enabled()) watched.on_progress = watched.on_tick = tell;
    out.summary = execute(watched);
  }
  if (out.summary.interrupted) {
    const int left =
        out.summary.planned - out.summary.stored - out.summary.done - out.summary.not_started;
    print_note(fmt::format("stopped after {}, {} are left; the same command again does the rest",
                           counted(out.summary.done, "run"), grouped(left)));
    out.exit_code = interrupt.exit_code();
  } else {
    out.exit_code = runs_without_score(out.summary) > 0 ? kRunsFailed : kDone;
  }
  print_note(summary_text(out.summary, store.string()));
  if (const std::string problem = checkpoint_text(out.summary); !problem.empty())
    print_error(problem);
  for (const std::string& text : not_started_texts(out.summary)) print_error(text);
  report_failures(out.summary);
  return out;
}

namespace {

std::string refused_text(const PlanEstimate& estimate) {
  std::string out;
  for (const std::string& line : refused_texts(estimate.refused)) out += "\n" + wrap(line);
  return out;
}

}  // namespace

bool announce(const StudyOutlook& outlook) {
  for (const std::string& line : refused_texts(outlook.refused)) print_note(line);
  return outlook.has_runs();
}

void announce_programs(const Pending& pending) {
  for (const std::string& note : program_notes(pending)) print_note(note);
}

std::string estimate_text(const PlanEstimate& estimate) {
  std::string out =
      fmt::format("{} planned, {} in the store, {} to do", counted(estimate.runs, "run"),
                  grouped(estimate.stored), grouped(estimate.runs - estimate.stored));
  if (estimate.later > 0)
    out += fmt::format(", and {} once configurations are chosen", grouped(estimate.later));
  if (estimate.lines.empty()) return out + "\n" + refused_text(estimate);
  out += fmt::format(": about {}\n\n", duration_text(estimate.seconds));
  bool rough = false;
  const bool choices =
      std::any_of(estimate.lines.begin(), estimate.lines.end(),
                  [](const PlanEstimate::Line& line) { return line.configurations > 1; });
  Columns columns(choices ? "llrrrrl" : "llrrrl");
  std::vector<std::string> head = {"DATA SET", "MODEL", "RUNS", "A RUN", "MEMORY", "ESTIMATE"};
  if (choices) head.insert(head.begin() + 2, "CHOICES");
  columns.row(head);
  for (const PlanEstimate::Line& line : estimate.lines) {
    std::string basis = line.rough ? "rough" : "tried";
    if (line.measured > 0)
      basis = fmt::format("from {}{}", counted(line.measured, "run"), line.rough ? ", rough" : "");
    std::vector<std::string> cells = {
        line.dataset,
        line.model,
        grouped(line.runs),
        line.seconds_per_run < 1 ? fmt::format("{:.0f} ms", 1000 * line.seconds_per_run)
                                 : duration_text(line.seconds_per_run),
        line.memory_bytes == 0 ? "unknown" : byte_text(static_cast<double>(line.memory_bytes)),
        basis};
    if (choices)
      cells.insert(cells.begin() + 2, line.configurations > 1 ? grouped(line.configurations) : "");
    columns.row(std::move(cells));
    rough = rough || line.rough;
  }
  out += columns.text();
  if (rough) out += "\nRough: no such run was ever seen here; good to a factor of ten.\n";
  return out + refused_text(estimate);
}

}  // namespace cupel::cli
