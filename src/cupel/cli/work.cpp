#include "cupel/cli/work.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "cupel/base/error.h"
#include "cupel/base/json_text.h"
#include "cupel/cli/command.h"
#include "cupel/cli/output.h"
#include "cupel/cli/text.h"
#include "cupel/lab/isolation/isolation.h"
#include "cupel/lab/run/estimate.h"
#include "cupel/lab/run/pending.h"
#include "cupel/lab/run/refusal.h"

namespace cupel::cli {
namespace {

constexpr const char* kStopping =
    "\ncupel: stopping, and giving up the runs in flight; once more to quit at once\n";
constexpr std::size_t kMostFailuresShown = 10;

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
    if (run->epochs >= 0) out += fmt::format("epoch {}, ", grouped(run->epochs));
    out += duration_text(run->seconds);
  } else if (!progress.model.empty()) {
    out += fmt::format("; last: {} on {}", progress.model, progress.dataset);
  }
  return out;
}

// What this machine could not start, but for what was told before.
void report_not_started(const ExecuteSummary& summary) {
  for (const NotStartedRow& row : summary.not_started_rows) {
    if (row.announced) continue;
    print_error(fmt::format("{} on {}: {} not started: {}", row.model, row.dataset,
                            counted(row.runs, "run"), row.reason));
  }
}

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

}  // namespace

StoreOpener::StoreOpener(const WorkArguments& arguments, const std::string& protocol_name)
    : path_(arguments.store_path(protocol_name)), only_look_(arguments.dry_run) {
  std::error_code error;
  if (!std::filesystem::exists(path_, error)) return;
  // What is only looked at stays as it is; an empty file is a store to be.
  if (!only_look_)
    store_ = std::make_unique<Store>(path_);
  else if (std::filesystem::file_size(path_, error) > 0 || error)
    store_ = std::make_unique<Store>(path_, Store::Mode::kOpen);
}

Store& StoreOpener::store() {
  if (!store_) store_ = std::make_unique<Store>(only_look_ ? ":memory:" : path_);
  return *store_;
}

const Store& StoreOpener::look() {
  if (store_) return *store_;
  if (!empty_) empty_ = std::make_unique<Store>(":memory:");
  return *empty_;
}

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
    const ExecuteSummary& done = out.summary;
    const int missing = done.failed + done.timed_out + done.not_started + done.failed_before;
    out.exit_code = missing > 0 ? kRunsFailed : kDone;
  }
  print_note(summary_text(out.summary, store.string()));
  report_not_started(out.summary);
  report_failures(out.summary);
  return out;
}

namespace {

// Configurations of a row are often refused for one reason.
std::vector<std::string> refused_lines(const std::vector<Refusal>& refused) {
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

std::string refused_text(const PlanEstimate& estimate) {
  std::string out;
  for (const std::string& line : refused_lines(estimate.refused)) out += "\n" + wrap(line);
  return out;
}

}  // namespace

bool announce(const Pending& pending, const std::vector<Refusal>& refused) {
  for (const std::string& line : refused_lines(refused)) print_note(line);
  int left = pending.stored;
  for (const RunGroup& group : pending.groups) left += static_cast<int>(group.inits.size());
  for (const Refusal& refusal : refused) left -= refusal.runs;
  return left > 0;
}

void announce_isolation(const Pending& pending) {
  if (const std::string note = isolation_note(pending); !note.empty()) print_note(note);
}

std::vector<std::filesystem::path> hidden_from_programs(const WorkArguments& arguments,
                                                        const StoreOpener& opener) {
  std::vector<std::filesystem::path> out = {arguments.data.folder()};
  for (const char* end : {"", "-wal", "-shm", "-journal"})
    out.emplace_back(opener.path().string() + end);
  return out;
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
    std::string basis = line.rough ? "rough" : "";
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
  if (rough) out += "\nRough: the store has no such run yet; good to a factor of ten.\n";
  return out + refused_text(estimate);
}

std::string estimate_json(const PlanEstimate& estimate) {
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
  const nlohmann::ordered_json out = {{"runs", estimate.runs},   {"stored", estimate.stored},
                                      {"later", estimate.later}, {"seconds", estimate.seconds},
                                      {"to_do", lines},          {"refused", refused}};
  return json_text(out);
}

}  // namespace cupel::cli
