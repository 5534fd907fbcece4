// cupel verify: whether a store says what was computed.
#include <memory>

#include <nlohmann/json.hpp>

#include "cupel/base/error.h"
#include "cupel/base/json_text.h"
#include "cupel/base/paths.h"
#include "cupel/cli/command.h"
#include "cupel/cli/options.h"
#include "cupel/cli/output.h"
#include "cupel/cli/terminal.h"
#include "cupel/cli/text.h"
#include "cupel/cli/work.h"
#include "cupel/lab/verify/signature.h"
#include "cupel/lab/verify/verify.h"

namespace cupel::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostShown = 20;

struct Arguments {
  std::string store, signers, seed, memory;
  DataArgument data;
  int rerun = 0, jobs = 0;
  bool json = false;
};

std::optional<Rerun> done_again(const Arguments& arguments, const std::string& seed, int& stopped) {
  if (arguments.rerun == 0) return std::nullopt;
  WorkArguments work;
  work.jobs = arguments.jobs;
  work.memory = arguments.memory;
  RerunOptions options{arguments.rerun, seed, work.execute_options()};
  const Store store(arguments.store, Store::Mode::kOpen);
  const Interrupt interrupt("\ncupel: stopping; once more to quit at once\n");
  options.execute.interrupt = &interrupt.flag();
  StatusLine status;
  const PlanSources sources = telling_sources(arguments.data.folder(), status);
  if (status.enabled())
    options.execute.on_progress = options.execute.on_tick = [&](const Progress& progress) {
      status.show(fmt::format("{} of {} done again", grouped(progress.done),
                              counted(progress.total, "run")));
    };
  Rerun out = rerun(store, sources, *make_executor(), options);
  if (!out.enough) stopped = interrupt.exit_code();
  return out;
}

Json rerun_json(const Rerun& rerun, const std::string& seed) {
  Json runs = Json::array();
  for (const RerunRun& run : rerun.runs)
    runs.push_back({{"id", run.id},
                    {"dataset", run.dataset},
                    {"model", run.model},
                    {"split", run.split},
                    {"init", run.init},
                    {"in_conflict", run.in_conflict},
                    {"same", run.same},
                    {"difference", run.difference}});
  return {{"seed", seed},
          {"runs", runs},
          {"misplaced", rerun.misplaced},
          {"enough", rerun.enough},
          {"left_out",
           {{"programs", rerun.programs},
            {"unfinished", rerun.unfinished},
            {"searches", rerun.searches},
            {"unreachable", rerun.unreachable},
            {"reasons", rerun.reasons}}}};
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

bool unsealed(const StoreCheck& check) { return check.unsealed + check.unsealed_cells > 0; }

// Without a file of signers, nobody asked who it was.
bool is_signed(const SignatureCheck& signature, const Arguments& arguments) {
  return arguments.signers.empty() || signature.state == SignatureCheck::State::kSigned;
}

// The end of it in a sentence, and of what it is less than all.
struct Verdict {
  bool holds = false;  // nothing was found that does not
  bool all = false;    // and everything was looked at that was to be
  std::string sentence;
};

Verdict verdict_of(const Arguments& arguments, const StoreCheck& check,
                   const std::optional<SignatureCheck>& signature,
                   const std::optional<Rerun>& rerun) {
  bool holds = check.problems.empty() && check.conflicts == 0;
  if (signature) holds = holds && signature->state != SignatureCheck::State::kTampered;
  if (rerun) {
    holds = holds && rerun->misplaced.empty();
    for (const RerunRun& run : rerun->runs) holds = holds && run.same;
  }
  if (!holds) return {false, false, "It does not hold."};
  std::vector<std::string> but;
  if (rerun && !rerun->enough)
    but.push_back(fmt::format("{} of the {} that were to be done again {} done",
                              rerun->runs.empty() ? "none" : grouped(std::ssize(rerun->runs)),
                              counted(arguments.rerun, "run"),
                              rerun->runs.size() == 1 ? "was" : "were"));
  if (signature && !is_signed(*signature, arguments))
    but.push_back(fmt::format("nobody whom {} lists has signed it", arguments.signers));
  const char* const what = unsealed(check) ? "What is sealed" : "All of it";
  if (but.empty()) return {true, !unsealed(check), fmt::format("{} holds.", what)};
  return {true, false, fmt::format("{} holds, but {}.", what, fmt::join(but, ", and "))};
}

std::string card(const Arguments& arguments, const StoreCheck& check, const std::string& signature,
                 const std::optional<Rerun>& rerun, const std::string& seed,
                 const Verdict& verdict) {
  std::string out = labelled("Store", arguments.store);
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
  if (!signature.empty()) out += labelled("Signature", signature);
  if (rerun) out += rerun_text(*rerun, seed);
  for (std::size_t i = 0; i < std::min(check.problems.size(), kMostShown); ++i)
    out += wrap(brief(check.problems[i]), 2);
  if (check.problems.size() > kMostShown)
    out += fmt::format("  and {} more (--json lists all)\n", check.problems.size() - kMostShown);
  return out + labelled("", verdict.sentence);
}

// Whether a signature is of these results needs no list of who may sign: one that lies beside the
// store is checked, whoever made it. Where nobody asked and there is no ssh-keygen, only
// `unchecked` says why it was not.
std::optional<SignatureCheck> signature_of(const Arguments& arguments, std::string& unchecked) {
  if (!arguments.signers.empty()) return check_signature(arguments.store, arguments.signers);
  if (!is_there(signature_path(arguments.store))) return std::nullopt;
  try {
    check_ssh_keygen();
  } catch (const Error& error) {
    unchecked = fmt::format("not checked: {}", error.what());
    return std::nullopt;
  }
  return check_signature(arguments.store, std::nullopt);
}

int perform(const Arguments& arguments) {
  if (arguments.rerun == 0 && (!arguments.seed.empty() || arguments.jobs > 0 ||
                               !arguments.memory.empty() || !arguments.data.given.empty()))
    fail("verify: --seed, --jobs, --memory and --data go with --rerun N; nothing is done again");
  const StoreCheck check = check_store(arguments.store);
  std::string unchecked;
  const std::optional<SignatureCheck> signature = signature_of(arguments, unchecked);
  const std::string seed = arguments.seed.empty() ? random_seed() : arguments.seed;
  int stopped = kDone;  // what an interrupted one ends with
  std::optional<Rerun> rerun;
  // What is wrong already is not worth doing again.
  if (check.problems.empty()) rerun = done_again(arguments, seed, stopped);
  const Verdict verdict = verdict_of(arguments, check, signature, rerun);
  Json out = {{"kind", "verification"},
              {"store", arguments.store},
              {"holds", verdict.holds},
              {"verdict", verdict.sentence},
              {"runs", check.runs},
              {"unsealed", check.unsealed},
              {"unsealed_cells", check.unsealed_cells},
              {"conflicts", check.conflicts},
              {"problems", check.problems},
              {"other_published", check.other_published}};
  if (signature)
    out["signature"] = {{"state", to_word(signature->state)},
                        {"signer", signature->signer},
                        {"key", signature->key},
                        {"text", signature->sentence}};
  if (!unchecked.empty()) out["signature"] = {{"state", "unchecked"}, {"text", unchecked}};
  if (rerun) {
    out["rerun"] = rerun_json(*rerun, seed);
    out["rerun"]["stopped"] = stopped != kDone;
  }
  print_out(arguments.json ? json_text(out)
                           : card(arguments, check, signature ? signature->sentence : unchecked,
                                  rerun, seed, verdict));
  if (stopped != kDone) {
    print_note("stopped before all runs were done again");
    return stopped;
  }
  if (!verdict.holds) return kDoesNotHold;
  return verdict.all ? kDone : kRunsFailed;
}

Action declare(Syntax& syntax) {
  auto arguments = std::make_shared<Arguments>();
  syntax.required("STORE", arguments->store, "The file of a store");
  syntax.text("--signers", "FILE", arguments->signers,
              "Also check who signed it: names and public keys, as\nssh-keygen(1) says of ALLOWED "
              "SIGNERS");
  syntax.count("--rerun", arguments->rerun,
               "Also do N runs again, drawn at random, and compare\nthem to the bit");
  syntax.text("--seed", "TEXT", arguments->seed,
              "Seed of the draw (default: a new one, which is printed)");
  syntax.count("--jobs", arguments->jobs, "Runs at a time (default: one per processor)");
  syntax.text("--memory", "SIZE", arguments->memory,
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
