// The store under kill -9: a process that fills it is killed at random instants, again and again.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <map>
#include <random>

#include "cupel/lab/run/pending.h"
#include "cupel/lab/run/scheduler.h"
#include "lab/fake.h"

namespace cupel {
namespace {

using made::fake_sources;
using made::FakeExecutor;
using made::rows_of;
using made::TempFolder;
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
    const std::string line =
        fmt::format("{} {} {} {}\n", group.family->id, group.split, init, ::getpid());
    if (::write(log, line.data(), line.size()) < 0) throw std::runtime_error("no log");
    std::this_thread::sleep_for(500us);
  };
  ExecuteOptions options;
  options.jobs = kJobs;
  execute(plan_of(), store, executor, options);
}

// A number of the environment: scripts/reliability does the tests with many.
unsigned setting(const char* name, unsigned otherwise) {
  const char* given = std::getenv(name);
  return given == nullptr ? otherwise : static_cast<unsigned>(std::stoul(given));
}

// Waits until so many processes are there, so that none has done all before another one comes.
void await_crowd(const std::string& path, unsigned crowd) {
  const int ready = ::open((path + ".ready").c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
  if (::write(ready, "x", 1) < 0) ::_exit(1);
  for (int i = 0; i < 60'000 && std::filesystem::file_size(path + ".ready") < crowd; ++i)
    std::this_thread::sleep_for(1ms);
  ::close(ready);
}

// Turns this program into the process that is killed, if the variable is set.
class Helper : public ::testing::Environment {
 public:
  void SetUp() override {
    const char* path = std::getenv("CUPEL_KILL_STORE");
    if (path == nullptr) return;
    if (const unsigned crowd = setting("CUPEL_KILL_CROWD", 1); crowd > 1) await_crowd(path, crowd);
    live(path);
    ::_exit(0);
  }
};
const auto* const kHelper = ::testing::AddGlobalTestEnvironment(new Helper);

pid_t start(const std::string& path, int crowd = 1) {
  const pid_t child = ::fork();
  if (child != 0) return child;
  ::setenv("CUPEL_KILL_CROWD", std::to_string(crowd).c_str(), 1);
  ::setenv("CUPEL_KILL_STORE", path.c_str(), 1);
  const int null = ::open("/dev/null", O_WRONLY);
  ::dup2(null, 1);
  ::execl("/proc/self/exe", "test_lab", "--gtest_filter=Kill.*", nullptr);
  ::_exit(127);
}

// By run, how often it was begun.
std::map<std::string, int> starts_of(const std::string& path) {
  std::map<std::string, int> out;
  std::ifstream log(path + ".log");
  for (std::string line; std::getline(log, line);) ++out[line.substr(0, line.rfind(' '))];
  return out;
}

// By process, how many runs it began.
std::map<std::string, int> shares_of(const std::string& path) {
  std::map<std::string, int> out;
  std::ifstream log(path + ".log");
  for (std::string line; std::getline(log, line);) ++out[line.substr(line.rfind(' '))];
  return out;
}

// How often something was begun again.
int again(const std::string& path) {
  int out = 0;
  for (const auto& [run, times] : starts_of(path)) out += times - 1;
  return out;
}

std::uintmax_t log_size(const std::string& path) {
  std::error_code none;
  const std::uintmax_t size = std::filesystem::file_size(path + ".log", none);
  return none ? 0 : size;
}

// Waits until `runs` more have been begun than when the log had `begun` bytes, give or take one.
void await_runs(const std::string& path, std::uintmax_t begun, unsigned runs) {
  constexpr std::uintmax_t kLine = 45;  // of a log: id, split, initialisation, process
  const auto late = std::chrono::steady_clock::now() + 20s;
  while (log_size(path) < begun + runs * kLine && std::chrono::steady_clock::now() < late)
    std::this_thread::sleep_for(200us);
}

bool ended_well(pid_t process) {
  int status = 0;
  return process > 0 && ::waitpid(process, &status, 0) == process && WIFEXITED(status) &&
         WEXITSTATUS(status) == 0;
}

TEST(Kill, LosesAtMostWhatWasInFlight) {
  TempFolder folder;
  const std::string path = (folder / "s.sqlite").string();
  std::mt19937 random(setting("CUPEL_KILL_SEED", 7));
  for (int kill = 0; kill < kKills; ++kill) {
    const std::uintmax_t begun = log_size(path);
    const pid_t child = start(path);
    ASSERT_GT(child, 0);
    // Every fourth life ends by the clock, maybe before the store exists; the others after up to 20
    // runs, so that all of them are far from the end of the work on machines of any speed.
    if (kill % 4 == 0)
      std::this_thread::sleep_for(std::chrono::microseconds(random() % 10'000));
    else
      await_runs(path, begun, random() % 20);
    ::kill(child, SIGKILL);
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status)) << "ended by itself after " << kill << " kills";
  }
  {
    const Store store(path);
    store.check_integrity();
    EXPECT_TRUE(store.faults().empty());
  }
  // What was started again had been in flight at a kill.
  EXPECT_LE(again(path), kKills * kJobs);

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
  RecordProperty("kills", kKills);  // scripts/reliability adds them up
}

TEST(Kill, ProcessesThatComeTogetherShareTheWork) {
  TempFolder folder;
  const std::string path = (folder / "s.sqlite").string();
  const std::vector<pid_t> processes = {start(path, 3), start(path, 3), start(path, 3)};
  for (const pid_t process : processes) EXPECT_TRUE(ended_well(process));
  EXPECT_EQ(starts_of(path).size(), 2000u);
  EXPECT_EQ(again(path), 0) << "nothing is done twice";
  EXPECT_EQ(shares_of(path).size(), 3u) << "and nobody does all of it";
  EXPECT_EQ(Store(path, Store::Mode::kOpen).run_count(), 2000);
  EXPECT_FALSE(std::filesystem::exists(path + "-claims"));
}

TEST(Kill, AnotherProcessTakesOverFromOneThatIsKilled) {
  TempFolder folder;
  const std::string path = (folder / "s.sqlite").string();
  const pid_t first = start(path, 2), second = start(path, 2);
  ASSERT_GT(first, 0);
  for (int i = 0; i < 10'000 && shares_of(path).size() < 2; ++i) std::this_thread::sleep_for(1ms);
  ::kill(first, SIGKILL);
  ASSERT_EQ(::waitpid(first, nullptr, 0), first);
  EXPECT_TRUE(ended_well(second));
  const Store store(path, Store::Mode::kOpen);
  EXPECT_EQ(store.run_count(), 2000);
  EXPECT_TRUE(store.faults().empty());
  EXPECT_LE(again(path), kJobs) << "what was in flight at the kill";
}

}  // namespace
}  // namespace cupel
