// A program that leaves something behind, has too many children or talks without end.
#include <signal.h>
#include <sys/wait.h>

#include <thread>

#include "cupel/lab/isolation/process.h"
#include "cupel/lab/isolation/process_tree.h"
#include "lab/isolation/attack.h"

namespace cupel {
namespace {

using made::Attack;
using made::Isolated;
using made::processes_with;
using made::read_text;
using namespace std::chrono_literals;

class Processes : public Isolated {};
INSTANTIATE_TEST_SUITE_P(Isolation, Processes, ::testing::Values("required", "none"),
                         made::isolation_name);

std::string token(const char* what) { return fmt::format("cupel-{}-{}", what, ::getpid()); }

// Python: a child in a session of its own whose parents are gone. `what` is what it does.
std::string survivor(const std::string& word, const std::string& what) {
  return fmt::format(R"(
import os, sys, time, shutil
def survive():
    if os.fork():
        return
    os.setsid()
    if os.fork():
        os._exit(0)
    if os.fork() == 0:
        os.execv(sys.executable, [sys.executable, "-c", '''{}''', sys.argv[1], "{}"])
    os._exit(0)
)",
                     what, word);
}

TEST_P(Processes, NothingOutlivesTheProgram) {
  const std::string word = token("survivor");
  const RunRecord record =
      Attack(GetParam())
          .in_python(
              survivor(word, "import time; time.sleep(600)") +
              "survive(); time.sleep(0.3); shutil.copy('class1.npy', sys.argv[1] + '/scores.npy')");
  EXPECT_EQ(record.status, RunStatus::kOk) << record.message;
  EXPECT_TRUE(processes_with(word).empty());
}

TEST_P(Processes, NothingOutlivesATimeout) {
  const std::string word = token("late");
  const RunRecord record =
      Attack(GetParam())
          .in_python(survivor(word, "import time, signal; signal.signal(15, 1); time.sleep(600)") +
                         "survive(); time.sleep(600)",
                     "timeout_seconds = 0.7");
  EXPECT_EQ(record.status, RunStatus::kTimeout) << record.message;
  EXPECT_TRUE(processes_with(word).empty());
}

// The first run leaves a process that gives every later result to another class.
TEST_P(Processes, ARunCannotTouchTheNext) {
  const double honest = made::score_of_class(GetParam(), 1);
  ASSERT_NE(honest, made::score_of_class(GetParam(), 0));
  Attack attack(GetParam());
  const std::string liar = R"(
import os, shutil, sys, time
while True:
    for folder in (sys.argv[1], os.path.dirname(sys.argv[1])):
        try:
            shutil.copy("class0.npy", folder + "/scores.npy")
            shutil.copy("class0.npy", sys.argv[1] + "/task.json")
        except OSError:
            pass
    time.sleep(0.001)
)";
  const auto records = attack.runs(made::python(), survivor(token("liar"), liar) + R"(
import json
if json.load(open(sys.argv[1] + "/task.json"))["init"] == 0:
    survive()
else:
    time.sleep(0.1)
    json.load(open(sys.argv[1] + "/task.json"))
shutil.copy("class1.npy", sys.argv[1] + "/scores.npy")
)",
                                   "", 3);
  ASSERT_EQ(records.size(), 3u);
  for (std::size_t i = 1; i < 3; ++i) {
    EXPECT_EQ(records[i].status, RunStatus::kOk) << records[i].message;
    EXPECT_EQ(records[i].test_score, honest);
  }
  EXPECT_TRUE(processes_with(token("liar")).empty());
}

// What it leaves behind is dead before anything is read, and long before it would write.
TEST_P(Processes, ResultsDoNotChangeAfterTheEnd) {
  const double honest = made::score_of_class(GetParam(), 1);
  const std::string liar = R"(
import os, shutil, sys, time
while os.path.exists(sys.argv[1] + "/running"):
    time.sleep(0.001)
time.sleep(0.5)
shutil.copy("class0.npy", sys.argv[1] + "/scores.npy")
)";
  const std::string word = token("after");
  const RunRecord record =
      Attack(GetParam())
          .in_python(survivor(word, liar) +
                     "open(sys.argv[1] + '/running', 'w').close(); survive(); time.sleep(0.3)\n"
                     "shutil.copy('class1.npy', sys.argv[1] + '/scores.npy')\n"
                     "os.unlink(sys.argv[1] + '/running'); os._exit(0)\n");
  EXPECT_TRUE(processes_with(word).empty());
  EXPECT_EQ(record.status, RunStatus::kOk) << record.message;
  EXPECT_EQ(record.test_score, honest);
}

// One that ends at four thousand, so that a machine survives a limit that does not hold.
TEST_P(Processes, AForkBombIsEnded) {
  const auto start = std::chrono::steady_clock::now();
  const RunRecord record =
      Attack(GetParam())
          .in_python(
              "import os, time\nfor i in range(12):\n    try:\n        os.fork()\n"
              "    except OSError:\n        pass\ntime.sleep(60)\n",
              "timeout_seconds = 50\nmemory_mb = 8000");
  EXPECT_EQ(record.status, RunStatus::kFailed) << record.message;
  EXPECT_NE(record.message.find("more than 1024 processes"), std::string::npos) << record.message;
  EXPECT_LT(std::chrono::steady_clock::now() - start, 40s);
  EXPECT_TRUE(descendants(::getpid()).empty());
}

TEST_P(Processes, AFloodOfOutputIsNotKept) {
  Attack attack(GetParam());
  const made::TempFolder temporary;
  const made::Variable variable("TMPDIR", (temporary / "").string());
  const RunRecord record = attack.shell(
      "head -c 300000000 /dev/zero | tr '\\0' 'a'; echo; echo the end; du -sk \"$1\"/..; exit 1");
  EXPECT_NE(record.message.find("the end"), std::string::npos) << record.message;
  EXPECT_LT(record.message.size(), 2000u);
  EXPECT_TRUE(std::filesystem::is_empty(temporary / ""));
  // Nothing was written to disk meanwhile.
  std::istringstream words(record.message.substr(record.message.find("the end") + 7));
  int kilobytes = 0;
  words >> kilobytes;
  EXPECT_LT(kilobytes, 1000) << record.message;
}

TEST_P(Processes, OutputMayBeOpenedAgain) {
  const RunRecord record =
      Attack(GetParam()).shell("echo one > /dev/stderr; echo two > /dev/stdout; exit 1");
  EXPECT_NE(record.message.find("one\ntwo"), std::string::npos) << record.message;
}

// ---- kill -9 of ours
// -----------------------------------------------------------------------------

constexpr const char* kMode = "CUPEL_TEST_KILLED_MODE";

// Turns this program into the one that is killed.
class Victim : public ::testing::Environment {
 public:
  void SetUp() override {
    const char* mode = std::getenv(kMode);
    if (mode == nullptr) return;
    const std::string word = std::getenv("CUPEL_TEST_KILLED_WORD");
    Attack(mode).in_python(survivor(word, "import time; time.sleep(600)") +
                           "survive()\nos.execv(sys.executable, [sys.executable, '-c', 'import "
                           "time; time.sleep(600)', '" +
                           word + "'])\n");
    ::_exit(0);
  }
};
const auto* const kVictim = ::testing::AddGlobalTestEnvironment(new Victim);

TEST_P(Processes, AKillOfOursLeavesNothing) {
  const made::TempFolder temporary;
  const made::Variable folder("TMPDIR", (temporary / "").string());
  const std::string word = token("orphan");
  const pid_t victim = ::fork();
  if (victim == 0) {
    ::setenv(kMode, GetParam(), 1);
    ::setenv("CUPEL_TEST_KILLED_WORD", word.c_str(), 1);
    ::execl("/proc/self/exe", "test_lab", "--gtest_filter=TaskFolder.IsOursAloneAndLocked",
            nullptr);
    ::_exit(127);
  }
  // The program and its survivor are there.
  const auto wait_for = [&](std::size_t count) {
    for (int i = 0; i < 1000 && processes_with(word).size() != count; ++i)
      std::this_thread::sleep_for(10ms);
    return processes_with(word).size();
  };
  ASSERT_EQ(wait_for(2), 2u);
  ::kill(victim, SIGKILL);
  ASSERT_EQ(::waitpid(victim, nullptr, 0), victim);
  EXPECT_EQ(wait_for(0), 0u);

  const auto folders = [&] {
    std::size_t out = 0;
    for (const auto& entry : std::filesystem::directory_iterator(temporary / ""))
      out += entry.path().filename().string().starts_with("cupel-task-");
    return out;
  };
  EXPECT_EQ(folders(), 1u);
  // The next start sweeps, and takes its own away at its end.
  EXPECT_EQ(Attack(GetParam()).shell("cp class0.npy $1/scores.npy").status, RunStatus::kOk);
  EXPECT_EQ(folders(), 0u);
}

}  // namespace
}  // namespace cupel
