#include "cupel/api/merge.h"

#include <algorithm>
#include <memory>
#include <set>

#include <nlohmann/json.hpp>

#include "cupel/api/study.h"
#include "cupel/base/error.h"
#include "cupel/base/leftovers.h"
#include "cupel/lab/shards/shard_folder.h"

namespace cupel {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

// Folders stand for the stores in them, by name.
std::vector<fs::path> sources_in(const std::vector<std::string>& in) {
  std::vector<fs::path> out;
  for (const std::string& given : in) {
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
void check_sources(const std::vector<fs::path>& sources, const std::vector<std::string>& in,
                   const std::string& out) {
  for (const fs::path& path : sources) {
    std::error_code error;
    if (fs::equivalent(path, out, error) && !error)
      fail("merge: '{}' is both the result and a source", path.string());
    const std::optional<std::string> damage = damage_of(path);
    if (!damage) continue;
    // What lies in a folder is most often a shard's copy of what can be done again.
    const bool given = std::ranges::find(in, path.string()) != in.end();
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

MergedStores merge_listed(const std::vector<std::string>& in, const std::string& named,
                          const fs::path& target) {
  const std::vector<fs::path> sources = sources_in(in);
  check_sources(sources, in, named);
  NewStore fresh(target);
  Store store(target);
  std::vector<MergeSummary> merged = store.merge(sources);
  fresh.keep();
  MergedStores out;
  out.store = named;
  std::set<std::string> notes;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    MergeSummary& summary = merged[i];
    for (const std::string& cell : summary.cells)
      out.cells_not_taken.push_back(sources[i].string() + ": " + cell);
    for (const std::string& protocol : summary.published)
      notes.insert(published_note(protocol, named));
    for (const auto& [name, kept] : summary.renamed)
      notes.insert(fmt::format(
          "protocol '{}' of one store and '{}' of another are the same version; {} calls it '{}', "
          "the first by alphabet",
          kept, name, named, kept));
    out.sources.push_back({sources[i], std::move(summary)});
  }
  out.notes.assign(notes.begin(), notes.end());
  out.runs = store.run_count();
  out.conflicts = store.conflicts();
  return out;
}

}  // namespace

MergedStores merge_stores(const std::vector<std::string>& in, const std::string& out) {
  const fs::path target = kept_store(out);
  return read_listed([&] { return merge_listed(in, out, target); });
}

Json merged_json(const MergedStores& merged) {
  Json list = Json::array();
  for (const auto& [path, summary] : merged.sources)
    list.push_back({{"store", path.string()},
                    {"added", summary.added},
                    {"replaced", summary.replaced},
                    {"cells_not_taken", summary.cells},
                    {"other_published", summary.published},
                    {"renamed", summary.renamed},
                    {"run_conflicts", summary.run_conflicts}});
  Json out = {{"store", merged.store}, {"runs", merged.runs}, {"merged", list}};
  if (!merged.conflicts.empty()) out["conflicts"] = conflicts_json(merged.conflicts);
  return out;
}

Json conflicts_json(const std::vector<StoredConflict>& conflicts) {
  Json out = Json::array();
  for (const StoredConflict& conflict : conflicts) {
    Json sides = Json::array();
    for (const auto& [run, stores] : conflict.sides)
      sides.push_back({{"status", to_text(run.status)},
                       {"test_score", run.test_score ? Json(*run.test_score) : Json()},
                       {"epochs", run.epochs},
                       {"stores", stores}});
    out.push_back({{"id", conflict.id},
                   {"split", conflict.split},
                   {"init", conflict.init},
                   {"sides", sides}});
  }
  return out;
}

}  // namespace cupel
