// cupel plan: a list of runs for many machines, settled once.
#include <memory>

#include "cupel/api/given_split.h"
#include "cupel/api/plan_places.h"
#include "cupel/base/shell.h"
#include "cupel/cli/command.h"
#include "cupel/cli/output.h"
#include "cupel/cli/shards.h"
#include "cupel/cli/work.h"

namespace cupel::cli {
namespace {

struct Arguments {
  WorkArguments work;
  PartArguments part;
  CutRequest cut;
  std::string out, pilot;
};

int perform(const Arguments& arguments) {
  const WorkArguments& work = arguments.work;
  StudyRequest request;
  request.protocol = with_split(load_protocol(work.protocol), arguments.part.split, "--split");
  const std::filesystem::path out = plan_file(arguments.out, request.protocol.name);
  check_plan_path(out);
  request.selection = selection_of(request.protocol, work, arguments.part);
  request.store = work.store_path(request.protocol.name);
  request.only_look = true;
  request.data_folder = work.data.folder();
  StatusLine status;
  request.sources = telling_sources(request.data_folder, status);
  Study study(std::move(request));
  status.clear();
  const SettledPlan plan = settled(study, {.file = out,
                                           .choices = arguments.part.choices,
                                           .cut = arguments.cut,
                                           .pilot = arguments.pilot,
                                           .retry = work.retry_failed});
  if (!plan.plan) return kDone;
  write_file(out, plan.text);
  print_out(fmt::format("{}: {}\n", out.string(), frozen_summary(*plan.plan)));
  print_note(fmt::format("`cupel work {} --shard 1/{}{}` does the first", shell_word(out.string()),
                         plan.plan->shards, work.retry_failed ? " --retry-failed" : ""));
  return kDone;
}

Action declare(Syntax& syntax) {
  auto arguments = std::make_shared<Arguments>();
  add_protocol(syntax, arguments->work);
  add_part(syntax, arguments->part);
  syntax.group("How");
  add_cut(syntax, arguments->cut);
  add_pilot(syntax, arguments->pilot);
  syntax.flag("--retry-failed", arguments->work.retry_failed, "Plan failed and timed-out runs too")
      .group("Where")
      .text("--out", "FILE", arguments->out, "The plan (default: PROTOCOL.plan)")
      .text("--store", "FILE", arguments->work.store,
            "What it holds is not planned, and tells what runs\ntake (default: PROTOCOL.sqlite)");
  add_data(syntax, arguments->work.data);
  return [arguments] { return perform(*arguments); };
}

}  // namespace

extern const Command command_plan;
const Command command_plan = {Topic::kClusters, "plan", "Settle runs for many machines", declare};

}  // namespace cupel::cli
