// A program that takes more memory than it was given, by ways that are in no process's own account.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include <cstring>
#include <map>
#include <sstream>
#include <vector>

#include "cupel/lab/isolation/control_group.h"
#include "cupel/lab/isolation/process.h"
#include "cupel/lab/isolation/process_tree.h"
#include "lab/isolation/attack.h"

namespace cupel {
namespace {

using made::Attack;
using made::Isolated;
using made::read_text;
using made::TempFolder;
using made::write_text;

class Memory : public Isolated {};
INSTANTIATE_TEST_SUITE_P(Isolation, Memory, ::testing::Values("required", "none"),
                         made::isolation_name);

// 300 MB in steps, and then some time to be seen.
std::string taking(const std::string& begin, const std::string& step) {
  return "import mmap, os, sys, time\n" + begin + "\nfor i in range(300):\n    " + step +
         "\ntime.sleep(0.5)\nprint('TOOK IT ALL')\nsys.exit(1)\n";
}

void expect_ended(const RunRecord& record) {
  EXPECT_EQ(record.status, RunStatus::kFailed);
  EXPECT_NE(record.message.find("held more than 100 MB of memory together"), std::string::npos)
      << record.message;
  EXPECT_EQ(record.message.find("TOOK IT ALL"), std::string::npos);
}

constexpr const char* kLimit = "memory_mb = 100";

TEST_P(Memory, FilesInMemoryCount) {
  expect_ended(
      Attack(GetParam())
          .in_python(taking("fd = os.memfd_create('x')", "os.write(fd, bytes(1 << 20))"), kLimit));
}

TEST_P(Memory, SharedMemoryOfNobodyCounts) {
  expect_ended(Attack(GetParam())
                   .in_python(taking("maps = []", R"(
    maps.append(mmap.mmap(-1, 1 << 20)); maps[-1].write(bytes(1 << 20)))"),
                              kLimit));
}

TEST_P(Memory, SharedMemoryWithANameCounts) {
  const std::string name = fmt::format("/dev/shm/cupel-test-{}", ::getpid());
  // A folder of its own has no more room than the limit; ours is the machine's.
  const RunRecord record =
      Attack(GetParam())
          .in_python(
              taking(fmt::format(
                         "fd = os.open('{0}', os.O_CREAT | os.O_RDWR)\nif {1}: os.unlink('{0}')",
                         name, kept_apart() ? 0 : 1),
                     "os.write(fd, bytes(1 << 20))"),
              kLimit);
  std::filesystem::remove(name);
  EXPECT_EQ(record.status, RunStatus::kFailed);
  EXPECT_EQ(record.message.find("TOOK IT ALL"), std::string::npos);
  const bool told = record.message.find("of memory together") != std::string::npos ||
                    record.message.find("No space left on device") != std::string::npos;
  EXPECT_TRUE(told) << record.message;
}

TEST_P(Memory, TemporaryFilesInMemoryCountWithTheRest) {
  if (!kept_apart()) GTEST_SKIP() << "needs bubblewrap: elsewhere temporary files are on disk";
  expect_ended(
      Attack(GetParam())
          .in_python(taking("hold = bytearray(60 << 20)\nf = [open(d + '/x', 'wb', 0) for d in "
                            "('/tmp', '/dev/shm', os.environ['HOME'])]",
                            "f[i % 3].write(bytes(1 << 18))"),
                     kLimit));
}

TEST_P(Memory, AllProcessesCountTogether) {
  expect_ended(
      Attack(GetParam())
          .in_python("import os, sys, time\nfor i in range(4):\n    if os.fork() == 0:\n"
                     "        hold = bytearray(os.urandom(1 << 20) * 40)\n        time.sleep(20)\n"
                     "        os._exit(0)\ntime.sleep(20)\nprint('TOOK IT ALL')\n",
                     kLimit));
}

TEST_P(Memory, AThreadThatOutlivesTheFirstCounts) {
  expect_ended(Attack(GetParam())
                   .in_python(R"(
import ctypes, threading, time
def take():
    time.sleep(0.2)
    more = [__import__("mmap").mmap(-1, 1 << 20) for i in range(150)]
    for m in more: m.write(bytes(1 << 20))
    time.sleep(20)
threading.Thread(target=take).start()
ctypes.CDLL(None).syscall(60 if __import__("os").uname().machine == "x86_64" else 93, 0)
)",
                              kLimit));
}

// Pages that children share with their parent are there once.
TEST_P(Memory, SharedPagesCountOnce) {
  const RunRecord record = Attack(GetParam())
                               .in_python(R"(
import mmap, os, shutil, sys, time
hold = bytearray(40 << 20)
for i in range(0, len(hold), 4096):
    hold[i] = 1
shared = mmap.mmap(-1, 20 << 20)
shared.write(bytes(20 << 20))
for i in range(4):
    if os.fork() == 0:
        sum(hold[::4096]) + sum(shared[::4096])
        time.sleep(0.6)
        os._exit(0)
time.sleep(0.5)
shutil.copy("class0.npy", sys.argv[1] + "/scores.npy")
)",
                                          kLimit);
  EXPECT_EQ(record.status, RunStatus::kOk) << record.message;
  EXPECT_GT(record.memory_bytes, 60 << 20);
}

// What one look counts too often, as processes go on meanwhile, the next does not.
TEST(LeastUse, IsTooMuchIfEveryLookSaysSo) {
  std::size_t seen = 0;
  const auto look = [&](const std::vector<std::int64_t>& looks) {
    seen = 0;
    return least_use(100, [&] { return looks.at(seen++); });
  };
  EXPECT_EQ(look({99}), 99);
  EXPECT_EQ(look({130, 140, 100}), 100);
  EXPECT_EQ(seen, 3u);
  EXPECT_EQ(look({130, 120, 140, 150, 160}), 120);
  EXPECT_EQ(seen, 5u);
}

// A file in memory is there once, however often it is mapped.
TEST_P(Memory, MappedFilesCountOnce) {
  const RunRecord record =
      Attack(GetParam())
          .in_python(
              "import mmap, os, shutil, sys, time\nfd = os.memfd_create('x')\nos.truncate(fd, 60 "
              "<< 20)\n"
              "shared = mmap.mmap(fd, 60 << 20)\nshared.write(bytes(60 << 20))\nos.fork()\n"
              "sum(shared[::4096])\ntime.sleep(0.3)\n"
              "shutil.copy('class0.npy', sys.argv[1] + '/scores.npy')\n",
              kLimit);
  EXPECT_EQ(record.status, RunStatus::kOk) << record.message;
}

TEST_P(Memory, WhatOutlivesItsMakersIsDenied) {
  const RunRecord record = Attack(GetParam())
                               .in_python(
                                   "import ctypes, sys\nlibc = ctypes.CDLL(None, use_errno=True)\n"
                                   "calls = [libc.shmget(0, 1 << 20, 0o1600), libc.msgget(0, "
                                   "0o1600), libc.semget(0, 1, 0o1600)]\n"
                                   "print('answers', calls, ctypes.get_errno())\nsys.exit(1)\n");
  EXPECT_NE(record.message.find(fmt::format("answers [-1, -1, -1] {}", ENOSYS)), std::string::npos)
      << record.message;
}

// Keys would tell the next run of this one; the others hold memory that is in no account.
TEST_P(Memory, KeysRingsAndSecretMemoryAreDenied) {
  const RunRecord record =
      Attack(GetParam())
          .in_python(fmt::format(
              "import ctypes, errno, sys\nlibc = ctypes.CDLL(None, use_errno=True)\n"
              "def ask(*call):\n"
              "    return libc.syscall(*call), errno.errorcode.get(ctypes.get_errno())\n"
              "said = {{ask({}, b'user', b'name', b'text', 4, -2), ask({}, 0, -3, 0), ask({}, "
              "b'user', b'name', None, 0), ask({}, 0), ask({}, 1, "
              "ctypes.create_string_buffer(200))}}\nprint('answers', said)\nsys.exit(1)\n",
              __NR_add_key, __NR_keyctl, __NR_request_key, 447, 425));
  EXPECT_NE(record.message.find("answers {(-1, 'ENOSYS')}"), std::string::npos) << record.message;
}

// The kernel's files, imitated. A plain folder has no file of members, without which a group is of
// no use, so that what was written is all that can be seen.
class Groups : public ::testing::Test {
 protected:
  // What is in the only group below `folder` that somebody tried to make.
  static std::map<std::string, std::string> made(const std::filesystem::path& folder) {
    std::map<std::string, std::string> out;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
      const auto name = entry.path().parent_path().filename().string();
      if (entry.is_regular_file() && name.starts_with(fmt::format("cupel-{}-", ::getpid())))
        out[entry.path().filename()] = read_text(entry.path());
    }
    return out;
  }
  static bool has_line(const std::string& piece) {
    return read_text("/proc/self/cgroup").find(piece) != std::string::npos;
  }
  TempFolder root_;
};

TEST_F(Groups, OfVersionTwoAreBelowTheNearestThatHandsMemoryDown) {
  if (!has_line("0::/")) GTEST_SKIP() << "this machine has no control groups of version 2";
  write_text(root_ / "cgroup.controllers", "memory pids\n");
  write_text(root_ / "cgroup.subtree_control", "cpu\n");
  EXPECT_EQ(ControlGroup::make(1 << 20, 10, root_ / ""), nullptr);
  EXPECT_TRUE(made(root_ / "").empty());
  write_text(root_ / "cgroup.subtree_control", "cpu memory pids\n");
  EXPECT_EQ(ControlGroup::make(1 << 20, 10, root_ / ""), nullptr);
  const std::map<std::string, std::string> wanted = {{"memory.max", "1048576"},
                                                     {"memory.oom.group", "1"},
                                                     {"memory.swap.max", "0"},
                                                     {"pids.max", "10"}};
  EXPECT_EQ(made(root_ / ""), wanted);
}

TEST_F(Groups, AreNoneWhereTheirPlaceCannotBeTold) {
  std::filesystem::create_symlink("circle", root_ / "circle");
  EXPECT_EQ(ControlGroup::make(1 << 20, 10, root_ / "circle"), nullptr);
}

TEST_F(Groups, OfVersionOneAreOneForEachController) {
  if (!has_line(":memory:/") || !has_line(":pids:/"))
    GTEST_SKIP() << "this machine has no control groups of version 1";
  std::istringstream lines(read_text("/proc/self/cgroup"));
  for (std::string line; std::getline(lines, line);) {
    for (const char* controller : {":memory:", ":pids:"}) {
      const auto at = line.find(controller);
      if (at == std::string::npos) continue;
      const std::string name(controller + 1, std::strlen(controller) - 2);
      std::filesystem::create_directories(root_ /
                                          (name + line.substr(at + std::strlen(controller))));
    }
  }
  EXPECT_EQ(ControlGroup::make(1 << 20, 10, root_ / ""), nullptr);
  const std::map<std::string, std::string> wanted = {{"memory.limit_in_bytes", "1048576"},
                                                     {"pids.max", "10"}};
  EXPECT_EQ(made(root_ / ""), wanted);
}

// The kernel's own, where we may make groups.
TEST_F(Groups, AreGoneWithTheirUser) {
  std::vector<std::filesystem::path> members;
  {
    const auto group = ControlGroup::make(100 << 20, 50);
    if (group == nullptr) GTEST_SKIP() << "no control group can be made here";
    members = group->members();
    ASSERT_FALSE(members.empty());
    for (const auto& file : members) EXPECT_TRUE(std::filesystem::exists(file));
    EXPECT_FALSE(group->ran_out_of_memory() || group->ran_out_of_tasks());
  }
  for (const auto& file : members) EXPECT_FALSE(std::filesystem::exists(file.parent_path()));
}

}  // namespace
}  // namespace cupel
