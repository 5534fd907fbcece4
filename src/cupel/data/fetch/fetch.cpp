#include "cupel/data/fetch/fetch.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <thread>

#include "cupel/base/error.h"
#include "cupel/base/hash.h"
#include "cupel/base/paths.h"
#include "cupel/data/fetch/http.h"
#include "cupel/data/formats/beside.h"
#include "cupel/data/prepare/prepare.h"

namespace cupel {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr int kMaxAttempts = 30;  // per mirror, however much each brings

void sync_folder(const fs::path& folder) {
  const int descriptor = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  fsync(descriptor);  // some file systems cannot; the rename is still atomic
  close(descriptor);
}

void move_file(const fs::path& from, const fs::path& to) {
  std::error_code problem;
  fs::rename(from, to, problem);
  if (problem) fail("{} cannot be moved to {}: {}", from.string(), to.string(), problem.message());
}

// Exclusive among processes while it lives; the system releases it when a process dies.
class Lock {
 public:
  Lock(const fs::path& path, Clock::time_point deadline, const std::function<void()>& waiting)
      : descriptor_(open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644)) {
    if (descriptor_ < 0) fail("{} cannot be written: {}", path.string(), std::strerror(errno));
    while (flock(descriptor_, LOCK_EX | LOCK_NB) != 0) {
      const bool held = errno == EWOULDBLOCK || errno == EINTR;
      try {
        if (!held) fail("{} cannot be locked: {}", path.string(), std::strerror(errno));
        if (Clock::now() > deadline) {
          fail("another process has been fetching the same data set for too long ({} is locked)",
               path.string());
        }
        waiting();
      } catch (...) {
        close(descriptor_);
        throw;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
  }
  ~Lock() { close(descriptor_); }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;

 private:
  int descriptor_;
};

void check_content(const Recipe& recipe, const fs::path& folder) {
  const Dataset raw = load_recipe(recipe, folder);
  if (!recipe.facts.empty()) check_facts(recipe, prepare(raw, recipe.preparation));
}

class Fetcher {
 public:
  Fetcher(const Recipe& recipe, const fs::path& folder, const FetchOptions& options,
          const FetchCallback& callback)
      : recipe_(recipe),
        options_(options),
        callback_(callback),
        home_(folder / recipe.name),
        staging_(folder / ".fetch" / recipe.name),
        lock_path_(folder / ".fetch" / (recipe.name + ".lock")) {}

  std::vector<FetchedFile> run() {
    if (complete()) {
      verify_existing();
      return existing();
    }
    if (recipe_present(recipe_, home_)) {  // in another form
      check_content(recipe_, home_);
      return in_another_form();
    }
    refuse_hopeless();
    const NeededFolder fetching(lock_path_.parent_path());
    const Lock lock(lock_path_, Clock::now() + options_.file_timeout, [&] {
      report({FetchProgress::Stage::kWaiting, recipe_.files.front().name, "", 0, 0});
    });
    if (complete()) return existing();     // another process was faster; it has verified them
    const NeededFolder staging(staging_);  // under the lock, as whoever fails takes its own along
    std::vector<FetchedFile> fetched;
    for (const RecipeFile& file : recipe_.files) fetched.push_back(fetch_file(file));
    if (recipe_.files.size() > 1 && !all_hashed()) check_content(recipe_, staging_);
    const NeededFolder home(home_);
    for (const RecipeFile& file : recipe_.files) {
      if (is_there(home_ / file.name)) continue;
      move_file(staging_ / file.name, home_ / file.name);
    }
    sync_folder(home_);
    std::error_code ignored;
    fs::remove_all(staging_, ignored);
    return fetched;
  }

 private:
  bool complete() const {
    return std::all_of(recipe_.files.begin(), recipe_.files.end(),
                       [&](const RecipeFile& file) { return is_there(home_ / file.name); });
  }

  bool all_hashed() const {
    return std::all_of(recipe_.files.begin(), recipe_.files.end(),
                       [](const RecipeFile& file) { return !file.sha256.empty(); });
  }

  std::vector<FetchedFile> existing() const {
    std::vector<FetchedFile> files;
    for (const RecipeFile& file : recipe_.files) {
      const fs::path path = home_ / file.name;
      files.push_back({path, "", size_of_file(path)});
    }
    return files;
  }

  std::vector<FetchedFile> in_another_form() const {
    std::vector<FetchedFile> files;
    std::error_code problem, ignored;
    for (fs::directory_iterator at(home_, problem), end; !problem && at != end;
         at.increment(problem)) {
      if (at->is_regular_file(ignored)) files.push_back({at->path(), "", size_of_file(at->path())});
    }
    if (problem) {
      fail("{}: the folder cannot be read ({}); check its permissions", home_.string(),
           problem.message());
    }
    return files;
  }

  // A file that the user put there by other means may be repacked: same content, other bytes.
  void verify_existing() const {
    for (const RecipeFile& file : recipe_.files) {
      if (file.sha256.empty() || sha256_file(home_ / file.name) != file.sha256) {
        try {
          return check_content(recipe_, home_);
        } catch (const Error& error) {
          fail("{} is there but not as its recipe says; move it away and fetch again: {}",
               (home_ / file.name).string(), error.what());
        }
      }
    }
  }

  void refuse_hopeless() const {
    for (const RecipeFile& file : recipe_.files) {
      const fs::path path = home_ / file.name;
      if (is_there(path)) continue;
      if (file.mirrors.empty()) {
        fail("{}: {} has no public home to fetch it from; put the file at {} ({})", recipe_.name,
             file.name, path.string(), recipe_.origin.empty() ? "see its card" : recipe_.origin);
      }
      if (options_.offline) {
        fail(
            "{}: {} is not there and --offline forbids fetching it; run `cupel fetch {}` with a "
            "network, or put the file at {}",
            recipe_.name, file.name, recipe_.name, path.string());
      }
    }
  }

  void report(const FetchProgress& progress) const {
    if (callback_ && !callback_(progress)) {
      fail("fetching {} was cancelled; the part that was downloaded is kept and will be continued",
           recipe_.name);
    }
  }

  // "" if the staged file is what the recipe says, else what is wrong with it.
  std::string wrong_with(const RecipeFile& file) const {
    const fs::path path = staging_ / file.name;
    if (!file.sha256.empty()) {
      const std::string found = sha256_file(path);
      if (found == file.sha256) return "";
      return fmt::format("wrong content: sha256 is {}, expected {}", found, file.sha256);
    }
    if (recipe_.files.size() > 1) return "";  // judged together, at the end
    try {
      check_content(recipe_, staging_);
      return "";
    } catch (const Error& error) {
      return fmt::format("wrong content: {}", error.what());
    }
  }

  FetchedFile fetch_file(const RecipeFile& file) const {
    const fs::path home = home_ / file.name;
    if (is_there(home)) {
      std::error_code error;
      fs::copy_file(home, staging_ / file.name, fs::copy_options::overwrite_existing, error);
      if (error) fail("{} cannot be read: {}", home.string(), error.message());
      if (const std::string wrong = wrong_with(file); !wrong.empty()) {
        fail("{} is there but not as its recipe says; move it away and fetch again: {}",
             home.string(), wrong);
      }
      return {home, "", size_of_file(home)};
    }
    const Clock::time_point deadline = Clock::now() + options_.file_timeout;
    std::string failures;
    for (std::size_t i = 0; i < file.mirrors.size(); ++i) {
      const std::string& mirror = file.mirrors[i];
      const std::string problem = try_mirror(file, i, deadline);
      if (problem.empty()) return {home, mirror, size_of_file(staging_ / file.name)};
      failures += fmt::format("\n  {}: {}", mirror, problem);
    }
    fail("{}: {} could not be fetched; try again later, or put the file at {}:{}", recipe_.name,
         file.name, home.string(), failures);
  }

  // Leaves the verified file in the staging folder and returns "", or returns why not.
  std::string try_mirror(const RecipeFile& file, std::size_t which,
                         Clock::time_point deadline) const {
    const std::string& mirror = file.mirrors[which];
    const fs::path staged = staging_ / file.name;
    const fs::path part = staging_ / fmt::format("{}.{}.part", file.name, which);
    std::int64_t best = 0;
    int idle = 0;
    bool restarted = false;
    std::string problem;
    for (int attempt = 0; attempt < kMaxAttempts; ++attempt) {
      const auto left =
          std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now());
      if (left.count() <= 0) return problem.empty() ? "no time left" : problem;
      if (attempt > 0) std::this_thread::sleep_for(std::min(options_.retry_delay, left));
      http::Limits limits{options_.allow_loopback_http,
                          options_.connect_timeout,
                          left,
                          options_.stall_timeout,
                          options_.slowest,
                          file.bytes > 0 ? file.bytes : options_.max_bytes,
                          options_.max_redirects};
      http::Result got =
          http::get(mirror, part, limits, [&](std::int64_t done, std::int64_t total) {
            return !callback_ || callback_({FetchProgress::Stage::kDownloading, file.name, mirror,
                                            done, std::max(total, file.bytes)});
          });
      if (got.outcome == http::Outcome::kDone && got.size < file.bytes) {
        got.outcome = http::Outcome::kCut;
        got.problem = fmt::format("ended at byte {} of {}", got.size, file.bytes);
      }
      problem = got.problem;
      switch (got.outcome) {
        case http::Outcome::kCancelled:
          fail(
              "fetching {} was cancelled; the part that was downloaded is kept and will be "
              "continued",
              recipe_.name);
        case http::Outcome::kFailed:
          http::discard(part);
          return problem;
        case http::Outcome::kCut:
          idle = got.size > best ? 0 : idle + 1;
          best = std::max(best, got.size);
          if (idle >= options_.idle_attempts) return problem;
          continue;
        case http::Outcome::kDone:
          break;
      }
      report({FetchProgress::Stage::kVerifying, file.name, mirror, got.size, got.size});
      move_file(part, staged);
      http::discard(part);
      problem = wrong_with(file);
      if (problem.empty()) return "";
      http::discard(staged);
      // Two halves of different versions make a wrong whole: once more, from the start.
      if (!got.resumed || restarted) return problem;
      restarted = true;
    }
    return problem;
  }

  const Recipe& recipe_;
  const FetchOptions& options_;
  const FetchCallback& callback_;
  fs::path home_, staging_, lock_path_;
};

}  // namespace

std::vector<FetchedFile> fetch(const Recipe& recipe, const fs::path& folder,
                               const FetchOptions& options, const FetchCallback& callback) {
  return Fetcher(recipe, folder, options, callback).run();
}

std::vector<MirrorCheck> check_mirrors(const Recipe& recipe, const FetchOptions& options) {
  if (options.offline) fail("{}: mirrors cannot be checked with --offline", recipe.name);
  const http::Limits limits{
      options.allow_loopback_http, options.connect_timeout, options.connect_timeout * 2,
      options.stall_timeout,       options.slowest,         options.max_bytes,
      options.max_redirects};
  std::vector<MirrorCheck> checks;
  for (const RecipeFile& file : recipe.files) {
    for (const std::string& mirror : file.mirrors) {
      const http::Result got = http::probe(mirror, limits);
      MirrorCheck check{file.name, mirror, got.outcome == http::Outcome::kDone, got.size,
                        got.problem};
      if (check.ok && file.bytes > 0 && got.size > 0 && got.size != file.bytes) {
        check.ok = false;
        check.problem = fmt::format("has {} bytes, expected {}", got.size, file.bytes);
      }
      checks.push_back(std::move(check));
    }
  }
  return checks;
}

}  // namespace cupel
