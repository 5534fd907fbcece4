// The file under a store: read where nothing can be written, and missed when it goes.
#include <gtest/gtest.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <map>
#include <sstream>

#include "cupel/lab/record/identity.h"
#include "cupel/lab/run/claims.h"
#include "cupel/lab/run/pending.h"
#include "cupel/lab/run/scheduler.h"
#include "cupel/lab/store/store.h"
#include "error_of.h"
#include "lab/fake.h"
#include "lab/store/store_files.h"
#include "lab/store/store_samples.h"
#include "raw_sql.h"

namespace cupel {
namespace {

namespace fs = std::filesystem;
using made::as_nobody;
using made::family;
using made::family_id;
using made::fill;
using made::raw_sql;
using made::read_all;
using made::sample_run;
using made::state_of;
using made::TempFolder;

// Whether no write lies in a log beside the store; its shared index holds none.
bool has_no_log(const fs::path& path) {
  std::error_code none;
  const auto size = fs::file_size(path.string() + "-wal", none);
  return none || size == 0;
}

TEST(StoreFile, ReadingChangesNothing) {
  TempFolder folder;
  const fs::path path = folder / "s.sqlite";
  fill(path);
  for (const char* mode : {"wal", "delete"}) {
    EXPECT_EQ(raw_sql(path, std::string("PRAGMA journal_mode = ") + mode), mode);
    const auto before = state_of(path.parent_path());
    read_all(path);
    EXPECT_EQ(state_of(path.parent_path()), before) << mode;
    EXPECT_EQ(raw_sql(path, "PRAGMA journal_mode"), mode);
  }
}

TEST(StoreFile, TheLogOfAProcessThatDiedStaysAndIsRead) {
  TempFolder folder;
  fs::create_directory(folder / "copy");
  const fs::path path = folder / "s.sqlite", copy = folder / "copy" / "s.sqlite";
  {
    Store store(path);
    for (int split = 0; split < 5; ++split) store.put(family(), split, 0, sample_run(0.5));
    // As it lies there while the store is open: as after a kill.
    fs::copy_file(path, copy);
    fs::copy_file(path.string() + "-wal", copy.string() + "-wal");
  }
  ASSERT_GT(fs::file_size(copy.string() + "-wal"), 0u);
  const auto log = state_of(copy.parent_path()).at("s.sqlite-wal");
  read_all(copy);
  EXPECT_EQ(state_of(copy.parent_path()).at("s.sqlite-wal"), log);
  read_all(copy);
}

// A copy of the file alone, made while a process was at it or after one died.
TEST(StoreFile, ACopyWithoutItsLogIsToldFromAnEmptyFile) {
  TempFolder folder;
  const Store store(folder / "x");
  std::filesystem::copy_file(folder / "x", folder / "copy");
  std::ofstream(folder / "empty").close();
  const auto told = [&](const char* name) {
    return error_of([&] { const Store copy(folder / name, Store::Mode::kOpen); });
  };
  EXPECT_NE(told("copy").find("copy-wal may be missing"), std::string::npos) << told("copy");
  EXPECT_NE(told("empty").find("is empty, not a store"), std::string::npos) << told("empty");
}

TEST(StoreFile, IsReadWhereNothingCanBeWritten) {
  TempFolder folder;
  const fs::path place = folder / "media #1 100%?";
  fs::create_directory(place);
  const fs::path path = place / "s.sqlite";
  fill(path);
  ::chmod((folder / "").parent_path().c_str(), 0755);
  ::chmod(path.c_str(), 0444);
  ::chmod(place.c_str(), 0555);
  for (const char* mode : {"wal", "delete"}) {
    ::chmod(place.c_str(), 0755);
    ::chmod(path.c_str(), 0644);
    raw_sql(path, std::string("PRAGMA journal_mode = ") + mode);
    ::chmod(path.c_str(), 0444);
    ::chmod(place.c_str(), 0555);
    const auto before = state_of(place);
    EXPECT_EQ(as_nobody([&] { read_all(path); }), 0) << mode;
    EXPECT_EQ(state_of(place), before);
    // A store to merge from is read, too.
    EXPECT_EQ(as_nobody([&] {
                Store all(":memory:");
                EXPECT_EQ(all.merge(path).added, 5);
              }),
              0);
  }
  EXPECT_EQ(as_nobody([&] {
              const std::string said = error_of([&] { Store store(path); });
              EXPECT_NE(said.find("not writable"), std::string::npos) << said;
            }),
            0);
  ::chmod(place.c_str(), 0755);
  ::chmod(path.c_str(), 0000);
  EXPECT_EQ(as_nobody([&] {
              const std::string said = error_of([&] { Store store(path, Store::Mode::kOpen); });
              EXPECT_NE(said.find("may not be read by you"), std::string::npos) << said;
            }),
            0);
}

// A disk of 1 MB that holds a store.
class FullDisk {
 public:
  FullDisk() {
    if (::mount("none", (folder_ / "").parent_path().c_str(), "tmpfs", 0, "size=1M") != 0) return;
    mounted_ = true;
    fill(store());
  }
  ~FullDisk() {
    if (mounted_) ::umount((folder_ / "").parent_path().c_str());
  }
  bool mounted() const { return mounted_; }
  fs::path store() const { return folder_ / "s.sqlite"; }
  fs::path folder() const { return folder_ / ""; }
  void fill_up() const {
    std::ofstream rest(folder_ / "rest", std::ios::binary | std::ios::app);
    while (rest) rest.write(std::string(4096, 'x').data(), 4096).flush();
  }

 private:
  TempFolder folder_;
  bool mounted_ = false;
};

TEST(StoreFile, IsReadOnAFullDisk) {
  const FullDisk disk;
  if (!disk.mounted()) GTEST_SKIP() << "only root may mount a small disk";
  disk.fill_up();
  const auto before = state_of(disk.folder()).at("s.sqlite");
  read_all(disk.store());
  EXPECT_EQ(state_of(disk.folder()).at("s.sqlite"), before);
  EXPECT_TRUE(has_no_log(disk.store()));
  // Some room, but not enough for the index of a log.
  fs::resize_file(disk.folder() / "rest", fs::file_size(disk.folder() / "rest") - 8192);
  read_all(disk.store());
  EXPECT_TRUE(has_no_log(disk.store()));
  fs::remove(disk.folder() / "rest");
  read_all(disk.store());
  EXPECT_EQ(state_of(disk.folder()).size(), 1u) << "what was begun is gone";
  EXPECT_EQ(state_of(disk.folder()).at("s.sqlite"), before);
}

TEST(StoreFile, ALogOnAFullDiskIsNotLeftOut) {
  const FullDisk disk;
  if (!disk.mounted()) GTEST_SKIP() << "only root may mount a small disk";
  const pid_t child = ::fork();
  if (child == 0) {
    Store store(disk.store());
    store.put(family(), 5, 0, sample_run(0.5));
    ::_exit(0);  // the log stays
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  fs::remove(disk.store().string() + "-shm");
  disk.fill_up();
  const TempFolder elsewhere;
  const fs::path link = elsewhere / "here.sqlite";
  fs::create_symlink(disk.store(), link);
  for (const fs::path& path : {disk.store(), link}) {
    const std::string error = error_of([&] { read_all(path); });
    EXPECT_TRUE(error.starts_with(path.string() + ": the disk is full")) << error;
    // The files as they lie there: what is copied by other names is no log of the copy.
    EXPECT_NE(error.find(fmt::format("copy '{0}' and '{0}-wal' ", disk.store().string())),
              std::string::npos)
        << error;
    EXPECT_EQ(error.find("resume"), std::string::npos) << error;
  }
}

// Who has no room may be one of several: a quota.
TEST(StoreFile, AReaderWithoutRoomLosesNoRunOfAWriter) {
  const TempFolder folder;
  const fs::path path = folder / "s.sqlite";
  fill(path);
  const auto without_room = [](const std::function<void()>& action) {
    const pid_t child = ::fork();
    if (child == 0) {
      ::signal(SIGXFSZ, SIG_IGN);
      const struct rlimit none = {0, 0};
      ::setrlimit(RLIMIT_FSIZE, &none);
      ::_exit(error_of(action) == "no error" && !::testing::Test::HasFailure() ? 0 : 1);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  };
  EXPECT_EQ(without_room([&] { read_all(path); }), 0);
  EXPECT_TRUE(has_no_log(path));
  // Somebody may have connected by what it began, while it found out that it has no room.
  EXPECT_TRUE(fs::exists(path.string() + "-wal") && fs::exists(path.string() + "-shm"));
  {
    Store store(path);
    EXPECT_EQ(without_room([&] { read_all(path); }), 0);
    store.put(family(), 5, 0, sample_run(0.5));
    EXPECT_EQ(Store(path, Store::Mode::kOpen).run_count(), 6) << "as others see it";
  }
  EXPECT_EQ(Store(path, Store::Mode::kOpen).run_count(), 6);
  EXPECT_EQ(state_of(folder / "").size(), 1u);
}

// Without a disk of its own: no file may grow, which SQLite cannot tell from a full disk.
TEST(StoreFile, IsReadWhereNoFileMayGrow) {
  const TempFolder folder;
  const fs::path path = folder / "s.sqlite";
  fill(path);
  const auto before = state_of(folder / "").at("s.sqlite");
  struct rlimit old = {};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &old), 0);
  const auto handler = ::signal(SIGXFSZ, SIG_IGN);
  const struct rlimit none = {0, old.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &none), 0);
  std::size_t runs = 0;
  const std::string error =
      error_of([&] { runs = Store(path, Store::Mode::kOpen).runs(family_id()).size(); });
  ::setrlimit(RLIMIT_FSIZE, &old);
  ::signal(SIGXFSZ, handler);
  EXPECT_EQ(error, "no error");
  EXPECT_EQ(runs, 5u);
  EXPECT_EQ(state_of(folder / "").at("s.sqlite"), before);
  EXPECT_TRUE(has_no_log(path));
}

TEST(StoreFile, IsMissedWhenItIsDeletedReplacedOrCutShort) {
  const std::vector<std::function<void(const fs::path&)>> losses = {
      [](const fs::path& path) { fs::remove(path); },
      [](const fs::path& path) { fs::rename(path, path.string() + ".old"); },
      [](const fs::path& path) {
        fs::copy_file(path, path.string() + ".new");
        fs::rename(path.string() + ".new", path);
      },
      [](const fs::path& path) { fs::resize_file(path, 0); },
      [](const fs::path& path) { fs::resize_file(path, fs::file_size(path) / 2); },
  };
  for (const auto& lose : losses) {
    TempFolder folder;
    const fs::path path = folder / "s.sqlite";
    fill(path);
    Store store(path);
    store.check_there();
    lose(path);
    EXPECT_NE(error_of([&] { store.check_there(); }).find("deleted, replaced or cut short"),
              std::string::npos);
    EXPECT_NE(error_of([&] { store.put(family(), 9, 0, sample_run(0.5)); }), "no error");
  }
}

// The log beside a store is of the file that it was opened as: it would be taken for one of
// whatever stands there in the end. It is beside the file, and not beside a link to it.
TEST(StoreFile, WhatTakesItsPlaceIsLeftAsItIs) {
  const auto bytes_of = [](const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(in), {});
  };
  for (const auto& [over, linked] : {std::pair{false, false}, {true, false}, {false, true}}) {
    TempFolder folder, elsewhere;
    const fs::path path = folder / "s.sqlite", backup = folder / "backup.sqlite",
                   away = folder / "away.sqlite";
    fill(backup);
    const std::string kept = bytes_of(backup);
    fs::copy_file(backup, path);
    std::int64_t runs = 0;
    {
      const fs::path link = elsewhere / "link.sqlite";
      fs::create_symlink(path, link);
      Store store(linked ? link : path);
      for (int split = 20; split < 400; ++split) store.put(family(), split, 0, sample_run(0.5));
      runs = store.run_count();
      store.check_there();
      if (!over) fs::rename(path, away);
      fs::copy_file(backup, path, fs::copy_options::overwrite_existing);
      if (over) fs::resize_file(path, kept.size());
      EXPECT_NE(error_of([&] { store.put(family(), 900, 0, sample_run(0.5)); }), "no error");
    }
    EXPECT_FALSE(fs::exists(path.string() + "-wal") || fs::exists(path.string() + "-shm"));
    EXPECT_TRUE(bytes_of(path) == kept) << over;
    if (over) continue;
    // What was moved away has what was done until then.
    EXPECT_GE(Store(away, Store::Mode::kOpen).run_count(), runs);
  }
}

TEST(StoreFile, WorkEndsWhenItIsGone) {
  TempFolder folder;
  const fs::path path = folder / "s.sqlite";
  Store store(path);
  const Plan plan = make_plan(parse_protocol("small", "small.toml", made::kSmallProtocol), {},
                              made::fake_sources());
  made::FakeExecutor executor;
  executor.on_run = [&](const RunGroup&, int, const RunLimits&) {
    if (executor.runs == 5) fs::remove(path);
  };
  ExecuteOptions options;
  options.jobs = 1;
  EXPECT_NE(error_of([&] { execute(plan, store, executor, options); }).find("deleted, replaced"),
            std::string::npos);
  EXPECT_EQ(executor.runs, 5) << "nothing more is started";
  // Gone after the last run: that is told as well.
  made::FakeExecutor late;
  Store second(folder / "t.sqlite");
  execute(plan, second, late, options);
  fs::remove(folder / "t.sqlite");
  EXPECT_NE(error_of([&] { execute(plan, second, late, options); }), "no error");
}

TEST(Claims, AreHadByOneAtATime) {
  TempFolder folder;
  const fs::path store = folder / "s.sqlite";
  const fs::path file = folder / "s.sqlite-claims";
  {
    Claims mine(store), theirs(store);
    EXPECT_TRUE(mine.take("f", 0));
    EXPECT_TRUE(mine.take("f", 0)) << "what one has, one has";
    EXPECT_FALSE(theirs.take("f", 0));
    EXPECT_TRUE(theirs.take("f", 1));
    EXPECT_TRUE(theirs.take("g", 0));
    mine.give_back("f", 0);
    EXPECT_TRUE(theirs.take("f", 0));
    EXPECT_FALSE(mine.take("f", 0));
  }
  EXPECT_FALSE(fs::exists(file)) << "the last one to go takes the file along";
  Claims first(store);
  {
    Claims second(store);
    EXPECT_TRUE(second.take("f", 0));
  }
  EXPECT_TRUE(fs::exists(file));
  EXPECT_TRUE(first.take("f", 0)) << "what one had is free once it is gone";
}

TEST(Claims, OfAProcessThatIsKilledAreFree) {
  TempFolder folder;
  const fs::path store = folder / "s.sqlite";
  int ready[2];
  ASSERT_EQ(::pipe(ready), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    Claims claims(store);
    const char answer = claims.take("f", 0) ? 'y' : 'n';
    (void)!::write(ready[1], &answer, 1);
    ::pause();
    ::_exit(0);
  }
  char answer = 0;
  ASSERT_EQ(::read(ready[0], &answer, 1), 1);
  EXPECT_EQ(answer, 'y');
  Claims claims(store);
  EXPECT_FALSE(claims.take("f", 0));
  ::kill(child, SIGKILL);
  ASSERT_EQ(::waitpid(child, nullptr, 0), child);
  EXPECT_TRUE(claims.take("f", 0));
}

TEST(Claims, AreGrantedWhereThereIsNoFile) {
  Claims memory(":memory:"), nowhere("/no/such/folder/s.sqlite");
  EXPECT_TRUE(memory.take("f", 0));
  EXPECT_TRUE(nowhere.take("f", 0));
}

}  // namespace
}  // namespace cupel
