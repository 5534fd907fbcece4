// cupel work: do one shard of a plan.
#include <memory>

#include "cupel/api/how.h"
#include "cupel/api/plan_places.h"
#include "cupel/api/shard_work.h"
#include "cupel/base/error.h"
#include "cupel/base/shell.h"
#include "cupel/cli/command.h"
#include "cupel/cli/output.h"
#include "cupel/cli/terminal.h"
#include "cupel/cli/text.h"
#include "cupel/cli/work.h"

namespace cupel::cli {
namespace {

// What schedulers take for "put it into the queue again" (sysexits.h: EX_TEMPFAIL).
constexpr int kComeAgain = 75;
// Results are there and nobody sees them (sysexits.h: EX_IOERR). A failure, and none to come again
// with at once: the next attempt would find the same disk.
constexpr int kNotPublished = 74;

struct Arguments {
  WorkArguments work;  // its shard, jobs, memory, time-out and data
  std::string plan, out, publish = "5m";
};

// Amid the work, which goes on for those who will see its results.
void tell_problem(const std::string& problem) {
  try {
    print_error(problem);
  } catch (const ClosedPipe&) {
  }
}

void tell_set_aside(const ShardWork& shard) {
  for (const std::filesystem::path& path : shard.set_aside())
    print_note(fmt::format(
        "{}: an earlier attempt's store, set aside as it is damaged; what it held is done again",
        path.string()));
}

// Results that others cannot be shown stay on this machine.
int end_unpublished(ShardWork& shard, const Error& why) {
  std::filesystem::path kept;
  try {
    kept = shard.keep();
  } catch (const Error& lost) {
    print_error(fmt::format("{}; {}", why.what(), lost.what()));
    return kNotPublished;
  }
  print_error(fmt::format(
      "{}; the results are kept in {}, and `cupel merge {} {}` publishes them once it can",
      why.what(), kept.string(), shell_word(shard.path().string()), shell_word(kept.string())));
  return kNotPublished;
}

int perform(const Arguments& arguments) {
  // Data sets may take minutes to read, in which a signal says the same.
  end_signals_with(kComeAgain);
  const double seconds = parse_duration("--publish", arguments.publish);
  ExecuteOptions options = arguments.work.execute_options();
  options.shard = {};
  const FrozenPlan frozen = read_frozen(arguments.plan);
  const Shard part = shard_of(arguments.work.shard, frozen);
  if (runs_of_shard(frozen, part.index, part.count).empty()) {
    print_note(fmt::format("shard {}/{} has no runs", part.index + 1, part.count));
    return kDone;
  }
  ShardWork shard(frozen, part, published_folder(arguments.plan, arguments.out));
  tell_set_aside(shard);
  StatusLine status;
  const StudyOutlook outlook = shard.plan(telling_sources(arguments.work.data.folder(), status),
                                          arguments.work.data.folder(), options.retry);
  options.refused = outlook.refused;
  status.clear();
  if (!announce(outlook)) return kRunsFailed;
  announce_programs(outlook.pending);
  shard.begin({seconds, tell_problem});
  try {
    const WorkReport done = work(options, shard.path(), [&](const ExecuteOptions& watched) {
      return shard.execute(watched);
    });
    return done.summary.interrupted ? kComeAgain : done.exit_code;
  } catch (const Error& error) {
    return end_unpublished(shard, error);
  }
}

Action declare(Syntax& syntax) {
  auto arguments = std::make_shared<Arguments>();
  WorkArguments& work = arguments->work;
  syntax.required("PLAN", arguments->plan, "A file of `cupel plan`")
      .group("What is done")
      .text("--shard", "I/N", work.shard,
            "Part I of N, I from 1 to N (default: what Slurm, SGE,\nPBS or Kubernetes say)")
      .flag("--retry-failed", work.retry_failed, "Do failed and timed-out runs again")
      .group("How")
      .count("--jobs", work.jobs, "Runs at a time (default: one per processor)")
      .text("--memory", "SIZE", work.memory, "Limit of all runs together (default: 4/5 of free)")
      .seconds("--timeout", work.timeout, "Limit of one run, instead of the protocol's")
      .text("--publish", "TIME", arguments->publish, "How often (default: 5m)")
      .group("Where")
      .text("--out", "DIR", arguments->out,
            "Folder that all machines see; the shard's store is\nput there (default: p.shards of "
            "p.plan)");
  add_data(syntax, work.data);
  syntax.footer(wrap(
      "Several machines may be at one plan. What was published is not done again. On SIGTERM or "
      "SIGUSR1 it publishes and ends with 75, so that the engine can queue it again. Where results "
      "cannot be published, it keeps them, says where, and ends with 74."));
  return [arguments] { return perform(*arguments); };
}

}  // namespace

extern const Command command_work;
const Command command_work = {Topic::kClusters, "work", "Do one shard of a plan", declare};

}  // namespace cupel::cli
