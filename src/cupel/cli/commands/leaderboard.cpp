// cupel leaderboard: a site out of many stores.
#include <memory>

#include <nlohmann/json.hpp>

#include "cupel/api/leaderboard.h"
#include "cupel/api/verify.h"
#include "cupel/base/error.h"
#include "cupel/base/json_text.h"
#include "cupel/cli/command.h"
#include "cupel/cli/options.h"
#include "cupel/cli/output.h"
#include "cupel/cli/terminal.h"
#include "cupel/cli/text.h"
#include "cupel/cli/work.h"

namespace cupel::cli {
namespace {

struct Arguments {
  std::string action, folder, out, signers;
  RerunRequest again;
  DataArgument data;
  bool json = false;
};

// In a word, what a table of sources says of one: an unsigned store may not hold either.
const char* standing_of(const BoardSource& source) {
  if (source.submission) return holds(source) ? "suitable" : "not suitable";
  return holds(source) ? signature_word(source) : "does not hold";
}

std::string board_text(const Arguments& arguments, const Board& board) {
  Columns columns("llllr");
  columns.row({"FROM", "WHAT", "DATE", "STATE", "RUNS"});
  for (const BoardSource& source : board.sources)
    columns.row({source.name, source.submission ? "submission" : "store", source.date,
                 standing_of(source), grouped(source.runs)});
  std::string out = columns.text();
  for (const BoardSource& source : board.sources)
    for (const std::vector<std::string>* sentences : {&source.problems, &source.remarks})
      for (const std::string& sentence : *sentences)
        out += wrap(fmt::format("{}: {}", source.name, brief(sentence)), 2);
  for (const BoardTable& table : board.tables)
    for (const std::string& dispute : table.disputes)
      out += wrap(fmt::format("{}, table {}, {}: {}", table.protocol, table.table,
                              table.column.dataset, brief(dispute)),
                  2);
  return out + fmt::format("\n{}: {} of {}\n", arguments.out,
                           counted(static_cast<std::int64_t>(board.tables.size()), "table"),
                           counted(static_cast<std::int64_t>(board.sources.size()), "source"));
}

int perform(const Arguments& arguments) {
  if (arguments.action != "build") fail("leaderboard: '{}' is not build", arguments.action);
  LeaderboardRequest request;
  request.rerun = rerun_options("leaderboard", arguments.again);
  request.folder = arguments.folder;
  request.out = arguments.out;
  if (!arguments.signers.empty()) request.signers = arguments.signers;
  const Interrupt interrupt("\ncupel: stopping; once more to quit at once\n");
  request.interrupt = &interrupt.flag();
  StatusLine status;
  request.sources = telling_sources(arguments.data.folder(), status);
  if (request.rerun) request.rerun->execute.interrupt = &interrupt.flag();
  if (status.enabled()) request.on_source = [&](const std::string& name) { status.show(name); };
  try {
    const Board board = build_leaderboard(request);
    status.clear();
    print_out(arguments.json ? json_text(board_json(board, arguments.out))
                             : board_text(arguments, board));
    return holds(board) ? kDone : kDoesNotHold;
  } catch (const Interrupted&) {
    return interrupt.exit_code();
  }
}

Action declare(Syntax& syntax) {
  auto arguments = std::make_shared<Arguments>();
  syntax.required("ACTION", arguments->action, "build")
      .required("FOLDER", arguments->folder, "With stores (*.sqlite) and submissions")
      .required_text("--out", "DIR", arguments->out, "The site, a folder of pages")
      .text("--signers", "FILE", arguments->signers,
            "Who may sign: see cupel verify; without it every\nsignature is of somebody unknown")
      .count("--rerun", arguments->again.runs,
             "Do N runs of each store again, drawn at random:\nwhat comes out again is reproduced")
      .text("--seed", "TEXT", arguments->again.seed, "Seed of the draw (default: a new one)")
      .count("--jobs", arguments->again.jobs, "Runs at a time (default: one per processor)")
      .text("--memory", "SIZE", arguments->again.memory,
            "Limit for all runs together, as 8G\n(default: four fifths of what is free)");
  add_data(syntax, arguments->data);
  add_json(syntax, arguments->json);
  syntax.footer(
      wrap("Exit code: 0 built, 3 built, and some store or submission does not hold, or some "
           "differ in how runs ended or in what is published. "
           "docs/leaderboard.md says what a value rests on."));
  return [arguments] { return perform(*arguments); };
}

}  // namespace

extern const Command command_leaderboard;
const Command command_leaderboard = {Topic::kResults, "leaderboard",
                                     "A site out of many stores and submissions", declare};

}  // namespace cupel::cli
