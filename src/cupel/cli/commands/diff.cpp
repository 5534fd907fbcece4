// cupel diff: two stores against each other, run by run, or two runs of one.
#include <algorithm>
#include <memory>

#include <nlohmann/json.hpp>

#include "cupel/api/diff.h"
#include "cupel/base/json_text.h"
#include "cupel/cli/command.h"
#include "cupel/cli/options.h"
#include "cupel/cli/output.h"
#include "cupel/cli/text.h"

namespace cupel::cli {
namespace {

constexpr std::size_t kMostShown = 20;  // groups and runs
constexpr std::size_t kMostIds = 3;     // of a group

struct Arguments {
  std::string a, b, store;
  bool json = false;
};

std::string fields_text(const std::vector<FieldDifference>& fields) {
  const auto said = [](const std::string& value) { return value.empty() ? "nothing" : value; };
  std::string out;
  for (const auto& [field, a, b] : fields)
    out += wrap(fmt::format("{}: {} and {}", field, said(a), said(b)), 4);
  return out;
}

std::string and_more(std::size_t all) {
  return all > kMostShown ? fmt::format("  and {} more (--json lists all)\n",
                                        grouped(static_cast<std::int64_t>(all - kMostShown)))
                          : "";
}

std::string ids_text(const std::vector<UnmatchedRuns::Run>& runs) {
  std::vector<std::string> ids;
  for (std::size_t i = 0; i < std::min(runs.size(), kMostIds); ++i)
    ids.push_back(runs[i].id.substr(0, 12));
  return fmt::format("{}{}", fmt::join(ids, ", "), runs.size() > kMostIds ? ", ..." : "");
}

std::string group_text(const UnmatchedRuns& group) {
  std::string what = fmt::format("{} on {}: {} ({})", group.model, group.dataset,
                                 counted(std::ssize(group.runs), "run"), ids_text(group.runs));
  if (group.nearest_family.empty()) return wrap(what, 2);
  std::vector<std::string> places;
  if (group.other_split) places.emplace_back("split");
  if (group.other_init) places.emplace_back("initialisation");
  what += fmt::format("; the nearest is {}", group.runs.front().nearest.substr(0, 12));
  if (!places.empty()) what += fmt::format(", of another {}", fmt::join(places, " and "));
  return wrap(what, 2) + fields_text(group.fields);
}

std::string only_text(const std::vector<UnmatchedRuns>& groups, const std::string& store) {
  std::int64_t runs = 0;
  for (const UnmatchedRuns& group : groups) runs += std::ssize(group.runs);
  std::string out = fmt::format("\nOnly in {}: {}\n", store, counted(runs, "run"));
  for (std::size_t i = 0; i < std::min(groups.size(), kMostShown); ++i)
    out += group_text(groups[i]);
  return out + and_more(groups.size());
}

std::string stores_text(const StoreDiff& diff, const std::string& a, const std::string& b) {
  const auto conflicts = std::ssize(diff.in_conflict), different = std::ssize(diff.different);
  std::string out = labelled("Stores", fmt::format("{} and {}", a, b));
  out += labelled("Equal", counted(diff.equal, "run") + ", to the bit");
  out += labelled("Different", counted(different, "run"));
  if (diff.unfinished > 0)
    out += labelled("Not compared",
                    counted(diff.unfinished, "run") + " that failed or timed out in one of them");
  if (conflicts > 0)
    out += labelled("In conflict",
                    fmt::format("{} that ended in different ways in what one of them was merged "
                                "from; `cupel show STORE` lists the sides",
                                counted(conflicts, "run")));
  for (std::size_t i = 0; i < std::min(diff.different.size(), kMostShown); ++i) {
    const DifferentRun& run = diff.different[i];
    out += wrap(fmt::format("run {} ({} on {}, split {}, init {})", run.id, run.model, run.dataset,
                            run.split, run.init),
                2);
    out += fields_text(run.outcome);
  }
  out += and_more(diff.different.size());
  if (!diff.only_a.empty()) out += only_text(diff.only_a, a);
  if (!diff.only_b.empty()) out += only_text(diff.only_b, b);
  return out;
}

std::string runs_text(const RunDiff& diff) {
  std::string out = labelled("Runs", fmt::format("{} and {}", diff.a.id, diff.b.id));
  out += "\nIdentity\n" + fields_text(diff.identity);
  out += "\nOutcome\n";
  return out + (diff.outcome.empty() ? "  the same, to the bit\n" : fields_text(diff.outcome));
}

int perform(const Arguments& arguments) {
  if (!arguments.store.empty()) {
    const RunDiff diff =
        diff_runs(Store(arguments.store, Store::Mode::kOpen), arguments.a, arguments.b);
    print_out(arguments.json ? json_text(run_diff_json(diff)) : runs_text(diff));
    return kDone;
  }
  const Store a(arguments.a, Store::Mode::kOpen), b(arguments.b, Store::Mode::kOpen);
  const StoreDiff diff = diff_stores(a, b);
  print_out(arguments.json ? json_text(store_diff_json(diff, arguments.a, arguments.b))
                           : stores_text(diff, arguments.a, arguments.b));
  return diff.holds() ? kDone : kDoesNotHold;
}

Action declare(Syntax& syntax) {
  auto arguments = std::make_shared<Arguments>();
  syntax.required("A", arguments->a, "The file of a store; with --store, a run by its id");
  syntax.required("B", arguments->b, "The other one");
  syntax.text("--store", "FILE", arguments->store, "Take A and B for runs of this store");
  add_json(syntax, arguments->json);
  syntax.footer(
      wrap("Of runs that only one store has it names the fields of the identity that part them "
           "from the nearest run of the other; fields are called as in the identity that `cupel "
           "show ID --store FILE` prints, and A's values stand first. Exit code: 3 if the same run "
           "has other bits in one store than in the other, else 0."));
  return [arguments] { return perform(*arguments); };
}

}  // namespace

extern const Command command_diff;
const Command command_diff = {Topic::kStores, "diff", "Two stores or two runs, field by field",
                              declare};

}  // namespace cupel::cli
