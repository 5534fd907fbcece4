// cupel merge: one store from the stores of many machines.
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cupel/api/merge.h"
#include "cupel/base/json_text.h"
#include "cupel/cli/cards/conflicts.h"
#include "cupel/cli/command.h"
#include "cupel/cli/options.h"
#include "cupel/cli/output.h"
#include "cupel/cli/text.h"

namespace cupel::cli {
namespace {

struct Arguments {
  std::string out;
  std::vector<std::string> in;
  bool json = false;
};

std::string text_of(const MergedStores& merged) {
  std::string text;
  for (const auto& [path, summary] : merged.sources) {
    text += fmt::format("{}: {} added", path.string(), counted(summary.added, "run"));
    if (summary.replaced > 0) text += fmt::format(", {} failed ones replaced", summary.replaced);
    if (!summary.run_conflicts.empty())
      text += fmt::format(", {} in conflict", grouped(std::ssize(summary.run_conflicts)));
    text += "\n";
  }
  return text + fmt::format("{}: {}{}\n", merged.store, counted(merged.runs, "run"),
                            merged.conflicts.empty()
                                ? ""
                                : fmt::format(", and {} in conflict",
                                              grouped(std::ssize(merged.conflicts))));
}

int perform(const Arguments& arguments) {
  const MergedStores merged = merge_stores(arguments.in, arguments.out);
  print_out(arguments.json ? json_text(merged_json(merged)) : text_of(merged));
  for (const std::string& note : merged.notes) print_note(note);
  if (const auto& cells = merged.cells_not_taken; !cells.empty()) {
    print_error(fmt::format(
        "{} of other data or another configuration than {} has in that place, and in none of its "
        "tables; their runs were taken, so that running the protocol into it, with the data that "
        "are meant, does nothing twice:",
        counted(std::ssize(cells), "cell") + (cells.size() == 1 ? " is" : " are"), merged.store));
    for (const std::string& cell : cells) print_error("  " + cell);
  }
  if (const auto& differing = merged.conflicts; !differing.empty()) {
    print_error(fmt::format(
        "{0} ended in different ways in stores that were merged; {1} keeps all of them and "
        "believes none, so "
        "that `cupel run` does them again and `cupel verify {1} --rerun {2}` tells which hold, but "
        "for those of programs:",
        counted(std::ssize(differing), "run"), merged.store, differing.size()));
    for (const std::string& line : conflict_lines(differing, merged.store)) print_error(line);
  }
  return merged.holds() ? kDone : kDoesNotHold;
}

Action declare(Syntax& syntax) {
  auto arguments = std::make_shared<Arguments>();
  syntax.required("OUT", arguments->out, "The store that takes the others in; made if need be");
  syntax.required("IN", arguments->in,
                  "Stores to take in, or folders of them; they stay as\nthey are");
  add_json(syntax, arguments->json);
  return [arguments] { return perform(*arguments); };
}

}  // namespace

extern const Command command_merge;
const Command command_merge = {Topic::kStores, "merge", "One store from many", declare};

}  // namespace cupel::cli
