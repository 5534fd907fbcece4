// cupel status: how far a plan is.
#include <algorithm>
#include <memory>

#include <nlohmann/json.hpp>

#include "cupel/api/how.h"
#include "cupel/base/error.h"
#include "cupel/base/json_text.h"
#include "cupel/cli/command.h"
#include "cupel/cli/output.h"
#include "cupel/cli/shards.h"
#include "cupel/cli/text.h"
#include "cupel/lab/shards/shard_folder.h"
#include "cupel/lab/shards/shard_status.h"

namespace cupel::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostShown = 40;

struct Arguments {
  std::string plan, out, store, engine = "slurm";
  DataArgument data;
  SlurmOptions slurm;
  bool resubmit = false, json = false;
};

// "done", "RUNNING" or what else Slurm says, "running" where somebody else is at it; "damaged"
// where a store of it is, else "missing".
std::string state_of(const ShardStatus& status, const std::string& queued, bool attended) {
  if (status.done == status.runs) return "done";
  if (!queued.empty()) return queued;
  if (attended) return "running";
  return status.damaged.empty() ? "missing" : "damaged";
}

bool is_missing(const std::string& state) { return state == "missing" || state == "damaged"; }

struct Row {
  int shard;
  ShardStatus status;
  std::string state;
  std::string machine;  // of who is at it; empty: nobody
};

std::string text_of(const FrozenPlan& plan, const std::vector<Row>& rows) {
  std::int64_t done = 0, failed = 0, complete = 0, with_runs = 0;
  double left = 0;
  Columns columns("lrrll");
  columns.row({"SHARD", "DONE", "OF", "STATE", "MACHINE"});
  std::size_t open = 0;
  for (const Row& row : rows) {
    done += row.status.done;
    failed += row.status.failed;
    left += row.status.seconds_left;
    // More shards that were asked for than have runs: of the others nothing is done.
    with_runs += row.status.runs > 0;
    complete += row.status.runs > 0 && row.state == "done";
    if (row.state == "done" || ++open > kMostShown) continue;
    columns.row({fmt::format("{}/{}", row.shard + 1, plan.shards), grouped(row.status.done),
                 grouped(row.status.runs), row.state, row.machine});
  }
  std::string out =
      fmt::format("{} of {} done, in {} of {}{} all are", grouped(done),
                  counted(plan.count(), "run"), grouped(complete), counted(with_runs, "shard"),
                  with_runs < plan.shards ? " that have runs" : "");
  if (failed > 0) out += fmt::format("; {} failed", grouped(failed));
  if (open == 0) return out + "\n";
  out += fmt::format("; about {} of one processor are left\n\n", duration_text(left));
  out += columns.text();
  if (open > kMostShown) out += fmt::format("  and {} more (--json)\n", open - kMostShown);
  return out;
}

std::vector<std::string> names_of(const std::vector<std::filesystem::path>& paths) {
  std::vector<std::string> out;
  for (const std::filesystem::path& path : paths) out.push_back(path.string());
  return out;
}

// Says which stores are damaged. One whose shard is handed out again is set aside by who does it.
void tell_damaged(const PlanStatus& status, const std::vector<Row>& rows) {
  for (const std::filesystem::path& path : status.damaged) {
    const bool again = std::any_of(rows.begin(), rows.end(), [&](const Row& row) {
      const auto& own = row.status.damaged;
      return row.state == "damaged" && std::find(own.begin(), own.end(), path) != own.end();
    });
    print_note(fmt::format("{}: is damaged, so that what it held counts as missing; {}",
                           path.string(),
                           again ? "--resubmit hands out its shard again"
                                 : "remove it, as it keeps `cupel merge` from the folder"));
  }
}

std::string json_of(const FrozenPlan& plan, const std::vector<Row>& rows,
                    const std::filesystem::path& folder, const std::filesystem::path& store) {
  Json shards = Json::array();
  for (const Row& row : rows)
    shards.push_back({{"shard", row.shard + 1},
                      {"runs", row.status.runs},
                      {"done", row.status.done},
                      {"failed", row.status.failed},
                      {"seconds_left", row.status.seconds_left},
                      {"state", row.state},
                      {"machine", row.machine},
                      {"damaged", names_of(row.status.damaged)}});
  return json_text(Json{{"plan", plan.hash},
                        {"runs", plan.count()},
                        {"folder", folder.string()},
                        {"store", store.string()},
                        {"shards", shards}});
}

int perform(const Arguments& arguments) {
  check_engine("status", arguments.engine);
  if (!arguments.slurm.memory.empty()) (void)parse_size("--memory", arguments.slurm.memory);
  const bool lines = arguments.resubmit && arguments.engine == "commands";
  const FrozenPlan plan = read_frozen(arguments.plan);
  const std::filesystem::path folder = published_folder(arguments.plan, arguments.out);
  const std::filesystem::path store = merged_store(arguments.plan, arguments.store);
  const PlanStatus published = status_of(plan, folder);
  const std::map<int, std::string> queued = slurm_states(folder, plan.hash);
  const std::map<int, std::string> attended = attended_shards(folder, plan.hash, plan.shards);
  std::vector<Row> rows;
  std::vector<int> missing;
  for (int shard = 0; shard < plan.shards; ++shard) {
    const ShardStatus& status = published.shards[static_cast<std::size_t>(shard)];
    const auto found = queued.find(shard);
    const std::string said = found == queued.end() ? "" : found->second;
    const auto machine = attended.find(shard);
    rows.push_back({shard, status, state_of(status, said, machine != attended.end()),
                    machine == attended.end() ? "" : machine->second});
    if (is_missing(rows.back().state)) missing.push_back(shard);
  }
  // What is run by a shell is told alone.
  if (!lines) print_out(arguments.json ? json_of(plan, rows, folder, store) : text_of(plan, rows));
  tell_damaged(published, rows);
  if (!arguments.resubmit) return missing.empty() ? kDone : kRunsFailed;
  if (missing.empty()) {
    print_note("nothing is missing, so that nothing is submitted");
    return kDone;
  }
  hand_to(
      arguments.engine,
      engine_plan(arguments.engine, plan, arguments.plan, folder, arguments.data.folder(), store),
      arguments.slurm, missing);
  return kDone;
}

Action declare(Syntax& syntax) {
  auto arguments = std::make_shared<Arguments>();
  syntax.required("PLAN", arguments->plan, "A file of `cupel plan`, or of `run --engine`")
      .text("--out", "DIR", arguments->out,
            "Where shards are published (default: p.shards of p.plan)")
      .flag("--resubmit", arguments->resubmit,
            "Hand out what is missing or damaged, and neither running\nnor queued")
      .text("--engine", "slurm|commands", arguments->engine,
            "To Slurm (the default), or print a command for each")
      .text("--store", "FILE", arguments->store, "Then merge into it (default: p.sqlite of p.plan)")
      .text("--partition", "NAME", arguments->slurm.partition, "Partition of Slurm")
      .text("--time", "TIME", arguments->slurm.time, "Limit of a shard, as Slurm writes it")
      .count("--max-parallel", arguments->slurm.max_parallel, "Shards at a time")
      .group("How a shard is done")
      .count("--jobs", arguments->slurm.jobs, "Runs at a time")
      .text("--memory", "SIZE", arguments->slurm.memory, "Limit of all runs together")
      .seconds("--timeout", arguments->slurm.timeout, "Limit of one run")
      .flag("--retry-failed", arguments->slurm.retry_failed, "Do failed and timed-out runs again");
  syntax.goes_with("--resubmit", {"--engine", "--store", "--partition", "--time", "--max-parallel",
                                  "--jobs", "--memory", "--timeout", "--retry-failed"});
  syntax.group("");
  add_data(syntax, arguments->data);
  add_json(syntax, arguments->json);
  syntax.footer(wrap("Ends with 1 while shards are missing or damaged that nobody is at."));
  return [arguments] { return perform(*arguments); };
}

}  // namespace

extern const Command command_status;
const Command command_status = {Topic::kClusters, "status", "How far the shards of a plan are",
                                declare};

}  // namespace cupel::cli
