// cupel merge: one store from the stores of many machines.
#include <algorithm>
#include <memory>

#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "cupel/base/error.h"
#include "cupel/base/json_text.h"
#include "cupel/base/leftovers.h"
#include "cupel/base/sort_unique.h"
#include "cupel/cli/command.h"
#include "cupel/cli/options.h"
#include "cupel/cli/output.h"
#include "cupel/cli/text.h"
#include "cupel/lab/store/store.h"
#include "cupel/lab/verify/contradictions.h"

namespace cupel::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostShown = 20;

struct Arguments {
  std::string out;
  std::vector<std::string> in;
  bool json = false;
};

// Folders stand for the stores in them, by name.
std::vector<std::string> sources(const Arguments& arguments) {
  std::vector<std::string> out;
  for (const std::string& given : arguments.in) {
    std::error_code error;
    if (!fs::is_directory(given, error)) {
      out.push_back(given);
      continue;
    }
    std::vector<std::string> stores;
    for (fs::directory_iterator at(given, error), end; !error && at != end; at.increment(error))
      if (at->path().extension() == ".sqlite") stores.push_back(at->path().string());
    if (error) fail("{}: cannot be read ({})", given, error.message());
    if (stores.empty()) fail("{}: there is no store (*.sqlite) in this folder", given);
    std::sort(stores.begin(), stores.end());
    out.insert(out.end(), stores.begin(), stores.end());
  }
  return out;
}

// Everything is looked at before anything is written.
void check_inputs(const Arguments& arguments, const std::vector<std::string>& in) {
  for (const std::string& path : in) {
    std::error_code error;
    if (fs::equivalent(path, arguments.out, error) && !error)
      fail("merge: '{}' is both the result and a source", path);
    const Store store(path, Store::Mode::kOpen);
    store.check_integrity();
    if (const std::vector<std::string> faults = store.faults(); !faults.empty())
      fail("{}: {}; `cupel verify {}` says all that is wrong with it; take a copy from before",
           path, faults.front(), path);
  }
}

// The files of a store that is not there yet. They go again with this object, or with a signal,
// unless what they were made for has come into them.
class NewStore {
 public:
  explicit NewStore(const std::string& path) {
    std::error_code error;
    if (path == ":memory:" || fs::exists(fs::symlink_status(path, error))) return;
    for (const char* ending : {"", "-wal", "-shm"}) {
      paths_.push_back(path + ending);
      leftovers_.push_back(std::make_unique<Leftover>(paths_.back()));
    }
  }
  ~NewStore() {
    std::error_code ignored;
    for (const std::string& path : paths_) fs::remove(path, ignored);
  }
  NewStore(const NewStore&) = delete;
  NewStore& operator=(const NewStore&) = delete;
  void keep() {
    paths_.clear();
    leftovers_.clear();
  }

 private:
  std::vector<std::string> paths_;
  std::vector<std::unique_ptr<Leftover>> leftovers_;
};

std::string side_text(const ContradictionSide& side, const std::string& out) {
  const RunRecord& run = side.record;
  std::string text = to_text(run.status);
  if (run.test_score) text = fmt::format("test score {}", *run.test_score);
  text += fmt::format(", {}, in ", counted(run.epochs, "epoch"));
  return text +
         (side.stores.empty() ? out + " before" : fmt::format("{}", fmt::join(side.stores, ", ")));
}

nlohmann::ordered_json contradiction_json(const Contradiction& run) {
  auto sides = nlohmann::ordered_json::array();
  for (const auto& [record, stores] : run.sides)
    sides.push_back({{"status", to_text(record.status)},
                     {"test_score", record.test_score ? nlohmann::ordered_json(*record.test_score)
                                                      : nlohmann::ordered_json()},
                     {"epochs", record.epochs},
                     {"stores", stores}});
  return {{"id", run.id}, {"sides", sides}};
}

// Says which runs ended in different ways, and where.
void report_conflicts(const std::string& out, const std::vector<Contradiction>& runs) {
  print_error(fmt::format(
      "{} ended in different ways in these stores; {} keeps all of them and believes none, so that "
      "`cupel run` does them again and `cupel verify {} --rerun {}` tells which hold:",
      counted(static_cast<std::int64_t>(runs.size()), "run"), out, out, runs.size()));
  for (std::size_t i = 0; i < std::min(runs.size(), kMostShown); ++i) {
    print_error("  run " + runs[i].id);
    for (const ContradictionSide& side : runs[i].sides) print_error("    " + side_text(side, out));
  }
  if (runs.size() > kMostShown)
    print_error(fmt::format("  and {} more (--json lists all)", runs.size() - kMostShown));
}

int perform(const Arguments& arguments) {
  const std::vector<std::string> in = sources(arguments);
  check_inputs(arguments, in);
  NewStore fresh(arguments.out);
  Store store(arguments.out);
  auto list = nlohmann::ordered_json::array();
  std::string text;
  std::int64_t conflicts = 0;
  std::vector<std::string> contradicting;
  for (const std::string& path : in) {
    const MergeSummary summary = store.merge(path);
    conflicts += summary.conflicts;
    text += fmt::format("{}: {} added", path, counted(summary.added, "run"));
    if (summary.replaced > 0) text += fmt::format(", {} failed ones replaced", summary.replaced);
    if (!summary.run_conflicts.empty())
      text += fmt::format(", {} in conflict",
                          grouped(static_cast<std::int64_t>(summary.run_conflicts.size())));
    text += "\n";
    contradicting.insert(contradicting.end(), summary.run_conflicts.begin(),
                         summary.run_conflicts.end());
    list.push_back({{"store", path},
                    {"added", summary.added},
                    {"replaced", summary.replaced},
                    {"conflicts", summary.conflicts},
                    {"run_conflicts", summary.run_conflicts}});
  }
  fresh.keep();
  const std::int64_t runs = store.run_count();
  text += fmt::format("{}: {}\n", arguments.out, counted(runs, "run"));
  nlohmann::ordered_json out = {{"store", arguments.out}, {"runs", runs}, {"merged", list}};
  sort_unique(contradicting);
  const std::vector<Contradiction> differing = contradictions(store, contradicting, in);
  for (const Contradiction& run : differing) out["conflicts"].push_back(contradiction_json(run));
  print_out(arguments.json ? json_text(out) : text);
  if (conflicts > 0) {
    print_note(fmt::format(
        "{} asked for with another configuration over there and not taken; their runs were",
        conflicts == 1 ? "1 cell was" : grouped(conflicts) + " cells were"));
  }
  if (contradicting.empty()) return kDone;
  report_conflicts(arguments.out, differing);
  return kDoesNotHold;
}

Action declare(Syntax& syntax) {
  auto arguments = std::make_shared<Arguments>();
  syntax.required("OUT", arguments->out, "The store that takes the others in; made if need be");
  syntax.required("IN", arguments->in,
                  "Stores to take in, or folders of them; they stay as\nthey are");
  add_json(syntax, arguments->json);
  return [arguments] { return perform(*arguments); };
}

}  // namespace

extern const Command command_merge;
const Command command_merge = {Topic::kStores, "merge", "One store from many", declare};

}  // namespace cupel::cli
