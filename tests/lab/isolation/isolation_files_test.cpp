// A program that fills its folder with traps: links, giants, rubbish.
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#include "cupel/lab/isolation/process.h"
#include "cupel/lab/isolation/remove_tree.h"
#include "cupel/lab/isolation/task_folder.h"
#include "error_of.h"
#include "lab/isolation/attack.h"

namespace cupel {
namespace {

namespace fs = std::filesystem;
using made::Attack;
using made::Isolated;
using made::read_text;
using made::TempFolder;
using made::Variable;
using made::write_text;

class Files : public Isolated {};
INSTANTIATE_TEST_SUITE_P(Isolation, Files, ::testing::Values("required", "none"),
                         made::isolation_name);

// Whatever the first run plants, the second is as any other, and nothing outside changes.
TEST_P(Files, PlantedLinksLeadNowhere) {
  const double honest = made::score_of_class(GetParam(), 1);
  const char* const plants[] = {
      "for f in task.json output.txt valid_scores.npy lock; do rm -f $1/$f; ln -s {0} $1/$f; done",
      "for f in task.json output.txt lock; do rm -f $1/$f; ln {0} $1/$f; done",
      "rm -rf $1; ln -s {1} $1",
      "rm -rf $1/*; mkdir $1/task.json; touch $1/task.json/x; mkdir -p $1/output.txt/a",
      "rm -f $1/../task.npz $1/../lock; ln -s {0} $1/../task.npz; ln -s {0} $1/../lock",
      "mkdir -p $1/a/b; touch $1/a/b/c; chmod 0 $1/a/b $1/a $1",
  };
  for (const char* plant : plants) {
    Attack attack(GetParam());
    const auto victim = attack.outside("victim"), place = attack.outside("place");
    write_text(victim, "as it was");
    fs::create_directory(place);
    const std::string program =
        "cp class1.npy $1/scores.npy; test -f $1/task.json && test ! -L $1/task.json || exit 7\n"
        "if grep -q '\"init\": 0' $1/task.json; then " +
        fmt::format(fmt::runtime(plant), victim.string(), place.string()) + "; fi; exit 0";
    try {
      const auto records = attack.runs("/bin/sh", program, "", 2);
      ASSERT_EQ(records.size(), 2u) << plant;
      EXPECT_EQ(records[1].status, RunStatus::kOk) << plant << ": " << records[1].message;
      EXPECT_EQ(records[1].test_score, honest) << plant;
    } catch (const NotStarted& error) {
      // What is ours may be gone where nothing is kept apart; then there is no second run.
      EXPECT_FALSE(kept_apart()) << plant << ": " << error.what();
    }
    EXPECT_EQ(read_text(victim), "as it was") << plant;
    EXPECT_TRUE(fs::is_empty(place)) << plant;
  }
}

TEST_P(Files, ScoresAreNotReadThroughLinks) {
  Attack attack(GetParam());
  const auto scores = attack.outside("scores.npy");
  fs::copy_file(attack.folder() / "class1.npy", scores);
  const std::string commands[] = {
      "ln -s " + scores.string() + " $1/scores.npy",
      "ln -s a $1/scores.npy",
      "cp class1.npy $1/a; ln -s a $1/scores.npy",
      "ln -s scores.npy $1/scores.npy",
      "mkfifo $1/scores.npy",
      "mkdir $1/scores.npy",
  };
  for (const std::string& command : commands) {
    const RunRecord record = attack.shell(command);
    EXPECT_EQ(record.status, RunStatus::kFailed) << command;
    EXPECT_NE(record.message.find("scores.npy: is not a file"), std::string::npos)
        << command << ": " << record.message;
  }
}

TEST_P(Files, GiantsAreRefusedUnread) {
  for (const char* command :
       {"truncate -s 1000M $1/scores.npy", "cp class1.npy $1/scores.npy; truncate -s 200K $1/*.npy",
        "head -c 70000 /dev/zero > $1/scores.npy"}) {
    const RunRecord record = Attack(GetParam()).shell(command);
    EXPECT_EQ(record.status, RunStatus::kFailed) << command;
    EXPECT_NE(record.message.find("the array asked for has at most 65992"), std::string::npos)
        << record.message;
    EXPECT_LT(record.memory_bytes, 100 << 20);
  }
}

TEST_P(Files, RubbishIsRefusedInASentence) {
  Attack attack(GetParam());
  const std::string good = read_text(attack.folder() / "class1.npy");
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string out = good;
    return out.replace(out.find(from), from.size(), to);
  };
  const std::string contents[] = {
      "",
      "rubbish",
      good.substr(0, 8),
      good.substr(0, good.size() - 1),
      good + "x",
      with("<f4", "|O8"),
      with("<f4", "<c8"),
      with("<f4", "<i4"),
      with("(19, 3)", "(93, 1)"),
      with("(19, 3)", "(-1, 3)"),
      with("(19, 3), }         ", "(9999999999999, 3),"),
      good.substr(0, 128) + std::string(228, '\xff'),  // not numbers
      std::string(2000, '\0'),
      std::string(60'000, '('),
  };
  for (const std::string& content : contents) {
    write_text(attack.folder() / "rubbish", content);
    const RunRecord record = attack.shell("cp rubbish $1/scores.npy");
    EXPECT_EQ(record.status, RunStatus::kFailed);
    EXPECT_EQ(record.message.rfind("scores.npy", 0), 0u) << record.message;
    EXPECT_LT(record.message.size(), 400u);
    EXPECT_EQ(record.message.find('\n'), std::string::npos) << record.message;
    EXPECT_FALSE(record.test_score);
  }
}

TEST_P(Files, TheNameOfTheFolderMayHoldTheWordForIt) {
  const TempFolder temporary;
  fs::create_directory(temporary / "{task}");
  const Variable folder("TMPDIR", (temporary / "{task}").string());
  const RunRecord record = Attack(GetParam()).shell("cp class1.npy $1/scores.npy");
  EXPECT_EQ(record.status, RunStatus::kOk) << record.message;
}

// Beside the folder itself, where links and permissions are nobody's surprise.

struct Opened {
  explicit Opened(const fs::path& path) : fd(::open(path.c_str(), O_RDONLY | O_DIRECTORY)) {}
  ~Opened() { ::close(fd); }
  int fd;
};

TEST(RemoveTree, TakesAllAndNothingElse) {
  TempFolder folder;
  write_text(folder / "kept", "x");
  fs::create_directories(folder / "tree/a/b");
  fs::create_directory(folder / "other");
  write_text(folder / "other/kept", "x");
  fs::create_directory_symlink(folder / "other", folder / "tree/a/link");
  fs::create_symlink(folder / "kept", folder / "tree/file");
  write_text(folder / "tree/a/b/cupel-moved-0", "x");
  fs::create_directory(folder / "tree/cupel-moved-0");
  fs::permissions(folder / "tree/a/b", fs::perms::none);
  fs::permissions(folder / "tree/a", fs::perms::none);
  const Opened parent(folder / "");
  EXPECT_TRUE(remove_tree(parent.fd, "tree"));
  EXPECT_FALSE(fs::exists(folder / "tree"));
  EXPECT_TRUE(fs::exists(folder / "kept") && fs::exists(folder / "other/kept"));
  EXPECT_TRUE(remove_tree(parent.fd, "absent"));
  fs::create_directory_symlink(folder / "other", folder / "link");
  EXPECT_TRUE(remove_tree(parent.fd, "link"));
  EXPECT_TRUE(fs::exists(folder / "other/kept"));
}

TEST(RemoveTree, GoesDeeperThanDescriptorsAndPathsReach) {
  TempFolder folder;
  const std::string name(200, 'd');
  int at = ::open((folder / "").c_str(), O_RDONLY | O_DIRECTORY);
  const Opened parent(folder / "");
  for (int i = 0; i < 3000; ++i) {
    const char* one = i == 0 ? "tree" : name.c_str();
    ASSERT_EQ(::mkdirat(at, one, 0700), 0);
    const int next = ::openat(at, one, O_RDONLY | O_DIRECTORY);
    ::close(at);
    at = next;
  }
  ::close(at);
  const Opened tree(folder / "tree");
  EXPECT_EQ(tree_size(tree.fd, 1000), 1001);
  EXPECT_TRUE(remove_tree(parent.fd, "tree"));
  EXPECT_FALSE(fs::exists(folder / "tree"));
}

TEST(RemoveTree, SizeIsThatOfTheDisk) {
  TempFolder folder;
  fs::create_directories(folder / "tree/a");
  write_text(folder / "tree/a/full", std::string(100'000, 'x'));
  write_text(folder / "tree/sparse", "");
  fs::resize_file(folder / "tree/sparse", 1'000'000'000);
  fs::create_directory_symlink(folder / "tree", folder / "tree/round");
  const Opened tree(folder / "tree");
  const std::int64_t size = tree_size(tree.fd, 1 << 30);
  EXPECT_GE(size, 100'000);
  EXPECT_LT(size, 200'000);
  EXPECT_EQ(tree_size(tree.fd, 50'000), 50'001);
}

TEST(RunProcess, WritingTooMuchEndsIt) {
  TempFolder folder;
  const Opened tree(folder / "");
  ProcessRequest request;
  request.command = {"/bin/sh", "-c", "while :; do echo xxxxxxxxxx >> f; done"};
  request.folder = folder / "";
  request.disk_bytes = 100'000;
  request.disk = [&] { return tree_size(tree.fd, request.disk_bytes); };
  request.deadline = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  EXPECT_EQ(run_process(request).end, ProcessResult::End::kDisk);
}

TEST(LockedFolder, SweepsWhatTheDeadLeft) {
  const TempFolder temporary;
  const auto make = [&](const std::string& name) {
    fs::create_directories(temporary / (name + "/run"));
    write_text(temporary / (name + "/lock"), "");
    return temporary / name;
  };
  const auto dead = make("cupel-task-dead00"), living = make("cupel-task-living"),
             other = make("cupel-other"), linked = make("linked"),
             fresh = temporary / "cupel-task-fresh0", file = temporary / "cupel-task-file00";
  const int lock = ::open((living / "lock").c_str(), O_RDWR);
  ASSERT_EQ(::flock(lock, LOCK_EX), 0);
  fs::create_directory(fresh);
  write_text(file, "x");
  fs::create_directory_symlink(linked, temporary / "cupel-task-linked");
  const auto foreign = make("cupel-task-foreign");
  const bool given = ::geteuid() == 0 && ::chown(foreign.c_str(), 12345, 12345) == 0;
  sweep_locked_folders(temporary / "", "cupel-task-");
  EXPECT_FALSE(fs::exists(dead));
  EXPECT_TRUE(fs::exists(living / "run"));
  EXPECT_TRUE(fs::exists(other / "run"));
  EXPECT_TRUE(fs::exists(linked / "run"));
  EXPECT_TRUE(fs::exists(fresh));  // its maker may be about to lock it
  EXPECT_TRUE(fs::exists(file));
  if (given) {
    EXPECT_TRUE(fs::exists(foreign / "run"));
  }
  ::close(lock);
  sweep_locked_folders(temporary / "", "cupel-task-");
  EXPECT_FALSE(fs::exists(living));
}

TEST(TaskFolder, NeedsAPlaceForTemporaryFiles) {
  Attack attack("none");
  const Variable variable("TMPDIR", "/nowhere/at/all");
  try {
    const TaskFolder folder;
    FAIL() << folder.path();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("'/nowhere/at/all'"), std::string::npos)
        << error.what();
  }
  // It is the machine that lacks it, and not the program that failed.
  EXPECT_THROW(attack.shell("exit 0"), NotStarted);
}

TEST(TaskFolder, AnEmptyPlaceForTemporaryFilesIsTheUsualOne) {
  const Variable empty("TMPDIR", "");
  EXPECT_EQ(TaskFolder().path().parent_path(), "/tmp");
  const Variable relative("TMPDIR", "nowhere/at/all");
  const std::string error = error_of([] { const TaskFolder folder; });
  EXPECT_NE(error.find("'nowhere/at/all'"), std::string::npos) << error;
  EXPECT_EQ(error.find("Invalid argument"), std::string::npos) << error;
}

TEST(TaskFolder, IsOursAloneAndLocked) {
  const TempFolder temporary;
  const Variable variable("TMPDIR", (temporary / "").string());
  fs::path path;
  {
    const TaskFolder folder;
    path = folder.path();
    EXPECT_EQ(fs::status(path).permissions(), fs::perms::owner_all);
    sweep_locked_folders(temporary / "", "cupel-task-");
    EXPECT_TRUE(fs::exists(path / "lock"));
  }
  EXPECT_FALSE(fs::exists(path));
}

}  // namespace
}  // namespace cupel
