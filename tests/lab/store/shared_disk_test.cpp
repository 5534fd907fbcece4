#include "cupel/lab/store/shared_disk.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>

#include <chrono>
#include <memory>
#include <thread>
#include <utility>

#include "error_of.h"
#include "lab/store/store_files.h"
#include "raw_sql.h"
#include "temp_folder.h"

namespace {

std::string shared_folder;  // all below it lies on NFS, as far as statfs() tells

}  // namespace

// In place of the C library's for all of this test program.
extern "C" int statfs(const char* path, struct statfs* about) noexcept {
  const auto status = static_cast<int>(::syscall(SYS_statfs, path, about));
  if (status == 0 && !shared_folder.empty() && std::string(path).starts_with(shared_folder))
    about->f_type = 0x6969;
  return status;
}

namespace cupel {
namespace {

namespace fs = std::filesystem;
using made::raw_sql;
using made::read_all;
using made::state_of;

// Numbers as `stat -f -c %t` prints them.
TEST(SharedDisk, KnowsThoseOfClusters) {
  for (const std::uint32_t type : {0x6969u, 0xbd00bd0u, 0x47504653u, 0xff534d42u, 0xc36400u})
    EXPECT_TRUE(is_shared_type(type)) << std::hex << type;
  // ext4, xfs, btrfs, tmpfs, overlay
  for (const std::uint32_t type : {0xef53u, 0x58465342u, 0x9123683eu, 0x1021994u, 0x794c7630u})
    EXPECT_FALSE(is_shared_type(type)) << std::hex << type;
}

TEST(SharedDisk, WhatCannotBeToldIsNone) {
  EXPECT_FALSE(is_shared_disk("/nowhere/at/all"));
  EXPECT_FALSE(is_shared_disk("/dev/shm/not-there-yet"));
}

// Stores on a disk that says it is NFS.
class OnNfs : public ::testing::Test {
 protected:
  OnNfs() { shared_folder = fs::canonical(folder_.path()).string(); }
  ~OnNfs() override {
    shared_folder.clear();
    ::chmod(folder_.path().c_str(), 0755);
  }

  // A store that was closed on a machine's own disk.
  void bring() const {
    const std::string folder = std::exchange(shared_folder, "");
    made::fill(path_);
    shared_folder = folder;
    ASSERT_EQ(kept_by(), 2);
  }
  // One that a process is at there, or died over.
  void bring_with_log() const {
    const TempFolder own;
    const Store store(own / "s.sqlite");
    made::fill(own / "s.sqlite");
    for (const char* ending : {"", "-wal"})
      fs::copy_file((own / "s.sqlite").string() + ending, path_.string() + ending);
    ASSERT_GT(fs::file_size(log()), 0u);
  }
  // No index of a log can be made, as SQLite follows no link there: whoever wants one fails.
  void allow_no_index() const { fs::create_symlink("/dev/null", path_.string() + "-shm"); }
  // All in the folder is as it was once the store has been read.
  void expect_reading_to_leave_all() const {
    const auto before = state_of(folder_.path());
    read_all(path_);
    EXPECT_EQ(state_of(folder_.path()), before);
  }
  fs::path log() const { return path_.string() + "-wal"; }
  // Of the file itself, without opening it as a database: 1 is a rollback journal, 2 a log.
  int kept_by() const {
    char header[20] = {};
    std::ifstream(path_, std::ios::binary).read(header, sizeof header);
    return header[18];
  }

  const TempFolder folder_;
  const fs::path path_ = folder_ / "s.sqlite";
};

TEST_F(OnNfs, IsTold) {
  EXPECT_TRUE(is_shared_disk(path_)) << "by the folder where it will be";
  EXPECT_FALSE(is_shared_disk("/proc/self"));
}

TEST_F(OnNfs, ANewStoreHasARollbackJournal) {
  allow_no_index();
  Store store(path_);
  store.put(made::family(), 0, 0, made::sample_run(0.5));
  EXPECT_EQ(kept_by(), 1);
  EXPECT_FALSE(fs::exists(log()));
  // Nobody is kept out between two commits.
  EXPECT_EQ(raw_sql(path_, "SELECT count(*) FROM runs"), "1");
  store.put(made::family(), 1, 0, made::sample_run(0.5));
}

TEST_F(OnNfs, WhoWritesTurnsTheLog) {
  bring_with_log();
  EXPECT_EQ(kept_by(), 2);
  allow_no_index();
  Store store(path_);
  EXPECT_EQ(kept_by(), 1);
  EXPECT_FALSE(fs::exists(log()));
  EXPECT_EQ(store.runs(made::family_id()).size(), 5u);
  store.put(made::family(), 5, 0, made::sample_run(0.5));
  EXPECT_EQ(Store(path_, Store::Mode::kOpen).run_count(), 6);
  EXPECT_EQ(raw_sql(path_, "SELECT count(*) FROM runs"), "6");
}

TEST_F(OnNfs, WhoReadsLeavesTheLogAndKeepsNobodyOut) {
  bring_with_log();
  allow_no_index();
  expect_reading_to_leave_all();
  const Store store(path_, Store::Mode::kOpen);
  expect_reading_to_leave_all();  // while another reads
  Store(path_).put(made::family(), 5, 0, made::sample_run(0.5));
  EXPECT_EQ(store.runs(made::family_id()).size(), 5u) << "as it was when it was opened";
}

TEST_F(OnNfs, WithoutCommitsInALogItIsTheSame) {
  bring();
  allow_no_index();
  expect_reading_to_leave_all();
  made::fill(path_);  // nothing new
  EXPECT_EQ(kept_by(), 1);
  read_all(path_);
}

// As long as another machine has the log open, which holds a lock that disks share.
TEST_F(OnNfs, WhoHasTheLogOpenIsWaitedFor) {
  const std::string folder = std::exchange(shared_folder, "");
  made::fill(path_);
  auto other = std::make_unique<Store>(path_);
  shared_folder = folder;
  std::thread closes([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    other.reset();
  });
  const auto start = std::chrono::steady_clock::now();
  read_all(path_);
  EXPECT_GE(std::chrono::steady_clock::now() - start, std::chrono::milliseconds(250));
  closes.join();
}

TEST_F(OnNfs, ALogIsNotReadByWhoMayNotWrite) {
  bring_with_log();
  ::chmod(path_.c_str(), 0444);
  ::chmod(log().c_str(), 0444);
  ::chmod(folder_.path().c_str(), 0555);
  EXPECT_EQ(
      made::as_nobody([&] {
        const std::string said = error_of([&] { const Store store(path_, Store::Mode::kOpen); });
        EXPECT_NE(said.find("machines share"), std::string::npos) << said;
        EXPECT_NE(said.find("s.sqlite-wal' to a disk of this machine"), std::string::npos) << said;
      }),
      0);
}

TEST_F(OnNfs, WithoutALogItIsReadByWhoMayNotWrite) {
  bring();
  ::chmod(path_.c_str(), 0444);
  ::chmod(folder_.path().c_str(), 0555);
  EXPECT_EQ(made::as_nobody([&] { read_all(path_); }), 0);
}

}  // namespace
}  // namespace cupel
