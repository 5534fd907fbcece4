// cupel leaderboard: a site out of many stores.
#include <memory>

#include <nlohmann/json.hpp>

#include "cupel/api/leaderboard.h"
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

using Json = nlohmann::ordered_json;

struct Arguments {
  std::string action, folder, out, signers, seed, memory;
  DataArgument data;
  int rerun = 0, jobs = 0;
  bool json = false;
};

const char* state_of(const BoardSource& source) {
  if (source.submission || !source.signature) return "none";
  return to_word(source.signature->state);
}

Json value_json(const Board& board, const BoardValue& value) {
  return {{"model", value.model},
          {"tier", to_words(value.tier)},
          {"mean", value.mean ? Json(*value.mean) : Json()},
          {"text", value.text},
          {"runs", value.n},
          {"runs_asked", value.expected_n},
          {"done_again", value.redone},
          {"same", value.same},
          {"source", value.source ? Json(board.sources[*value.source].name) : Json()},
          {"said_deterministic", value.source && board.sources[*value.source].said_deterministic},
          {"told_by", value.told_by ? Json(board.sources[*value.told_by].name) : Json()}};
}

Json board_json(const Arguments& arguments, const Board& board) {
  Json sources = Json::array(), tables = Json::array();
  for (const BoardSource& source : board.sources)
    sources.push_back({{"name", source.name},
                       {"kind", source.submission ? "submission" : "store"},
                       {"date", source.date},
                       {"runs", source.runs},
                       {"done_again", source.redone},
                       {"same", source.reproduced.size()},
                       {"signature", state_of(source)},
                       {"signer", source.signature ? source.signature->signer : ""},
                       {"holds", holds(source)},
                       {"problems", source.problems},
                       {"remarks", source.remarks},
                       {"page", source.page}});
  for (const BoardTable& table : board.tables) {
    Json rows = Json::array();
    for (const BoardRow& row : table.rows) {
      Json one = {{"rank", row.rank == 0 ? Json() : Json(row.rank)},
                  {"unranked", to_words(row.unranked)},
                  {"shares_name", row.shares_name}};
      one.update(value_json(board, row.value));
      one["others"] = Json::array();
      for (const BoardValue& value : row.others) one["others"].push_back(value_json(board, value));
      rows.push_back(std::move(one));
    }
    tables.push_back({{"protocol", table.protocol},
                      {"version", table.version},
                      {"table", table.table},
                      {"dataset", table.column.dataset},
                      {"metric", table.column.measure.word()},
                      {"content", table.data ? Json(table.data->content) : Json()},
                      {"rows", rows},
                      {"disputes", table.disputes}});
  }
  return {
      {"kind", "leaderboard"}, {"site", arguments.out}, {"sources", sources}, {"tables", tables}};
}

// In a word, what a table of sources says of one: an unsigned store may not hold either.
const char* standing_of(const BoardSource& source) {
  if (source.submission) return holds(source) ? "suitable" : "not suitable";
  return holds(source) ? state_of(source) : "does not hold";
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
  if (arguments.rerun == 0 &&
      (!arguments.seed.empty() || arguments.jobs > 0 || !arguments.memory.empty()))
    fail("leaderboard: --seed, --jobs and --memory go with --rerun N; nothing is done again");
  LeaderboardRequest request;
  request.folder = arguments.folder;
  request.out = arguments.out;
  if (!arguments.signers.empty()) request.signers = arguments.signers;
  const Interrupt interrupt("\ncupel: stopping; once more to quit at once\n");
  request.interrupt = &interrupt.flag();
  StatusLine status;
  request.sources = telling_sources(arguments.data.folder(), status);
  if (arguments.rerun > 0) {
    WorkArguments work;
    work.jobs = arguments.jobs;
    work.memory = arguments.memory;
    request.rerun = {arguments.rerun, arguments.seed.empty() ? random_seed() : arguments.seed,
                     work.execute_options()};
    request.rerun->execute.interrupt = &interrupt.flag();
  }
  if (status.enabled()) request.on_source = [&](const std::string& name) { status.show(name); };
  try {
    const Board board = build_leaderboard(request);
    status.clear();
    print_out(arguments.json ? json_text(board_json(arguments, board))
                             : board_text(arguments, board));
    const bool agreed = std::ranges::all_of(
        board.tables, [](const BoardTable& table) { return table.disputes.empty(); });
    return agreed && std::ranges::all_of(board.sources, holds) ? kDone : kDoesNotHold;
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
      .count("--rerun", arguments->rerun,
             "Do N runs of each store again, drawn at random:\nwhat comes out again is reproduced")
      .text("--seed", "TEXT", arguments->seed, "Seed of the draw (default: a new one)")
      .count("--jobs", arguments->jobs, "Runs at a time (default: one per processor)")
      .text("--memory", "SIZE", arguments->memory,
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
