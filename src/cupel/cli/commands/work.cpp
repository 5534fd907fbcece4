// cupel work: do one shard of a plan.
#include <array>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <vector>

#include "cupel/api/how.h"
#include "cupel/base/error.h"
#include "cupel/cli/command.h"
#include "cupel/cli/output.h"
#include "cupel/cli/shards.h"
#include "cupel/cli/terminal.h"
#include "cupel/cli/text.h"
#include "cupel/lab/run/checkpoint_file.h"
#include "cupel/lab/shards/shard_folder.h"

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

// Where engines tell a task its index, and from what number they count.
struct IndexVariable {
  const char* name;
  int first;
};
constexpr std::array<IndexVariable, 4> kIndexVariables = {{{"SLURM_ARRAY_TASK_ID", 1},
                                                           {"SGE_TASK_ID", 1},
                                                           {"PBS_ARRAY_INDEX", 1},
                                                           {"JOB_COMPLETION_INDEX", 0}}};

// --shard, else what an engine says.
Shard shard_of(const Arguments& arguments, const FrozenPlan& plan) {
  if (!arguments.work.shard.empty()) return arguments.work.execute_options().shard;
  for (const IndexVariable& variable : kIndexVariables) {
    const char* text = std::getenv(variable.name);
    if (text == nullptr || *text == '\0' || std::string_view(text) == "undefined") continue;
    char* end = nullptr;
    const long index = std::strtol(text, &end, 10) - variable.first;
    if (*end != '\0' || index < 0 || index >= plan.shards)
      fail("{} is '{}', and the plan has shards {} to {}; --shard I/N names one", variable.name,
           text, variable.first, plan.shards - 1 + variable.first);
    return {static_cast<int>(index), plan.shards};
  }
  fail("work: which of the {}? --shard 1/{} is the first", counted(plan.shards, "shard"),
       plan.shards);
}

// Publishes now and then what was kept since. What cannot be published now may be later; the last
// time counts. Calls must not overlap.
class Publisher {
 public:
  Publisher(ShardStore& shard, double seconds) : shard_(shard), seconds_(seconds) {}
  void kept() { news_ = true; }
  // A run whose checkpoint is needed until its result is published.
  void over(const std::filesystem::path& checkpoint) { checkpoints_.push_back(checkpoint); }
  void look() {
    const auto now = Clock::now();
    if (!news_ || std::chrono::duration<double>(now - last_).count() < seconds_) return;
    last_ = now;
    try {
      publish();
    } catch (const Error& error) {
      tell(error.what());
    }
  }
  // Throws Error as ShardStore::publish.
  void publish() {
    shard_.publish();
    news_ = false;
    for (const std::filesystem::path& path : checkpoints_) CheckpointFile::remove(path);
    checkpoints_.clear();
  }

 private:
  using Clock = std::chrono::steady_clock;
  // Amid the work, which goes on for those who will see its results.
  static void tell(const char* problem) {
    try {
      print_error(problem);
    } catch (const ClosedPipe&) {
    }
  }
  ShardStore& shard_;
  const double seconds_;
  Clock::time_point last_ = Clock::now();
  bool news_ = false;
  std::vector<std::filesystem::path> checkpoints_;
};

void tell_set_aside(const ShardStore& own) {
  for (const std::filesystem::path& path : own.set_aside())
    print_note(fmt::format(
        "{}: an earlier attempt's store, set aside as it is damaged; what it held is done again",
        path.string()));
}

// Results that others cannot be shown stay on this machine.
int end_unpublished(ShardStore& own, const Error& why) {
  std::filesystem::path kept;
  try {
    kept = own.keep();
  } catch (const Error& lost) {
    print_error(fmt::format("{}; {}", why.what(), lost.what()));
    return kNotPublished;
  }
  print_error(fmt::format(
      "{}; the results are kept in {}, and `cupel merge {} {}` publishes them once it can",
      why.what(), kept.string(), shell_word(own.path().string()), shell_word(kept.string())));
  return kNotPublished;
}

int perform(const Arguments& arguments) {
  // Data sets may take minutes to read, in which a signal says the same.
  end_signals_with(kComeAgain);
  const double seconds = parse_duration("--publish", arguments.publish);
  ExecuteOptions options = arguments.work.execute_options();
  const FrozenPlan frozen = read_frozen(arguments.plan);
  const Shard shard = shard_of(arguments, frozen);
  options.shard = {};
  const std::vector<FrozenRuns> mine = runs_of_shard(frozen, shard.index, shard.count);
  if (mine.empty()) {
    print_note(fmt::format("shard {}/{} has no runs", shard.index + 1, shard.count));
    return kDone;
  }
  const std::filesystem::path folder = published_folder(arguments.plan, arguments.out);
  ShardStore own(folder, frozen.hash, shard.index, shard.count);
  options.checkpoints = own.checkpoints();
  tell_set_aside(own);
  StatusLine status;
  const Plan plan = make_plan(protocol_of(frozen), selection_of(frozen, mine),
                              telling_sources(arguments.work.data.folder(), status));
  Store& store = own.store();
  StudyOutlook outlook{pending_of(frozen, mine, plan, store, options.retry), {}};
  const Pending& pending = outlook.pending;
  const std::unique_ptr<Executor> executor =
      make_executor({arguments.work.data.folder(), store.path(), folder});
  options.refused = outlook.refused = refusals(pending, *executor);
  status.clear();
  if (!announce(outlook)) return kRunsFailed;
  announce_programs(pending);
  store.register_plan(plan);
  Publisher publisher(own, seconds);
  const auto do_and_publish = [&](const ExecuteOptions& watched) {
    ExecuteOptions publishing = watched;
    publishing.on_progress = [&](const Progress& progress) {
      if (watched.on_progress) watched.on_progress(progress);
      publisher.kept();
      publisher.look();
    };
    // A run may be the only one for hours.
    publishing.on_tick = [&](const Progress& progress) {
      if (watched.on_tick) watched.on_tick(progress);
      publisher.look();
    };
    publishing.on_checkpoint_over = [&](const auto& path) { publisher.over(path); };
    ExecuteSummary out = execute(pending, store, *executor, publishing);
    publisher.publish();  // before anybody is told where the results are
    return out;
  };
  try {
    const WorkReport done = work(options, own.path(), do_and_publish);
    return done.summary.interrupted ? kComeAgain : done.exit_code;
  } catch (const Error& error) {
    return end_unpublished(own, error);
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
