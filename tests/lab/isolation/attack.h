// Programs that misbehave, run as models: kept apart or not.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "cupel/data/formats/npy.h"
#include "cupel/lab/isolation/bubblewrap.h"
#include "cupel/lab/run/pending.h"
#include "cupel/lab/run/scheduler.h"
#include "environment.h"
#include "lab/fake.h"

namespace cupel::made {

// 34 nodes in 3 classes: 6 train, 9 valid, 19 test.
inline constexpr int kTestNodes = 19;

inline void write_text(const std::filesystem::path& path, const std::string& text) {
  std::ofstream(path) << text;
}

inline std::string read_text(const std::filesystem::path& path) {
  std::ostringstream out;
  out << std::ifstream(path).rdbuf();
  return out.str();
}

// The system's own, as a version manager's takes longer to start than most attacks.
inline std::string python() {
  return std::filesystem::exists("/usr/bin/python3") ? "/usr/bin/python3" : "";
}

// Processes with this word in their command line, in whatever namespace.
inline std::vector<pid_t> processes_with(const std::string& word) {
  std::vector<pid_t> out;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const pid_t pid = std::atoi(entry.path().filename().c_str());
    if (pid > 0 && read_text(entry.path() / "cmdline").find(word) != std::string::npos)
      out.push_back(pid);
  }
  return out;
}

// A folder with a protocol, whose model is a program beside it.
class Attack {
 public:
  explicit Attack(std::string isolation) : isolation_(std::move(isolation)) {
    std::filesystem::create_directory(folder());
    for (int winner = 0; winner < 3; ++winner) {
      Matrix scores(kTestNodes, 3);
      for (int i = 0; i < kTestNodes; ++i) scores(i, winner) = 1;
      const auto file = folder() / ("class" + std::to_string(winner) + ".npy");
      write_npy(make_npy(std::span<const float>(scores.values), {kTestNodes, 3}), file);
    }
  }

  std::filesystem::path folder() const { return root_ / "protocol"; }
  std::filesystem::path outside(const std::string& name) const { return root_ / name; }

  // `text` is the program, which gets the task folder as its first argument. It can copy a result
  // from class0.npy, class1.npy and class2.npy, as it starts beside them.
  std::vector<RunRecord> runs(const std::string& interpreter, const std::string& text,
                              const std::string& more = "", int inits = 1) {
    write_text(folder() / "attack", text);
    const Protocol protocol =
        parse_protocol("x", "x.toml",
                       fmt::format("[data]\ndatasets=['ring']\n[split]\ntrain=2\nvalid=3\ncount=1\n"
                                   "[train]\ninits={}\n[models.mine]\nisolation='{}'\n{}\n"
                                   "command=['{}', 'attack', '{{task}}']\n",
                                   inits, isolation_, more, interpreter),
                       {}, folder());
    PlanSources sources = fake_sources();
    sources.load = [](const std::string& name) { return ring(name, 34); };
    const Plan plan = make_plan(protocol, {}, sources);
    Store store(":memory:");
    Pending pending = pending_runs(plan, store);
    const auto executor = make_executor(hidden);
    const RunGroup& group = pending.groups.at(0);
    const auto session = executor->open(group, {1});
    std::vector<RunRecord> out;
    for (const int init : group.inits) {
      RunLimits limits;
      limits.deadline = std::chrono::steady_clock::now() +
                        std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                            std::chrono::duration<double>(group.family->timeout_seconds));
      out.push_back(session->run(init, run_key(*group.family, group.split, init), limits));
    }
    return out;
  }

  RunRecord shell(const std::string& text, const std::string& more = "") {
    return runs("/bin/sh", text, more).at(0);
  }
  RunRecord in_python(const std::string& text, const std::string& more = "") {
    return runs(python(), text, more).at(0);
  }

  std::vector<std::filesystem::path> hidden;  // given to the executor

 private:
  TempFolder root_;
  std::string isolation_;
};

// The share of class `winner` among the test nodes, by which class1.npy is told from class0.npy.
// A ring's classes go round, so that shares differ with the split alone; they are asked of a run.
inline double score_of_class(const std::string& isolation, int winner) {
  Attack honest(isolation);
  return honest.shell(fmt::format("cp class{}.npy \"$1/scores.npy\"", winner))
      .test_score.value_or(-1);
}

// Each attack is run both ways; what bubblewrap alone can stop is asked of it alone.
class Isolated : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (GetParam() == std::string("required") && find_bubblewrap().program.empty())
      GTEST_SKIP() << find_bubblewrap().reason;
    if (python().empty()) GTEST_SKIP() << "there is no /usr/bin/python3";
  }
  static bool kept_apart() { return GetParam() == std::string("required"); }
};

inline std::string isolation_name(const ::testing::TestParamInfo<const char*>& info) {
  return info.param == std::string("required") ? "Bubblewrap" : "None";
}

}  // namespace cupel::made
