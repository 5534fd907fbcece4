#include "cupel/api/study.h"

#include <algorithm>
#include <utility>

#include "cupel/api/how.h"
#include "cupel/base/error.h"
#include "cupel/judge/report/table.h"
#include "cupel/lab/results/load.h"
#include "cupel/lab/run/refusal.h"

namespace cupel {

std::optional<UntilOptions> read_until(const UntilRequest& request) {
  if (request.until.empty()) {
    if (request.max_splits > 0)
      fail("run: --max-splits goes with --until decided; --splits says how many there are else");
    return std::nullopt;
  }
  if (request.until != "decided") fail("run: --until takes 'decided', not '{}'", request.until);
  if (request.splits > 0)
    fail("run: --until decided makes as many splits as it needs; --max-splits limits them");
  if (request.sharded)
    fail("run: --until decided looks at all that was run, so that it cannot be done in shards");
  UntilOptions out;
  out.max_splits = request.max_splits;
  if (request.inits > 0) out.inits = out.max_inits = request.inits;
  out.delta = request.delta;
  return out;
}

std::filesystem::path kept_store(const std::string& given, const std::string& protocol) {
  if (given == ":memory:")
    fail(
        "{0}: is no file, so that the results would be gone with the program; give the path of a "
        "store (a file of that name is ./{0})",
        given);
  // SQLite would make a file without the slash.
  if (given.ends_with('/')) fail("{}: is a folder, not a store; give the path of a file", given);
  return given.empty() ? protocol + ".sqlite" : given;
}

StoreOpener::StoreOpener(std::filesystem::path path, bool only_look)
    : path_(std::move(path)), only_look_(only_look) {
  std::error_code error;
  if (!std::filesystem::exists(path_, error)) return;
  // What is only looked at stays as it is; an empty file is a store to be.
  if (!only_look_)
    store_ = std::make_unique<Store>(path_);
  else if (std::filesystem::file_size(path_, error) > 0 || error)
    store_ = std::make_unique<Store>(path_, Store::Mode::kOpen);
}

Store& StoreOpener::store() {
  if (!store_) store_ = std::make_unique<Store>(only_look_ ? ":memory:" : path_);
  return *store_;
}

const Store& StoreOpener::look() {
  if (store_) return *store_;
  if (!empty_) empty_ = std::make_unique<Store>(":memory:");
  return *empty_;
}

Pilot pilot_for(const std::string& argument, const Plan& plan, const Store& store,
                const Executor& executor, const ExecuteOptions& options) {
  if (argument == "none") return {};
  const PilotOptions limits{parse_duration("--pilot", argument.empty() ? "10s" : argument)};
  const Pending pending = pending_runs(plan, store, options.retry, options.shard);
  ExecuteOptions trying = options;
  trying.refused = refusals(pending, executor);
  return run_pilot(pending, store, executor, trying, limits);
}

std::vector<std::filesystem::path> hidden_from_programs(
    const std::filesystem::path& data_folder, const std::filesystem::path& store,
    const std::vector<std::filesystem::path>& more) {
  std::vector<std::filesystem::path> out = {data_folder};
  for (const char* end : {"", "-wal", "-shm", "-journal"}) out.emplace_back(store.string() + end);
  out.insert(out.end(), more.begin(), more.end());
  return out;
}

bool StudyOutlook::has_runs() const {
  int left = pending.stored;
  for (const RunGroup& group : pending.groups) left += static_cast<int>(group.inits.size());
  for (const Refusal& refusal : refused) left -= refusal.runs;
  return left > 0;
}

Study::Study(StudyRequest request)
    : request_(std::move(request)), opener_(request_.store, request_.only_look) {
  if (request_.delta) check_delta(*request_.delta);
  const auto& until = request_.until;
  if (until) request_.selection = until_selection(request_.selection, *until);
  all_ = make_plan(request_.protocol, request_.selection, request_.sources);
  plan_ = until ? until_plan(request_.protocol, all_, *until) : all_;
  executor_ =
      make_executor(hidden_from_programs(request_.data_folder, opener_.path(), request_.hidden));
}

std::vector<std::string> Study::left_out() const {
  std::vector<std::string> rows;
  for (const PlannedCell& cell : all_.cells) {
    const bool kept =
        std::any_of(plan_.cells.begin(), plan_.cells.end(), [&](const PlannedCell& other) {
          return other.table == cell.table && other.dataset == cell.dataset &&
                 other.model == cell.model;
        });
    const std::string name = cell.model + " on " + cell.dataset;
    if (!kept && std::find(rows.begin(), rows.end(), name) == rows.end()) rows.push_back(name);
  }
  return rows;
}

PlanEstimate Study::estimate(const ExecuteOptions& options, const Pilot& pilot) {
  return estimate_plan(plan_, opener_.look(), *executor_, options, pilot);
}

StudyOutlook Study::outlook(const ExecuteOptions& options) {
  StudyOutlook out{pending_runs(plan_, opener_.look(), options.retry, options.shard), {}};
  out.refused = refusals(out.pending, *executor_);
  return out;
}

ExecuteSummary Study::execute(const ExecuteOptions& options) {
  if (!request_.until) return cupel::execute(plan_, opener_.store(), *executor_, options);
  decided_ = run_until_decided(request_.protocol, plan_, opener_.store(), *executor_, options,
                               *request_.until);
  return decided_->work;
}

Results Study::results() {
  Results out = load_results(opener_.store(), request_.protocol);
  if (request_.delta) set_delta(out, *request_.delta);
  return out;
}

}  // namespace cupel
