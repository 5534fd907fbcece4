// cupel verify: whether a store says what was computed.
#include <memory>

#include <nlohmann/json.hpp>

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

constexpr std::size_t kMostShown = 20;

struct Arguments {
  std::string store, signers;
  RerunRequest again;
  DataArgument data;
  bool json = false;
};

// Returns what an interrupted one ends with.
int do_again(const Arguments& arguments, RerunOptions options, Verification& found) {
  const Interrupt interrupt("\ncupel: stopping; once more to quit at once\n");
  options.execute.interrupt = &interrupt.flag();
  StatusLine status;
  const PlanSources sources = telling_sources(arguments.data.folder(), status);
  if (status.enabled())
    options.execute.on_progress = options.execute.on_tick = [&](const Progress& progress) {
      status.show(fmt::format("{} of {} done again", grouped(progress.done),
                              counted(progress.total, "run")));
    };
  verify_runs(found, sources, options);
  return found.stopped ? interrupt.exit_code() : int(kDone);
}

std::string rerun_text(const Rerun& rerun, const std::string& seed) {
  std::size_t same = 0;
  for (const RerunRun& run : rerun.runs) same += run.same;
  std::string out = labelled(
      "Done again", fmt::format("{} (--seed {}), {} with the same bits",
                                counted(static_cast<std::int64_t>(rerun.runs.size()), "run"), seed,
                                grouped(static_cast<std::int64_t>(same))));
  std::vector<std::string> left;
  if (rerun.programs > 0) left.push_back(fmt::format("{} of programs", grouped(rerun.programs)));
  if (rerun.unfinished > 0)
    left.push_back(fmt::format("{} that failed or timed out", grouped(rerun.unfinished)));
  if (rerun.searches > 0) left.push_back(fmt::format("{} of searches", grouped(rerun.searches)));
  if (rerun.unreachable > 0)
    left.push_back(fmt::format("{} that cannot be done here", grouped(rerun.unreachable)));
  if (!left.empty()) out += labelled("Left out", fmt::format("{}", fmt::join(left, ", ")));
  for (const std::string& reason : rerun.reasons) out += wrap(brief(reason), 2);
  for (const std::string& cell : rerun.misplaced) out += wrap(brief(cell), 2);
  for (const RerunRun& run : rerun.runs) {
    if (run.same && !run.in_conflict) continue;
    out += wrap(fmt::format("run {} ({} on {}, split {}, init {}): {}", run.id, run.model,
                            run.dataset, run.split, run.init, run.difference),
                2);
  }
  return out;
}

std::string card(const Verification& found) {
  const StoreCheck& check = found.check;
  std::string out = labelled("Store", found.store);
  std::string runs = grouped(check.runs);
  if (check.unsealed > 0)
    runs += fmt::format(
        "; {} unsealed, from before runs were sealed: an edit of them shows only "
        "where it gives impossible values",
        grouped(check.unsealed));
  out += labelled("Runs", runs);
  if (check.unsealed_cells > 0)
    out += labelled("Cells", counted(check.unsealed_cells, "cell") +
                                 " unsealed: which runs stand in which row, by which metric and "
                                 "of how many, is the store's word alone");
  if (check.conflicts > 0)
    out += labelled("Conflicts",
                    fmt::format("{} that ended in different ways in stores that were merged; they "
                                "are in no table, and `cupel run` does them again",
                                counted(check.conflicts, "run")));
  if (!check.other_published.empty())
    out += labelled("Published",
                    fmt::format("protocol {} has other published values or tolerances here than "
                                "in this version of cupel; verdicts follow those of the store",
                                fmt::join(check.other_published, ", ")));
  if (const std::string signature = found.signature ? found.signature->sentence : found.unchecked;
      !signature.empty())
    out += labelled("Signature", signature);
  if (found.rerun) out += rerun_text(*found.rerun, found.asked.seed);
  for (std::size_t i = 0; i < std::min(check.problems.size(), kMostShown); ++i)
    out += wrap(brief(check.problems[i]), 2);
  if (check.problems.size() > kMostShown)
    out += fmt::format("  and {} more (--json lists all)\n", check.problems.size() - kMostShown);
  return out + labelled("", verdict_of(found).sentence);
}

int perform(const Arguments& arguments) {
  const std::optional<RerunOptions> again = rerun_options("verify", arguments.again);
  if (!again && !arguments.data.given.empty())
    fail("verify: --data goes with --rerun N; nothing is done again");
  Verification found = verify_store(arguments.store, arguments.signers);
  const int stopped = again ? do_again(arguments, *again, found) : int(kDone);
  print_out(arguments.json ? json_text(verification_json(found)) : card(found));
  if (stopped != kDone) {
    print_note("stopped before all runs were done again");
    return stopped;
  }
  const VerificationVerdict verdict = verdict_of(found);
  if (!verdict.holds) return kDoesNotHold;
  return verdict.all ? kDone : kRunsFailed;
}

Action declare(Syntax& syntax) {
  auto arguments = std::make_shared<Arguments>();
  syntax.required("STORE", arguments->store, "The file of a store");
  syntax.text("--signers", "FILE", arguments->signers,
              "Also check who signed it: names and public keys, as\nssh-keygen(1) says of ALLOWED "
              "SIGNERS");
  syntax.count("--rerun", arguments->again.runs,
               "Also do N runs again, drawn at random, and compare\nthem to the bit");
  syntax.text("--seed", "TEXT", arguments->again.seed,
              "Seed of the draw (default: a new one, which is printed)");
  syntax.count("--jobs", arguments->again.jobs, "Runs at a time (default: one per processor)");
  syntax.text("--memory", "SIZE", arguments->again.memory,
              "Limit for all runs together, as 8G\n(default: four fifths of what is free)");
  add_data(syntax, arguments->data);
  add_json(syntax, arguments->json);
  syntax.footer(
      wrap("Exit code: 0 all of it holds, 3 something does not, 1 it holds as far as could be seen "
           "but something is unsealed, fewer runs than N were done again though the store has "
           "more that can be, or nobody whom FILE lists signed it, 128 + the signal's number if it "
           "was stopped. "
           "docs/reliability.md says what each check can tell."));
  return [arguments] { return perform(*arguments); };
}

}  // namespace

extern const Command command_verify;
const Command command_verify = {Topic::kStores, "verify", "Whether a store says what was computed",
                                declare};

}  // namespace cupel::cli
