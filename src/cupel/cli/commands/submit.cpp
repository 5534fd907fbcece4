// cupel submit: predictions that are scored here.
#include <memory>

#include <nlohmann/json.hpp>

#include "cupel/api/submit.h"
#include "cupel/base/error.h"
#include "cupel/base/json_text.h"
#include "cupel/cli/command.h"
#include "cupel/cli/options.h"
#include "cupel/cli/output.h"
#include "cupel/cli/terminal.h"
#include "cupel/cli/text.h"
#include "cupel/cli/work.h"
#include "cupel/judge/report/print.h"

namespace cupel::cli {
namespace {

constexpr std::size_t kMostShown = 20;

struct Arguments {
  std::string action, folder;
  DataArgument data;
  bool json = false;
};

std::string check_text(const CheckedSubmission& checked) {
  const Cell& cell = checked.cell();
  const auto& faults = checked.faults;
  Columns columns("lllr");
  columns.row({"DATA SET", "MODEL", report::measure_words(cell.column.measure), "RUNS"});
  columns.row({cell.column.dataset, checked.submission.model,
               cell.mean ? report::mean_text(cell) : std::string("none"),
               fmt::format("{} of {}{}", grouped(cell.n), grouped(cell.expected_n),
                           checked.submission.deterministic ? ", said to be deterministic" : "")});
  std::string out = columns.text();
  if (cell.mean) out += wrap(report::caption(checked.table));
  out += "\n";
  for (std::size_t i = 0; i < std::min(faults.size(), kMostShown); ++i)
    out += wrap(faults[i].text, 2);
  if (faults.size() > kMostShown)
    out += fmt::format("  and {} more (--json lists all)\n", faults.size() - kMostShown);
  if (checked.suitable()) return out + "SUITABLE\n";
  return out + fmt::format("NOT SUITABLE: {} of {} {} missing or broken\n",
                           grouped(std::ssize(faults)), counted(checked.asked, "prediction"),
                           faults.size() == 1 ? "is" : "are");
}

int check(const Arguments& arguments, const PlanSources& sources, const RunLimits& limits) {
  const CheckedSubmission checked = check_submission(arguments.folder, sources, limits);
  print_out(arguments.json ? json_text(checked_json(checked)) : check_text(checked));
  return checked.suitable() ? kDone : kRunsFailed;
}

int tasks(const Arguments& arguments, const PlanSources& sources, const RunLimits& limits) {
  const WrittenTasks written = write_submission_tasks(arguments.folder, sources, limits);
  print_out(fmt::format("{}: {} written, into split-S/task.npz and task.json\n", arguments.folder,
                        counted(written.tasks, "task")));
  if (!written.note.empty()) print_note(written.note);
  return kDone;
}

int perform(const Arguments& arguments) {
  if (arguments.action != "check" && arguments.action != "tasks")
    fail("submit: '{}' is neither check nor tasks", arguments.action);
  const Interrupt interrupt("\ncupel: stopping; once more to quit at once\n");
  StatusLine status;
  const PlanSources sources = telling_sources(arguments.data.folder(), status);
  const RunLimits limits{{}, &interrupt.flag()};
  try {
    return arguments.action == "tasks" ? tasks(arguments, sources, limits)
                                       : check(arguments, sources, limits);
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
