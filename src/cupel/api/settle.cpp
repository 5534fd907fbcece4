#include "cupel/api/settle.h"

#include <algorithm>
#include <map>
#include <utility>

#include <nlohmann/json.hpp>

#include "cupel/api/how.h"
#include "cupel/api/plan_places.h"
#include "cupel/base/error.h"
#include "cupel/base/names.h"
#include "cupel/base/paths.h"
#include "cupel/base/utf8.h"
#include "cupel/base/visible.h"
#include "cupel/base/words.h"
#include "cupel/lab/plan/selection.h"

namespace cupel {
namespace {

// Seconds of a run of each family, as the plan in `file` has them. Nothing where there is no such
// file, or none of this version.
using PlanTimes = std::map<std::string, double>;

PlanTimes times_of(const std::filesystem::path& file) {
  PlanTimes out;
  try {
    if (!is_there(file)) return out;
    for (const FrozenRuns& runs : read_frozen(file).runs)
      // The middle of what set_runs() rounds up to it, so that it is the same again.
      out[runs.family] = 1e-6 * (static_cast<double>(runs.microseconds) - 0.5);
  } catch (const Error&) {
    // A plan that cannot be read tells nothing, and the new one takes its place.
  }
  return out;
}

// The pilot of what neither the study's store nor `before` knows; of all that the store does not,
// where the request says for how long.
Pilot pilot_of(Study& study, const SettleRequest& request, const PlanTimes& before,
               const std::function<void()>& before_pilot) {
  if (request.pilot.empty()) {
    const Pending pending = pending_runs(study.plan(), study.look(), request.pilot_how.retry);
    const bool known =
        std::all_of(pending.groups.begin(), pending.groups.end(), [&](const RunGroup& group) {
          return before.contains(group.family->id) || study.look().cost(group.family->id).runs > 0;
        });
    if (known) return {};
  }
  if (before_pilot && request.pilot != "none") before_pilot();
  return pilot_for(request.pilot, study.plan(), study.look(), study.executor(), request.pilot_how);
}

// What runs take is told by the store, else by `pilot`, else by `before`.
double expected_seconds(const Family& family, const Store& store, const Pilot& pilot,
                        const PlanTimes& before) {
  const auto earlier = before.find(family.id);
  const bool seen = store.cost(family.id).runs > 0 || pilot.seconds_of(family);
  return seen || earlier == before.end() ? seconds_of_run(family, store, pilot).mean
                                         : earlier->second;
}

void check_utf8(const std::string& path) {
  if (!is_utf8(path))
    fail("'{}' has bytes that are not UTF-8, which the text of a plan cannot hold; rename it",
         visible_line(path));
}

// All of the plan but its runs and its cut.
FrozenPlan frozen_request(const StudyRequest& request, const std::vector<std::string>& choices) {
  const Protocol& protocol = request.protocol;
  const Selection& selection = request.selection;
  FrozenPlan out;
  out.protocol = protocol.name;
  out.folder = protocol.folder.string();
  out.text = protocol.text;
  out.published_text = protocol.published_text;
  for (const std::string& name : selection.datasets) {
    const bool is_path =
        name.find('/') != std::string::npos && !has_name(columns_of(protocol), name);
    out.datasets.push_back(is_path ? absolute_path(name).string() : name);
  }
  // Other bytes would be lost in the text, and the data not be found by who does a shard.
  for (const std::string& path : out.datasets) check_utf8(path);
  check_utf8(out.folder);
  out.models = selection.models;
  out.tables = selection.tables;
  out.choices = choices;
  out.splits = selection.splits;
  out.inits = selection.inits;
  return out;
}

// More shards than runs would leave some empty.
std::string no_more_shards_than_runs(FrozenPlan& plan) {
  const std::int64_t most = plan.count();
  if (plan.shards <= most) return "";
  const int asked = plan.shards;
  plan.shards = static_cast<int>(most);
  return fmt::format("{} make {} at most, so that --shards {} is taken for {}",
                     counted(most, "run"), counted(most, "shard"), grouped(asked), grouped(most));
}

}  // namespace

SettledPlan settle(Study& study, const SettleRequest& request,
                   const std::function<void()>& before_pilot) {
  const Pending pending = pending_runs(study.plan(), study.look(), request.retry);
  SettledPlan out;
  out.protocol = study.request().protocol.name;
  if (pending.groups.empty()) {
    out.note = fmt::format("all of the {} are in the store; there is nothing to share out",
                           counted(pending.planned, "run"));
    return out;
  }
  FrozenPlan asked = frozen_request(study.request(), request.choices);
  const PlanTimes before = times_of(request.file);
  const Pilot pilot = pilot_of(study, request, before, before_pilot);
  const double target = parse_duration("--target", request.cut.target);
  const std::optional<int> shards = parse_shard_count("--shards", request.cut.shards);
  std::vector<double> expected;
  for (const RunGroup& group : pending.groups)
    expected.push_back(expected_seconds(*group.family, study.look(), pilot, before));
  FrozenPlan& plan = out.plan.emplace(std::move(asked));
  set_runs(plan, study.plan(), pending, expected);
  if (shards)
    plan.shards = *shards;
  else
    cut_by_time(plan, target);
  out.note = no_more_shards_than_runs(plan);
  out.text = frozen_text(plan);
  return out;
}

std::string frozen_summary(const FrozenPlan& plan) {
  // Where the number of shards was asked for, long runs may leave some without any.
  const std::int64_t with_runs = std::ssize(shards_with_runs(plan));
  std::string out = fmt::format(
      "{} in {}{} of about {} each", counted(plan.count(), "run"), counted(plan.shards, "shard"),
      with_runs < plan.shards ? fmt::format(", {} of which have runs,", grouped(with_runs)) : "",
      duration_text(plan.seconds() / static_cast<double>(with_runs)));
  if (plan.later > 0)
    out += fmt::format("; {} follow once configurations are chosen: merge, and plan again",
                       counted(plan.later, "run"));
  return out;
}

nlohmann::ordered_json settled_json(const SettledPlan& settled, const std::string& file,
                                    const std::filesystem::path& store) {
  using Json = nlohmann::ordered_json;
  const std::optional<FrozenPlan>& plan = settled.plan;
  return {{"file", plan ? Json(file) : Json()},
          {"plan", plan ? Json(plan->hash) : Json()},
          {"protocol", settled.protocol},
          {"runs", plan ? plan->count() : 0},
          {"shards", plan ? plan->shards : 0},
          {"seconds", plan ? plan->seconds() : 0.0},
          {"later", plan ? plan->later : 0},
          {"folder", plan ? Json(published_folder(file, "").string()) : Json()},
          {"store", store.string()},
          {"words", plan ? frozen_summary(*plan) : settled.note},
          {"note", plan ? settled.note : ""}};
}

}  // namespace cupel
