#include "cupel/cli/shards.h"

#include <algorithm>
#include <utility>

#include "cupel/api/how.h"
#include "cupel/base/error.h"
#include "cupel/base/names.h"
#include "cupel/base/paths.h"
#include "cupel/base/regular_file.h"
#include "cupel/cli/output.h"
#include "cupel/cli/text.h"
#include "cupel/lab/plan/at_hand.h"
#include "cupel/lab/plan/selection.h"
#include "cupel/lab/protocol/protocol.h"
#include "cupel/lab/run/estimate.h"

namespace cupel::cli {

void add_part(Syntax& syntax, PartArguments& part) {
  add_list(syntax, "--tables", part.tables, "Only these tables, by id");
  syntax.texts(
      "--choices", "NAME=A,B,...", part.choices,
      "Only these values of what rows choose from:\nlayers=1,2, or sage.layers=1 for one row");
  syntax.text("--split", "A,B,C", part.split,
              "Facts over time: train to time A, valid to B, test to C;\nshares of the facts, "
              "0.7,0.85; or the cuts of a graph of\nEXPERT, iclr. Nothing is published of these");
  syntax.count("--splits", part.splits, "Only the first N splits");
  syntax.count("--inits", part.inits, "Only the first N initialisations");
  syntax.flag("--available", part.available, "Only data sets that are at hand; say which are not");
}

Selection selection_of(const Protocol& protocol, const WorkArguments& work,
                       const PartArguments& part) {
  Selection out;
  out.datasets = split_list(work.datasets);
  out.models = split_list(work.models);
  out.tables = split_list(part.tables);
  out.choices = parse_choice_filters(part.choices);
  out.splits = part.splits;
  out.inits = part.inits;
  if (!part.available) return out;
  AtHand known = at_hand(protocol, out, plan_sources(work.data.folder()));
  if (const std::string text = left_out_text(known); !text.empty()) print_note(text);
  return std::move(known.selection);
}

void add_pilot(Syntax& syntax, std::string& pilot) {
  syntax.text(
      "--pilot", "TIME|none", pilot,
      "To estimate what never ran here, begin a run of each\nrow for so long in all (default: "
      "10s)");
}

Pilot pilot_of(const std::string& argument, const Plan& plan, const Store& store,
               const Executor& executor, const ExecuteOptions& options) {
  StatusLine status;
  if (argument != "none") status.show("trying out what never ran here", true);
  return pilot_for(argument.empty() ? "10s" : argument, plan, store, executor, options);
}

void add_cut(Syntax& syntax, CutArguments& cut) {
  syntax.text("--shards", "N|auto", cut.shards, "Into how many parts (default: auto, by --target)")
      .text("--target", "TIME", cut.target,
            "What a part should take on one processor: 90s, 20m,\n2h (default: 20m)");
}

void check_plan_path(const std::filesystem::path& file) {
  check_writable(file);
  std::error_code error;
  const auto size = std::filesystem::file_size(file, error);
  if (!error && size > 0 && !is_frozen(file))
    fail("{}: is no plan, and is not written over; give another path, or remove it first",
         file.string());
}

PlanTimes times_of(const std::filesystem::path& file) {
  PlanTimes out;
  try {
    if (!is_there(file)) return out;
    for (const FrozenRuns& runs : read_frozen(file).runs)
      out[runs.family] = 1e-6 * static_cast<double>(runs.microseconds);
  } catch (const Error&) {
    // A plan that cannot be read tells nothing, and the new one takes its place.
  }
  return out;
}

Pilot pilot_of(const std::string& argument, Study& study, const ExecuteOptions& options,
               const PlanTimes& before) {
  if (argument.empty()) {
    const Pending pending = pending_runs(study.plan(), study.look(), options.retry);
    const bool known =
        std::all_of(pending.groups.begin(), pending.groups.end(), [&](const RunGroup& group) {
          return before.contains(group.family->id) || study.look().cost(group.family->id).runs > 0;
        });
    if (known) return {};
  }
  return pilot_of(argument, study.plan(), study.look(), study.executor(), options);
}

namespace {

double expected_seconds(const Family& family, const Store& store, const Pilot& pilot,
                        const PlanTimes& before) {
  const auto earlier = before.find(family.id);
  const bool seen = store.cost(family.id).runs > 0 || pilot.seconds_of(family);
  return seen || earlier == before.end() ? seconds_of_run(family, store, pilot).mean
                                         : earlier->second;
}

}  // namespace

bool nothing_left(Study& study, const WorkArguments& work) {
  const Pending pending = pending_runs(study.plan(), study.look(), work.retry_failed);
  if (!pending.groups.empty()) return false;
  print_note(fmt::format("all of the {} are in the store; there is nothing to share out",
                         counted(pending.planned, "run")));
  return true;
}

FrozenPlan freeze(Study& study, const WorkArguments& work, const PartArguments& part,
                  const CutArguments& cut, const Pilot& pilot, const PlanTimes& before) {
  const double target = parse_duration("--target", cut.target);
  const std::optional<int> shards = parse_shard_count("--shards", cut.shards);
  const Pending pending = pending_runs(study.plan(), study.look(), work.retry_failed);
  std::vector<double> expected;
  for (const RunGroup& group : pending.groups)
    expected.push_back(expected_seconds(*group.family, study.look(), pilot, before));
  const Protocol& protocol = study.request().protocol;
  const Selection& selection = study.request().selection;
  FrozenPlan out;
  out.protocol = protocol.name;
  out.folder = current_folder().string();
  if (const std::filesystem::path path(work.protocol); path.extension() == ".toml")
    out.folder = absolute_path(path).parent_path().string();
  out.text = protocol.text;
  out.published_text = protocol.published_text;
  for (const std::string& name : selection.datasets) {
    const bool is_path =
        name.find('/') != std::string::npos && !has_name(columns_of(protocol), name);
    out.datasets.push_back(is_path ? absolute_path(name).string() : name);
  }
  out.models = selection.models;
  out.tables = selection.tables;
  out.choices = part.choices;
  out.splits = selection.splits;
  out.inits = selection.inits;
  set_runs(out, study.plan(), pending, expected);
  if (shards)
    out.shards = *shards;
  else
    cut_by_time(out, target);
  if (const std::int64_t most = out.count(); out.shards > most) {
    print_note(fmt::format("{} make {} at most, so that --shards {} is taken for {}",
                           counted(most, "run"), counted(most, "shard"), grouped(out.shards),
                           grouped(most)));
    out.shards = static_cast<int>(most);
  }
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

std::filesystem::path shard_folder(const std::filesystem::path& file) {
  std::filesystem::path out = file;
  return out.replace_extension(".shards");
}

namespace {

// The file that the path of a plan leads to.
std::filesystem::path plan_file(const std::string& plan) {
  std::error_code error;
  if (!std::filesystem::is_symlink(plan, error)) return plan;
  const std::filesystem::path file = std::filesystem::canonical(plan, error);
  return error ? std::filesystem::path(plan) : file;
}

}  // namespace

std::filesystem::path published_folder(const std::string& plan, const std::string& out) {
  return out.empty() ? shard_folder(plan_file(plan)) : std::filesystem::path(out);
}

std::filesystem::path merged_store(const std::string& plan, const std::string& store) {
  return store.empty() ? plan_file(plan).replace_extension(".sqlite") : kept_store(store);
}

}  // namespace cupel::cli
