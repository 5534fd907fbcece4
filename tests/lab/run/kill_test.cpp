// The store under kill -9: a process that fills it is killed at random instants, again and again.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <map>
#include <random>

#include "cupel/lab/run/scheduler.h"
#include "lab/fake.h"

namespace cupel {
namespace {

using testing::fake_sources;
using testing::FakeExecutor;
using testing::rows_of;
using testing::TempFolder;
using namespace std::chrono_literals;

constexpr int kJobs = 2;
constexpr int kKills = 60;

Plan plan_of() {
  const Protocol protocol = parse_protocol("kill", "kill.toml", R"(
[data]
datasets = ["one", "three"]
[split]
count = 100
[train]
inits = 5
[models.gcn]
[models.mlp]
)");
  return make_plan(protocol, {}, fake_sources());
}

// What a life of the process does. It notes every run that it starts in the file beside the store.
void live(const std::string& path) {
  Store store(path);
  const int log = ::open((path + ".log").c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
  FakeExecutor executor;
  executor.on_run = [&](const RunGroup& group, int init, const RunLimits&) {
    const std::string line = fmt::format("{} {} {}\n", group.family->id, group.split, init);
    if (::write(log, line.data(), line.size()) < 0) throw std::runtime_error("no log");
    std::this_thread::sleep_for(500us);
  };
  ExecuteOptions options;
  options.jobs = kJobs;
  execute(plan_of(), store, executor, options);
}

// Turns this program into the process that is killed, if the variable is set.
class Helper : public ::testing::Environment {
 public:
  void SetUp() override {
    const char* path = std::getenv("CUPEL_KILL_STORE");
    if (path == nullptr) return;
    live(path);
    ::_exit(0);
  }
};
const auto* const kHelper = ::testing::AddGlobalTestEnvironment(new Helper);

pid_t start(const std::string& path) {
  const pid_t child = ::fork();
  if (child != 0) return child;
  ::setenv("CUPEL_KILL_STORE", path.c_str(), 1);
  const int null = ::open("/dev/null", O_WRONLY);
  ::dup2(null, 1);
  ::execl("/proc/self/exe", "test_lab", "--gtest_filter=Kill.*", nullptr);
  ::_exit(127);
}

std::map<std::string, int> starts_of(const std::string& path) {
  std::map<std::string, int> out;
  std::ifstream log(path + ".log");
  for (std::string line; std::getline(log, line);) ++out[line];
  return out;
}

TEST(Kill, LosesAtMostWhatWasInFlight) {
  TempFolder folder;
  const std::string path = (folder / "s.sqlite").string();
  std::mt19937 random(7);
  int kills = 0, finished = 0;
  while (kills < kKills && finished == 0) {
    const pid_t child = start(path);
    ASSERT_GT(child, 0);
    // From before the store exists to the middle of the work.
    std::this_thread::sleep_for(std::chrono::microseconds(random() % 40'000));
    ::kill(child, SIGKILL);
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    if (WIFSIGNALED(status)) {
      ++kills;
    } else {
      ASSERT_EQ(WEXITSTATUS(status), 0);
      ++finished;
    }
  }
  EXPECT_GE(kills, 50) << "the work was done too soon for the test to mean anything";
  {
    const Store store(path);
    store.check_integrity();
  }
  // What was started again had been in flight at a kill.
  int again = 0;
  for (const auto& [run, times] : starts_of(path)) again += times - 1;
  EXPECT_LE(again, kills * kJobs);

  live(path);
  const Plan plan = plan_of();
  Store store(path), whole(folder / "whole.sqlite");
  store.check_integrity();
  EXPECT_EQ(store.run_count(), 2000);
  execute(plan, whole, FakeExecutor(), {});
  EXPECT_EQ(rows_of(plan, store), rows_of(plan, whole));
  EXPECT_EQ(starts_of(path).size(), 2000u);
  const ExecuteSummary more = execute(plan, store, FakeExecutor(), {});
  EXPECT_EQ(more.done, 0);
}

}  // namespace
}  // namespace cupel
