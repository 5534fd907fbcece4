// cupel submit: predictions that are scored here.
#include <memory>

#include <nlohmann/json.hpp>

#include "cupel/base/error.h"
#include "cupel/base/json_text.h"
#include "cupel/cli/command.h"
#include "cupel/cli/options.h"
#include "cupel/cli/output.h"
#include "cupel/cli/terminal.h"
#include "cupel/cli/text.h"
#include "cupel/cli/work.h"
#include "cupel/judge/report/print.h"
#include "cupel/judge/report/table.h"
#include "cupel/lab/verify/submission.h"

namespace cupel::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostShown = 20;

struct Arguments {
  std::string action, folder;
  DataArgument data;
  bool json = false;
};

Json check_json(const Arguments& arguments, const Submission& submission, const Rescored& rescored,
                const Cell& cell) {
  Json faults = Json::array();
  for (const SubmissionFault& fault : rescored.faults)
    faults.push_back({{"split", fault.split}, {"init", fault.init}, {"text", fault.text}});
  return {{"kind", "submission"},
          {"folder", arguments.folder},
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
          {"asked", rescored.asked},
          {"scored", cell.n},
          {"mean", cell.mean ? Json(*cell.mean) : Json()},
          {"sd", cell.sd ? Json(*cell.sd) : Json()},
          {"spread_kind", cell.spread_kind},
          {"suitable", rescored.faults.empty()},
          {"faults", faults}};
}

std::string check_text(const Submission& submission, const Rescored& rescored,
                       const ReportTable& table) {
  const Cell& cell = table.cell(0, 0);
  Columns columns("lllr");
  columns.row({"DATA SET", "MODEL", report::measure_words(cell.column.measure), "RUNS"});
  columns.row({cell.column.dataset, submission.model,
               cell.mean ? report::mean_text(cell) : std::string("none"),
               fmt::format("{} of {}{}", grouped(cell.n), grouped(cell.expected_n),
                           submission.deterministic ? ", said to be deterministic" : "")});
  std::string out = columns.text();
  if (cell.mean) out += wrap(report::caption(table));
  out += "\n";
  for (std::size_t i = 0; i < std::min(rescored.faults.size(), kMostShown); ++i)
    out += wrap(rescored.faults[i].text, 2);
  if (rescored.faults.size() > kMostShown)
    out += fmt::format("  and {} more (--json lists all)\n", rescored.faults.size() - kMostShown);
  if (rescored.faults.empty()) return out + "SUITABLE\n";
  return out + fmt::format("NOT SUITABLE: {} of {} {} missing or broken\n",
                           grouped(static_cast<std::int64_t>(rescored.faults.size())),
                           counted(rescored.asked, "prediction"),
                           rescored.faults.size() == 1 ? "is" : "are");
}

int check(const Arguments& arguments, const Submission& submission, const PlanSources& sources,
          const RunLimits& limits) {
  const Rescored rescored = rescore(submission, sources, limits);
  const ReportTable table = make_report(rescored.results).tables.at(0);
  print_out(arguments.json
                ? json_text(check_json(arguments, submission, rescored, table.cell(0, 0)))
                : check_text(submission, rescored, table));
  return rescored.faults.empty() ? kDone : kRunsFailed;
}

int tasks(const Submission& submission, const PlanSources& sources, const RunLimits& limits) {
  const int written = write_tasks(submission, sources, limits);
  print_out(fmt::format("{}: {} written, into split-S/task.npz and task.json\n",
                        submission.folder.string(), counted(written, "task")));
  if (!submission.pinned)
    print_note(
        fmt::format("version = \"{}\" in {} keeps predictions for this version of protocol '{}' "
                    "from being scored by another one",
                    version_text(submission), kSubmissionFile, submission.protocol.name));
  return kDone;
}

int perform(const Arguments& arguments) {
  if (arguments.action != "check" && arguments.action != "tasks")
    fail("submit: '{}' is neither check nor tasks", arguments.action);
  const Submission submission = read_submission(arguments.folder);
  const Interrupt interrupt("\ncupel: stopping; once more to quit at once\n");
  StatusLine status;
  const PlanSources sources = telling_sources(arguments.data.folder(), status);
  const RunLimits limits{{}, &interrupt.flag()};
  try {
    return arguments.action == "tasks" ? tasks(submission, sources, limits)
                                       : check(arguments, submission, sources, limits);
  } catch (const Interrupted&) {
    return interrupt.exit_code();
  }
}

Action declare(Syntax& syntax) {
  auto arguments = std::make_shared<Arguments>();
  syntax
      .required("ACTION", arguments->action,
                "check: score the predictions here;\ntasks: write down what each split asks")
      .required("FOLDER", arguments->folder, "A folder with submission.toml and predictions");
  add_data(syntax, arguments->data);
  add_json(syntax, arguments->json);
  syntax.footer(wrap(
      "Predictions lie in split-S/init-I/scores.npy, in the form in which programs write them; "
      "docs/leaderboard.md has all of it. Exit code: 0 suitable, 1 predictions are missing, "
      "broken, or for another task than the one that lies with them."));
  return [arguments] { return perform(*arguments); };
}

}  // namespace

extern const Command command_submit;
const Command command_submit = {Topic::kResults, "submit", "Score predictions instead of numbers",
                                declare};

}  // namespace cupel::cli
