#include "cupel/api/leaderboard.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
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

// Whether there is any, at any depth.
bool holds_sources(const fs::path& folder) {
  std::error_code problem;
  fs::recursive_directory_iterator entry(folder, fs::directory_options::skip_permission_denied,
                                         problem);
  for (const fs::recursive_directory_iterator end; !problem && entry != end;
       entry.increment(problem))
    if (is_source(entry->path())) return true;
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
        if (holds_sources(entry->path()))
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

// "2026-11-02" where a name begins so, else the day of the last change, in UTC.
std::string date_of(const fs::path& path) {
  const std::string name = path.filename().string();
  const std::string begin = name.substr(0, std::string_view("2026-11-02").size());
  if (day_of(begin)) return begin;
  const bool folder = !fs::is_regular_file(path);
  struct stat info {};
  if (::stat((folder ? path / kSubmissionFile : path).c_str(), &info) != 0) return "";
  std::tm day{};
  ::gmtime_r(&info.st_mtime, &day);
  return fmt::format("{:04}-{:02}-{:02}", day.tm_year + 1900, day.tm_mon + 1, day.tm_mday);
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
    source.date = date_of(whole);
    source.submission = fs::is_directory(whole);
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
    add_results(rescored.results, submission.protocol.version, maker_.add(std::move(source)));
  }

  void add_store(const fs::path& path, BoardSource source) {
    const std::string whole = (request_.folder / path).string();
    std::vector<std::pair<std::string, Results>> results;  // by version
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
        source.problems.push_back(
            fmt::format("{} of its runs ended in different ways", check.conflicts));
      if (check.problems.empty()) {
        const Store store(whole, Store::Mode::kOpen);
        do_again(store, source);
        results = results_of(store);
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
      results.clear();
    }
    const std::size_t place = maker_.add(std::move(source));
    for (auto& [version, one] : results) add_results(one, version, place);
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
  void add_results(Results& results, const std::string& version, std::size_t place) {
    const auto own = shipped_.find(version);
    if (own != shipped_.end()) results.published = own->second;
    maker_.add(results, version, place, own != shipped_.end());
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
      if (run.same)
        source.reproduced.insert(run.id);
      else
        source.problems.push_back(fmt::format("run {} ({} on {}) did not come out again: {}",
                                              run.id, run.model, run.dataset, run.difference));
    }
    source.problems.insert(source.problems.end(), again.misplaced.begin(), again.misplaced.end());
  }

  // Of every protocol in its newest version.
  static std::vector<std::pair<std::string, Results>> results_of(const Store& store) {
    std::vector<std::pair<std::string, Results>> out;
    std::set<std::string> seen;
    for (const StoredProtocol& kept : store.protocols()) {
      if (!seen.insert(kept.name).second) continue;
      const Protocol protocol =
          stored_protocol(store, fmt::format("{}@{}", kept.name, kept.version));
      Results results = load_results(store, protocol);
      expect_all(results, protocol, store.cells(kept.version));
      out.emplace_back(kept.version, std::move(results));
    }
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
