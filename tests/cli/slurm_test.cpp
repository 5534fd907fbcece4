// A real Slurm of one node on this machine, where Debian's packages slurm-wlm and munge are
// installed and we may start daemons.
#include <fmt/format.h>

#include <chrono>
#include <set>
#include <sstream>
#include <thread>

#include <nlohmann/json.hpp>

#include "cli/program.h"
#include "cli/stored_scores.h"
#include "programs.h"
#include "raw_sql.h"

namespace cupel::test {
namespace {

using nlohmann::json;
using namespace std::chrono_literals;

class SlurmTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (::geteuid() != 0) GTEST_SKIP() << "Slurm's daemons are started as root";
    for (const char* program : {"slurmctld", "slurmd", "munged", "sbatch"})
      if (const std::string why = made::needs_program(program); !why.empty()) GTEST_SKIP() << why;
    if (!manage("start", " 3")) GTEST_SKIP() << "no Slurm could be started here";
    started_ = true;
    place_.set("SLURM_CONF", (root_ / "slurm.conf").string());
    ::setenv("SLURM_CONF", (root_ / "slurm.conf").c_str(), 1);
  }
  void TearDown() override {
    if (started_) manage("stop", "");
  }

  bool manage(const std::string& verb, const std::string& more) const {
    const std::string command = std::string(CUPEL_SOURCE_DIR) + "/tests/cluster/slurm " + verb +
                                " " + (root_ / "").string() + more + " >" +
                                (root_ / "said").string() + " 2>&1";
    return std::system(command.c_str()) == 0;
  }

  // Until no job is left, a minute at most.
  static bool await_all() {
    for (int i = 0; i < 300; ++i) {
      if (std::system("test -z \"$(squeue --noheader)\"") == 0) return true;
      std::this_thread::sleep_for(200ms);
    }
    return false;
  }

  // Tries again until a command does what is asked, some seconds at most.
  static bool in_time(const std::string& command) {
    for (int i = 0; i < 200; ++i) {
      if (std::system(command.c_str()) == 0) return true;
      std::this_thread::sleep_for(100ms);
    }
    return false;
  }

  json shards(const std::string& plan) const {
    return json::parse(place_.run({"status", plan, "--json"}).out)["shards"];
  }

  const TempFolder root_;
  Workplace place_;
  bool started_ = false;
};

// MaxArraySize is 3, so that five shards are two arrays.
TEST_F(SlurmTest, AnArrayIsTheSerialRunToTheBit) {
  place_.write("small.toml", kSmallProtocol);
  const std::vector<std::string> command = {"run",      "small.toml", "--engine", "slurm",
                                            "--shards", "5",          "--jobs",   "1"};
  const Outcome handed = place_.run(command);
  ASSERT_EQ(handed.code, 0) << handed.err;
  EXPECT_TRUE(contains(handed.err, "5 shards in 2 arrays")) << handed.err;
  ASSERT_TRUE(await_all());
  for (const json& shard : shards("small.plan")) EXPECT_EQ(shard["state"], "done");
  const Outcome again = place_.run(command);
  EXPECT_EQ(again.code, 0) << "the merged store has all of it";
  EXPECT_TRUE(contains(again.err, "nothing to share out")) << again.err;
  ASSERT_EQ(place_.run({"run", "small.toml", "--store", "serial.sqlite", "--no-report"}).code, 0);
  EXPECT_EQ(report_of(place_, "small.sqlite"), report_of(place_, "serial.sqlite"));
}

std::string slow_protocol(int splits) {
  std::string text = kSmallProtocol;
  text.replace(text.find("count = 2"), 9, fmt::format("count = {}", splits));
  text.replace(text.find("max_epochs = 30"), 15, "max_epochs = 2000\npatience = 2000");
  return text;
}

TEST_F(SlurmTest, AKilledTaskIsNamedAndHandedInAgain) {
  place_.write("slow.toml", slow_protocol(20));
  const Outcome handed = place_.run(
      {"run", "slow.toml", "--models", "mlp", "--engine", "slurm", "--shards", "2", "--jobs", "1"});
  ASSERT_EQ(handed.code, 0) << handed.err;
  ASSERT_TRUE(in_time("pkill -KILL --full '[w]ork .*slow.plan.*--shard 1/2'"));
  ASSERT_TRUE(await_all());
  EXPECT_EQ(shards("slow.plan")[0]["state"], "missing");
  EXPECT_EQ(shards("slow.plan")[1]["state"], "done");
  EXPECT_TRUE(std::filesystem::exists(place_.path("slow.sqlite"))) << "merged all the same";
  const Outcome again = place_.run({"status", "slow.plan", "--resubmit"});
  ASSERT_EQ(again.code, 0) << again.err;
  EXPECT_TRUE(contains(again.err, "Slurm has 1 shard in 1 array")) << again.err;
  ASSERT_TRUE(await_all());
  EXPECT_EQ(place_.run({"status", "slow.plan"}).code, 0);
  const Outcome rest = place_.run({"run", "slow.toml", "--models", "mlp", "--no-report"});
  EXPECT_TRUE(contains(rest.err, "0 runs done")) << rest.err;
}

// A program that notes each run as it begins it, in a file that is none of its arguments: those are
// its identity.
constexpr const char* kLogged = R"(import json, sys, time
import numpy as np
folder, log = sys.argv[1], 'LOG'
task = json.load(open(folder + '/task.json'))
with open(log, 'a') as file:
    print(task['split'], task['init'], file=file)
time.sleep(0.2)
rows = len(np.load(folder + '/task.npz')['idx_test'])
scores = np.random.default_rng(task['seed']).random((rows, task['classes']))
np.save(folder + '/scores.npy', scores)
)";
constexpr std::size_t kLoggedRuns = 24;

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> out;
  for (std::string line; std::getline(in, line);) out.push_back(line);
  return out;
}

std::set<std::string> set_of(const std::vector<std::string>& lines) {
  return {lines.begin(), lines.end()};
}

// Outcomes in the order of ids, scores to the last digit.
std::string outcomes_in(const std::filesystem::path& store) {
  return made::raw_sql(store,
                       "SELECT group_concat(id || ' ' || status || ' ' || "
                       "printf('%!.17g', test_score), char(10)) FROM (SELECT * FROM runs ORDER BY "
                       "id)");
}

TEST_F(SlurmTest, ATaskThatMustMakeRoomGoesOnWhereItWas) {
  if (made::python_with_numpy().empty()) GTEST_SKIP() << made::kNeedsNumPy;
  const std::string log = place_.path("log").string();
  std::string program = kLogged;
  place_.write("logged.py", program.replace(program.find("LOG"), 3, log));
  place_.write("own.toml",
               "[data]\ndatasets = ['csbm:nodes=300']\n[split]\ntrain = 5\nvalid = 5\ncount = "
               "8\n[train]\ninits = 3\n[models.own]\nisolation = 'none'\ncommand = ['" +
                   made::python_with_numpy() + "', 'logged.py', '{task}']\n");
  const Outcome handed = place_.run(
      {"run", "own.toml", "--engine", "slurm", "--shards", "1", "--jobs", "1", "--pilot", "none"});
  ASSERT_EQ(handed.code, 0) << handed.err;
  ASSERT_TRUE(in_time("test \"$(cat " + log + " 2>/dev/null | wc -l)\" -ge 5"));
  ASSERT_TRUE(in_time("scancel --batch --signal=USR1 $(squeue --noheader --states=R --format=%i)"));
  ASSERT_TRUE(in_time("squeue --noheader --states=PD --format=%j | grep -q work"));
  EXPECT_EQ(shards("own.plan")[0]["state"], "PENDING");

  const std::vector<std::string> first = lines_of(place_.read("log"));
  EXPECT_LT(first.size(), kLoggedRuns);
  std::set<std::string> published;
  for (const auto& entry : std::filesystem::directory_iterator(place_.path("own.shards"))) {
    if (entry.path().extension() != ".sqlite") continue;
    std::filesystem::copy_file(entry.path(), root_ / "published");
    const std::string runs = made::raw_sql(
        root_ / "published", "SELECT group_concat(split || ' ' || init, char(10)) FROM runs");
    for (const std::string& run : lines_of(runs)) published.insert(run);
  }
  EXPECT_GE(published.size(), 4u) << "all but the one that was at work";
  EXPECT_EQ(shards("own.plan")[0]["done"], published.size());

  // Nobody asks for it: Slurm starts the task again.
  ASSERT_TRUE(await_all());
  EXPECT_EQ(shards("own.plan")[0]["state"], "done");
  std::vector<std::string> second = lines_of(place_.read("log"));
  second.erase(second.begin(), second.begin() + static_cast<std::ptrdiff_t>(first.size()));
  const std::set<std::string> gone_on = set_of(second);
  EXPECT_EQ(gone_on.size(), second.size()) << "each once";
  for (const std::string& run : gone_on) EXPECT_FALSE(published.contains(run)) << "twice: " << run;
  EXPECT_EQ(published.size() + gone_on.size(), kLoggedRuns);

  ASSERT_EQ(place_.run({"run", "own.toml", "--store", "serial.sqlite", "--no-report"}).code, 0);
  const std::string outcomes = outcomes_in(place_.path("own.sqlite"));
  EXPECT_EQ(lines_of(outcomes).size(), kLoggedRuns);
  EXPECT_EQ(outcomes, outcomes_in(place_.path("serial.sqlite")));
  EXPECT_EQ(report_of(place_, "own.sqlite"), report_of(place_, "serial.sqlite"));
}

}  // namespace
}  // namespace cupel::test
