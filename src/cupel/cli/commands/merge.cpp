// cupel merge: one store from the stores of many machines.
#include <algorithm>
#include <memory>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cupel/api/study.h"
#include "cupel/base/error.h"
#include "cupel/base/json_text.h"
#include "cupel/base/leftovers.h"
#include "cupel/cli/cards/conflicts.h"
#include "cupel/cli/command.h"
#include "cupel/cli/options.h"
#include "cupel/cli/output.h"
#include "cupel/cli/text.h"
#include "cupel/lab/shards/shard_folder.h"
#include "cupel/lab/store/store.h"

namespace cupel::cli {
namespace {

namespace fs = std::filesystem;

struct Arguments {
  std::string out;
  std::vector<std::string> in;
  bool json = false;
};

// Folders stand for the stores in them, by name.
std::vector<fs::path> sources(const Arguments& arguments) {
  std::vector<fs::path> out;
  for (const std::string& given : arguments.in) {
    std::error_code error;
    if (!fs::is_directory(given, error)) {
      out.push_back(given);
      continue;
    }
    std::vector<fs::path> stores;
    for (fs::directory_iterator at(given, error), end; !error && at != end; at.increment(error))
      if (at->path().extension() == ".sqlite") stores.push_back(at->path());
    if (error) fail("{}: cannot be read ({})", given, error.message());
    if (stores.empty()) fail("{}: there is no store (*.sqlite) in this folder", given);
    std::sort(stores.begin(), stores.end());
    out.insert(out.end(), stores.begin(), stores.end());
  }
  return out;
}

// Everything is looked at before anything is written.
void check_inputs(const Arguments& arguments, const std::vector<fs::path>& in) {
  for (const fs::path& path : in) {
    std::error_code error;
    if (fs::equivalent(path, arguments.out, error) && !error)
      fail("merge: '{}' is both the result and a source", path.string());
    const std::optional<std::string> damage = damage_of(path);
    if (!damage) continue;
    // What lies in a folder is most often a shard's copy of what can be done again.
    const bool given = std::ranges::find(arguments.in, path.string()) != arguments.in.end();
    fail("{}{}", *damage,
         given
             ? ""
             : "; if a shard published it, `cupel status PLAN --resubmit` has it done again, else "
               "remove it");
  }
}

// The files of a store that is not there yet. They go again with this object, or with a signal,
// unless what they were made for has come into them.
class NewStore {
 public:
  explicit NewStore(const fs::path& path) {
    std::error_code error;
    if (fs::exists(fs::symlink_status(path, error))) return;
    for (const char* ending : {"", "-wal", "-shm"}) {
      paths_.push_back(path.string() + ending);
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

// Which of them is kept is no matter of the order, and may not be what somebody wants.
std::string published_note(const std::string& protocol, const std::string& out) {
  return fmt::format(
      "protocol '{}' has other published values, tolerances or comments in one store than in "
      "another; {} keeps what comes first by alphabet, with published values before without, and "
      "`cupel run PROTOCOL --store {}` puts in those of its file",
      protocol, out, out);
}

int merge_listed(const Arguments& arguments, const fs::path& target) {
  const std::vector<fs::path> in = sources(arguments);
  check_inputs(arguments, in);
  NewStore fresh(target);
  Store store(target);
  const std::vector<MergeSummary> merged = store.merge(in);
  fresh.keep();
  auto list = nlohmann::ordered_json::array();
  std::string text;
  std::set<std::string> notes;
  std::vector<std::string> cells;  // not taken
  for (std::size_t i = 0; i < in.size(); ++i) {
    const MergeSummary& summary = merged[i];
    const std::string path = in[i].string();
    for (const std::string& cell : summary.cells) cells.push_back(path + ": " + cell);
    for (const std::string& protocol : summary.published)
      notes.insert(published_note(protocol, arguments.out));
    for (const auto& [name, kept] : summary.renamed)
      notes.insert(fmt::format(
          "protocol '{}' of one store and '{}' of another are the same version; {} calls it '{}', "
          "the first by alphabet",
          kept, name, arguments.out, kept));
    text += fmt::format("{}: {} added", path, counted(summary.added, "run"));
    if (summary.replaced > 0) text += fmt::format(", {} failed ones replaced", summary.replaced);
    if (!summary.run_conflicts.empty())
      text += fmt::format(", {} in conflict",
                          grouped(static_cast<std::int64_t>(summary.run_conflicts.size())));
    text += "\n";
    list.push_back({{"store", path},
                    {"added", summary.added},
                    {"replaced", summary.replaced},
                    {"cells_not_taken", summary.cells},
                    {"other_published", summary.published},
                    {"renamed", summary.renamed},
                    {"run_conflicts", summary.run_conflicts}});
  }
  const std::int64_t runs = store.run_count();
  // Those from before too: whoever merges twice is told twice.
  const std::vector<StoredConflict> differing = store.conflicts();
  text += fmt::format(
      "{}: {}{}\n", arguments.out, counted(runs, "run"),
      differing.empty() ? "" : fmt::format(", and {} in conflict", grouped(std::ssize(differing))));
  nlohmann::ordered_json out = {{"store", arguments.out}, {"runs", runs}, {"merged", list}};
  if (!differing.empty()) out["conflicts"] = conflicts_json(differing);
  print_out(arguments.json ? json_text(out) : text);
  for (const std::string& note : notes) print_note(note);
  if (!cells.empty()) {
    print_error(fmt::format(
        "{} of other data or another configuration than {} has in that place, and in none of its "
        "tables; their runs were taken, so that running the protocol into it, with the data that "
        "are meant, does nothing twice:",
        counted(static_cast<std::int64_t>(cells.size()), "cell") +
            (cells.size() == 1 ? " is" : " are"),
        arguments.out));
    for (const std::string& cell : cells) print_error("  " + cell);
  }
  if (differing.empty()) return cells.empty() ? kDone : kDoesNotHold;
  print_error(fmt::format(
      "{0} ended in different ways in stores that were merged; {1} keeps all of them and believes "
      "none, so "
      "that `cupel run` does them again and `cupel verify {1} --rerun {2}` tells which hold, but "
      "for those of programs:",
      counted(static_cast<std::int64_t>(differing.size()), "run"), arguments.out,
      differing.size()));
  for (const std::string& line : conflict_lines(differing, arguments.out)) print_error(line);
  return kDoesNotHold;
}

int perform(const Arguments& arguments) {
  const fs::path target = kept_store(arguments.out);
  return read_listed([&] { return merge_listed(arguments, target); });
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
