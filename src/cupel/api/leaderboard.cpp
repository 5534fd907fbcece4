#include "cupel/api/leaderboard.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <ctime>
#include <map>
#include <memory>
#include <set>
#include <utility>

#include "cupel/api/store_page.h"
#include "cupel/base/calendar.h"
#include "cupel/base/error.h"
#include "cupel/base/hash.h"
#include "cupel/base/paths.h"
#include "cupel/base/regular_file.h"
#include "cupel/base/words.h"
#include "cupel/base/write_file.h"
#include "cupel/data/formats/beside.h"
#include "cupel/lab/results/load.h"
#include "cupel/lab/run/executor.h"
#include "cupel/lab/store/sqlite.h"
#include "cupel/lab/verify/signature.h"
#include "cupel/lab/verify/submission.h"

namespace cupel {
namespace {

namespace fs = std::filesystem;

constexpr const char* kIndex = "index.html";
constexpr std::string_view kPagePrefix = "store-";

struct Sources {
  std::vector<fs::path> paths;  // in the folder, of stores and of submissions
  // Of what is there and is no source of values, with what is wrong.
  std::vector<std::pair<fs::path, std::string>> refused;
};

bool is_source(const fs::path& path) {
  return path.extension() == ".sqlite" || path.filename() == kSubmissionFile;
}

// Whether there may be any, at any depth. A link may lead to all of a disk, so that where there is
// much else not all is looked at.
bool may_hold_sources(const fs::path& folder) {
  constexpr int kMostLookedAt = 10000;
  std::error_code problem;
  fs::recursive_directory_iterator entry(folder, fs::directory_options::skip_permission_denied,
                                         problem);
  int looked_at = 0;
  for (const fs::recursive_directory_iterator end; !problem && entry != end;
       entry.increment(problem))
    if (is_source(entry->path()) || ++looked_at > kMostLookedAt) return true;
  return false;
}

// Sorted. Links to folders are not followed.
Sources sources_in(const fs::path& folder) {
  Sources out;
  std::error_code problem;
  constexpr auto kSkip = fs::directory_options::skip_permission_denied;
  fs::recursive_directory_iterator entry(folder, kSkip, problem), end;
  for (; !problem && entry != end; entry.increment(problem)) {
    std::error_code ignored;
    const fs::path path = entry->path().lexically_relative(folder);
    if (entry->is_directory(ignored)) {
      if (entry->is_symlink(ignored)) {
        if (may_hold_sources(entry->path()))
          out.refused.emplace_back(path, "it is a link to a folder, which is not followed");
      } else if (::access(entry->path().c_str(), R_OK | X_OK) != 0) {
        out.refused.emplace_back(path, "the folder cannot be read");
      } else if (path.extension() == ".sqlite") {
        out.refused.emplace_back(path, "it is a folder, and no store");
      }
    } else if (!entry->is_regular_file(ignored)) {
      if (path.extension() == ".sqlite")
        out.refused.emplace_back(path, "it is no file, so that it is no store");
    } else if (path.extension() == ".sqlite") {
      out.paths.push_back(path);
    } else if (path.filename() == kSubmissionFile) {
      out.paths.push_back(path.has_parent_path() ? path.parent_path() : fs::path("."));
    }
  }
  if (problem) fail("{}: cannot be read: {}", folder.string(), problem.message());
  if (out.paths.empty() && out.refused.empty())
    fail("{}: holds no store (*.sqlite) and no submission ({})", folder.string(), kSubmissionFile);
  std::ranges::sort(out.paths);
  std::ranges::sort(out.refused);
  return out;
}

std::string day_text(std::time_t seconds) {
  std::tm day{};
  ::gmtime_r(&seconds, &day);
  return fmt::format("{:04}-{:02}-{:02}", day.tm_year + 1900, day.tm_mon + 1, day.tm_mday);
}

// Whether the day has begun nowhere on earth.
bool is_to_come(std::string_view day) {
  const std::int64_t today = std::time(nullptr) / kSecondsOfDay;
  return day_of(day).value_or(0) > today + 1;
}

// "2026-11-02" where the name begins so, else the day of the last change, in UTC. A day to come is
// told, and is none: whoever writes a name must not be the newest for ever.
void date(BoardSource& source, const fs::path& path) {
  const std::string begin =
      path.filename().string().substr(0, std::string_view("2026-11-02").size());
  const bool named = day_of(begin).has_value();
  if (named && !is_to_come(begin)) {
    source.date = begin;
    return;
  }
  if (named)
    source.remarks.push_back(fmt::format(
        "its name begins with {}, which is to come; it has the date of its last change", begin));
  struct stat info {};
  if (::stat((source.submission ? path / kSubmissionFile : path).c_str(), &info) != 0) return;
  source.date = day_text(info.st_mtime);
  if (!is_to_come(source.date)) return;
  source.remarks.push_back(
      fmt::format("it was last changed on {}, which is to come, so that it has no date; `touch` it",
                  source.date));
  source.date.clear();
}

bool is_of_path(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
         std::string_view("/._-").find(c) != std::string_view::npos;
}

void replace_path(std::string& text, const std::string& path, const std::string& name) {
  for (std::size_t at = text.find(path); at != std::string::npos; at = text.find(path, at)) {
    const bool begins = at == 0 || !is_of_path(text[at - 1]);
    if (begins) text.replace(at, path.size(), name);
    at += begins ? name.size() : path.size();
  }
}

constexpr std::size_t kLongestStem = 120;  // of 255 that file systems take

// A name of plain letters that no other page has.
std::string page_name(const fs::path& path, std::set<std::string>& taken) {
  std::string stem(kPagePrefix);
  for (const char c : fs::path(path).replace_extension().string()) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    stem += plain || c == '-' || c == '_' ? c : '-';
  }
  if (stem.size() > kLongestStem)
    stem = stem.substr(0, kLongestStem) + "-" + sha256(path.string()).substr(0, 8);
  std::string out = stem + ".html";
  for (int i = 2; !taken.insert(out).second; ++i) out = fmt::format("{}-{}.html", stem, i);
  return out;
}

// Whether the site may take the place of what is there.
void check_place(const fs::path& out) {
  if (!is_there(out)) return;
  if (!fs::is_directory(out)) fail("{}: is a file; give another folder with --out", out.string());
  if (fs::is_empty(out)) return;
  if (!file_starts_with(out / kIndex, kBoardBegin))
    fail("{}: is there and is no leaderboard; give another --out, or remove it", out.string());
  for (const fs::directory_entry& entry : fs::directory_iterator(out)) {
    const std::string name = entry.path().filename().string();
    const bool page = name.starts_with(kPagePrefix) && name.ends_with(".html") &&
                      entry.is_regular_file() && file_starts_with(entry.path(), kStorePageBegin);
    const bool ours = name == kIndex || page;
    if (!ours)
      fail("{}: holds '{}', which no leaderboard has; give another --out, or move it away",
           out.string(), name);
  }
}

class Maker {
 public:
  explicit Maker(const LeaderboardRequest& request) : request_(request) {}

  Board make() {
    const Sources sources = sources_in(request_.folder);
    for (const fs::path& path : sources.paths)
      if (is_there(signature_path(request_.folder / path))) check_ssh_keygen();
    for (const auto& [path, problem] : sources.refused) {
      BoardSource source;
      source.name = path.string();
      source.problems.push_back(problem);
      maker_.add(std::move(source));
    }
    for (const fs::path& path : sources.paths) {
      if (request_.on_source) request_.on_source(path.string());
      add(path);
      limits().throw_if_interrupted();
    }
    return maker_.board();
  }

  const std::map<std::string, std::string>& pages() const { return pages_; }  // by name

 private:
  RunLimits limits() const { return {{}, request_.interrupt}; }

  void add(const fs::path& path) {
    const fs::path whole = request_.folder / path;
    BoardSource source;
    source.name = path.string();
    source.submission = fs::is_directory(whole);
    date(source, whole);
    if (source.submission)
      add_submission(whole, std::move(source));
    else
      add_store(path, std::move(source));
  }

  void add_submission(const fs::path& path, BoardSource source) {
    Submission submission;
    Rescored rescored;
    try {
      submission = read_submission(path);
      source.citation = submission.citation;
      source.said_deterministic = submission.deterministic;
      rescored = rescore(submission, request_.sources, limits());
      source.runs = rescored.asked;
      if (!rescored.faults.empty())
        source.problems.push_back(fmt::format(
            "{} of {} predictions are missing or broken ({}); `cupel submit check` names them all",
            rescored.faults.size(), rescored.asked, rescored.faults.front().text));
    } catch (const Interrupted&) {
      throw;
    } catch (const std::exception& error) {
      source.problems.push_back(problem_of(error));
    }
    add_results(rescored.results, submission.protocol.version, put(std::move(source)), {});
  }

  void add_store(const fs::path& path, BoardSource source) {
    const std::string whole = (request_.folder / path).string();
    std::vector<StoredVersion> versions;
    std::map<std::string, std::vector<StoredRun>> families;
    try {
      const StoreCheck check = check_store(whole);
      source.problems = check.problems;
      source.runs = check.runs;
      source.signature = check_signature(whole, request_.signers);
      if (check.unsealed + check.unsealed_cells > 0)
        source.problems.push_back(
            fmt::format("{} and {} have no seal, so that nobody can tell whether they were changed",
                        counted(check.unsealed, "run"), counted(check.unsealed_cells, "cell")));
      if (check.conflicts > 0)
        source.remarks.push_back(
            fmt::format("{} of it ended in different ways in stores that it was merged from",
                        counted(check.conflicts, "run")));
      if (check.problems.empty()) {
        const Store store(whole, Store::Mode::kOpen);
        do_again(store, source);
        versions = versions_of(store, source);
        for (const StoredVersion& version : versions)
          for (const StoredCell& cell : version.cells)
            if (const auto [at, fresh] = families.try_emplace(cell.family); fresh)
              at->second = outcomes_of(store, cell.family);
        source.page = page_name(path, taken_);
        StorePageRequest page;
        page.read.command = "leaderboard";
        page.read.what = whole;
        pages_[source.page] = store_page(page);
      }
    } catch (const Interrupted&) {
      throw;
    } catch (const std::exception& error) {
      source.problems.push_back(problem_of(error));
      source.page.clear();
      versions.clear();
      families.clear();
    }
    const std::size_t place = put(std::move(source));
    for (auto& [family, runs] : families) maker_.keep(place, family, std::move(runs));
    for (StoredVersion& one : versions) add_results(one.results, one.version, place, one.cells);
  }

  // The builder's folders are nobody's business: what is told names a source as the board does.
  std::size_t put(BoardSource source) {
    const fs::path whole = request_.folder / source.name;
    const auto name = [&](std::string& text) {
      for (const fs::path& path : {absolute_path(whole), whole})
        replace_path(text, path.string(), source.name);
    };
    for (std::string& problem : source.problems) name(problem);
    for (std::string& remark : source.remarks) name(remark);
    if (source.signature) name(source.signature->sentence);
    return maker_.add(std::move(source));
  }

  // Whatever is wrong with one source is its own matter.
  static std::string problem_of(const std::exception& error) {
    if (dynamic_cast<const std::bad_alloc*>(&error) != nullptr)
      return "it asks for more memory than there is";
    if (dynamic_cast<const Error*>(&error) != nullptr) return error.what();
    return fmt::format("it cannot be read ({})", error.what());
  }

  // What publications report is believed of the protocols that are part of Cupel, before anything
  // that a source says of them.
  void add_results(Results& results, const std::string& version, std::size_t place,
                   const std::vector<StoredCell>& cells) {
    const auto own = shipped_.find(version);
    if (own != shipped_.end()) results.published = own->second;
    try {
      maker_.add(results, version, place, cells, own != shipped_.end());
    } catch (const Error& error) {
      maker_.tell(place, error.what());
    }
  }

  // Published values of the protocols that are part of Cupel, by version.
  static std::map<std::string, std::vector<PublishedValue>> shipped_values() {
    std::map<std::string, std::vector<PublishedValue>> out;
    for (const std::string& name : protocol_names()) {
      Protocol protocol = load_protocol(name);
      out.emplace(protocol.version, std::move(protocol.published));
    }
    return out;
  }

  void do_again(const Store& store, BoardSource& source) const {
    if (!request_.rerun) return;
    const Rerun again = rerun(store, request_.sources, *executor_, *request_.rerun);
    source.redone = static_cast<std::int64_t>(again.runs.size());
    for (const RerunRun& run : again.runs) {
      (run.same ? source.reproduced : source.refuted).insert(run.id);
      if (!run.same)
        source.problems.push_back(fmt::format("run {} ({} on {}) did not come out again: {}",
                                              run.id, run.model, run.dataset, run.difference));
    }
    source.problems.insert(source.problems.end(), again.misplaced.begin(), again.misplaced.end());
  }

  struct StoredVersion {
    std::string version;
    Results results;
    std::vector<StoredCell> cells;
  };

  // Every version of every protocol. One that cannot be shown is told, and keeps nothing from the
  // others.
  static std::vector<StoredVersion> versions_of(const Store& store, BoardSource& source) {
    std::vector<StoredVersion> out;
    for (const StoredProtocol& kept : store.protocols()) {
      StoredVersion one{kept.version, {}, store.cells(kept.version)};
      if (one.cells.empty()) continue;
      const std::string name = fmt::format("{}@{}", kept.name, kept.version);
      try {
        const Protocol protocol = stored_protocol(store, name);
        one.results = load_results(store, protocol);
        expect_all(one.results, protocol, one.cells);
      } catch (const DamagedFile&) {
        throw;
      } catch (const Error& error) {
        source.remarks.push_back(fmt::format("nothing of {} is shown: {}", name, error.what()));
        continue;
      }
      out.push_back(std::move(one));
    }
    return out;
  }

  // The runs of a family, and each side of those that are in conflict.
  static std::vector<StoredRun> outcomes_of(const Store& store, const std::string& family) {
    std::vector<StoredRun> out = store.runs(family);
    for (const StoredConflict& conflict : store.conflicts(family))
      for (const ConflictSide& side : conflict.sides)
        out.push_back({conflict.split, conflict.init, side.record});
    return out;
  }

  // Cells expect what the protocol asks for, not what somebody asked of it: who may choose the
  // splits chooses the score.
  static void expect_all(Results& results, const Protocol& protocol,
                         const std::vector<StoredCell>& cells) {
    for (const StoredCell& stored : cells) {
      const TableSpec* spec = protocol.find_table(stored.table);
      const std::int64_t inits = stored.deterministic || spec == nullptr ? 1 : spec->inits;
      for (TableResults& table : results.tables) {
        if (table.id != stored.table) continue;
        for (CellResults& cell : table.cells)
          if (cell.dataset == stored.dataset && cell.model == stored.model)
            cell.expected_n = std::max(cell.expected_n, stored.full_splits * inits);
      }
    }
  }

  const LeaderboardRequest& request_;
  const std::unique_ptr<Executor> executor_ = make_executor();
  const std::map<std::string, std::vector<PublishedValue>> shipped_ = shipped_values();
  BoardMaker maker_;
  std::set<std::string> taken_;
  std::map<std::string, std::string> pages_;
};

}  // namespace

Board build_leaderboard(const LeaderboardRequest& request) {
  if (request.out.empty()) fail("leaderboard: --out is empty; give a folder for the site");
  // What a link names is what is served.
  const fs::path out = fs::weakly_canonical(plain_path(request.out));
  check_place(out);
  if (request.signers) check_signers(*request.signers);
  const Beside beside(out);
  Maker maker(request);
  Board board = maker.make();
  std::error_code problem;
  fs::create_directory(beside.path(), problem);
  if (problem) fail("{}: cannot be made: {}", out.string(), problem.message());
  for (const auto& [name, html] : maker.pages()) write_file(beside.path() / name, html);
  write_file(beside.path() / kIndex, render_board(board));
  if (is_there(out) && !fs::is_empty(out))
    beside.replace();
  else
    beside.move();
  return board;
}

}  // namespace cupel
