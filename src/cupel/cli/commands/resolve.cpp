// cupel resolve: entities that are one become one, and how well that is done.
#include <memory>
#include <string>

#include <nlohmann/json.hpp>

#include "cupel/api/how.h"
#include "cupel/api/resolve.h"
#include "cupel/base/error.h"
#include "cupel/base/json_text.h"
#include "cupel/cli/cards/resolve_scores.h"
#include "cupel/cli/command.h"
#include "cupel/cli/options.h"
#include "cupel/cli/output.h"
#include "cupel/cli/text.h"
#include "cupel/data/resolve/propose.h"

namespace cupel::cli {
namespace {

struct Arguments {
  ResolveRequest request;
  std::string memory;
  bool no_proposals = false, dry_run = false, json = false;
};

std::string text_of(const ResolveNeeds& needs) {
  const std::string pairs = needs.pairs ? ", about " + counted(*needs.pairs, "pair")
                                        : "; pairs were not looked for, as there is no room";
  return fmt::format("{}: {}, {}, {}{}\nmemory: about {}; the limit is {}\n", needs.folder,
                     counted(needs.entities, "name"), counted(needs.facts, "fact"),
                     counted(needs.authorships, "authorship"), pairs,
                     byte_text(static_cast<double>(needs.bytes)),
                     byte_text(static_cast<double>(needs.limit)));
}

std::string text_of(const ResolveOutcome& outcome) {
  std::string text;
  if (!outcome.content_hash.empty())
    text += fmt::format("{}  {}\n", outcome.request.out, outcome.content_hash.substr(0, 12));
  if (!outcome.decisions.empty())
    text += fmt::format("{}  {}\n", outcome.decisions.string(), counted(outcome.pairs, "pair"));
  Columns columns("rw");
  for (const auto& [what, number] : outcome.counts) columns.row({grouped(number), what});
  text += columns.text();
  if (outcome.scores) text += "\n" + resolve_scores_text(*outcome.scores);
  return text;
}

int perform(const Arguments& arguments) {
  ResolveRequest request = arguments.request;
  request.proposals = !arguments.no_proposals;
  if (!arguments.memory.empty()) request.memory_bytes = parse_size("--memory", arguments.memory);
  if (arguments.dry_run) {
    const ResolveNeeds needs = resolve_needs(request, print_note);
    print_out(arguments.json ? json_text(needs_json(needs)) : text_of(needs));
    return kDone;
  }
  const ResolveOutcome outcome = resolve_entities(request, print_note);
  print_out(arguments.json ? json_text(outcome_json(outcome)) : text_of(outcome));
  return kDone;
}

Action declare(Syntax& syntax) {
  auto arguments = std::make_shared<Arguments>();
  ResolveRequest& request = arguments->request;
  syntax.required("FOLDER", request.folder, "Facts over time, as `cupel build expert` makes them");
  syntax.group("What is proposed");
  syntax.number("--threshold", "SCORE", request.threshold,
                fmt::format("Accept pairs of this score or above, up to 1\n(default: {})",
                            ProposeSettings().threshold));
  syntax.number(
      "--show", "SCORE", request.show,
      fmt::format("List pairs from this score on as open, for you to decide\n(default: {})",
                  ProposeSettings().show));
  syntax.text("--only", "TYPE", request.only, "Propose scientists or institutions alone");
  syntax.flag("--no-proposals", arguments->no_proposals,
              "Propose nothing: apply the lines of --decisions alone");
  syntax.count("--threads", request.threads, "Threads (default: one per processor)");
  syntax.group("What is decided");
  syntax.text(
      "--decisions", "FILE", request.decisions,
      "Decisions of yours: what this table accepts, rejects or\nleaves open holds, whatever "
      "is proposed");
  syntax.text("--decisions-out", "FILE", request.decisions_out,
              "Write the table of all pairs here (default:\ndecisions.csv if nothing else is asked "
              "for)");
  syntax.text("--out", "FOLDER", request.out,
              "Merge accepted pairs, and write the facts into this new\nfolder, the table of pairs "
              "with them");
  syntax.group("How good it is");
  syntax.text(
      "--gold", "FILE", request.gold,
      "Print precision, recall and F1 against this truth: a CSV\nof paper,position,person or "
      "name,person or alias,name,\nor name_variants.yaml of the ACL Anthology");
  syntax.text("--gold-ids", "DIR", request.gold_ids,
              "The Anthology's XML, whose id= tells namesakes apart\n(default: xml beside "
              "name_variants.yaml, if it is there)");
  syntax.group("How");
  syntax.flag("--dry-run", arguments->dry_run,
              "Only read the facts and compare some names, and tell\nwhat memory is taken");
  syntax.text("--memory", "SIZE", arguments->memory,
              "Refuse to take more, such as 2G (default: what is\nfree)");
  add_json(syntax, arguments->json);
  return [arguments] { return perform(*arguments); };
}

}  // namespace

extern const Command command_resolve;
const Command command_resolve = {Topic::kDataSets, "resolve",
                                 "Merge scientists and institutions that are one", declare};

}  // namespace cupel::cli
