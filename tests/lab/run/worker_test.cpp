// Programs that are started once and do many runs.
#include "cupel/lab/run/worker.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <thread>

#include "build_paths.h"
#include "cupel/data/formats/npz.h"
#include "cupel/lab/run/scheduler.h"
#include "lab/fake.h"
#include "programs.h"

namespace cupel {
namespace {

using made::fake_sources;
using made::TempFolder;
using namespace std::chrono_literals;

// 34 nodes in 3 classes: 6 train, 9 valid, 19 test.
constexpr int kTest = 19;

std::string scores_file(const TempFolder& folder, int winner, float value = 1, int rows = kTest) {
  Matrix m(rows, 3);
  for (int i = 0; i < rows; ++i) m(i, winner) = value;
  const auto path = folder / fmt::format("{}-{}-{}.npy", winner, rows, value);
  write_npy(make_npy(std::span<const float>(m.values), {rows, 3}), path);
  return path.string();
}

// A worker in shell that notes each start in `starts` and does `each` for its n-th run, which has
// the number $run; `$1` is the folder.
struct Shell {
  std::string each;
  int splits = 1, inits = 6;
  std::string more = {};

  Protocol protocol(const TempFolder& folder) const {
    return parse_protocol(
        "x", "x.toml",
        fmt::format(
            "[data]\ndatasets=['ring']\n[split]\ntrain=2\nvalid=3\ncount={}\n[train]\ninits={}\n"
            "[models.mine]\nworker=true\nisolation='none'\n{}\ncommand=['sh', '-c', '''echo start "
            ">> {}; n=0\nwhile read -r line; do n=$((n+1))\nrun=${{line##*\\\"run\\\":}}; "
            "run=${{run%%[!0-9]*}}\n{}\ndone''', 'sh', '{{task}}']\n",
            splits, inits, more, (folder / "starts").string(), each),
        {}, std::filesystem::temp_directory_path());
  }
};

struct Outcome {
  std::vector<RunRecord> records;  // by (split, init)
  ExecuteSummary summary;
  int starts = 0;
};

Plan plan_of(const Protocol& protocol) {
  PlanSources sources = fake_sources();
  sources.load = [](const std::string& name) { return made::ring(name, 34); };
  return make_plan(protocol, {}, sources);
}

Outcome run(const Shell& shell, const TempFolder& folder, int jobs = 1,
            const std::atomic<bool>* interrupt = nullptr) {
  Store store(folder / "s");
  const Plan plan = plan_of(shell.protocol(folder));
  ExecuteOptions options;
  options.jobs = jobs;
  options.interrupt = interrupt;
  Outcome out;
  out.summary = execute(plan, store, *make_executor(), options);
  for (const StoredRun& run : store.runs(plan.cells.at(0).family->id))
    out.records.push_back(run.record);
  std::ifstream starts(folder / "starts");
  for (std::string line; std::getline(starts, line);) ++out.starts;
  return out;
}

std::string answer(const std::string& file) {
  return "cp " + file + " \"$1/scores.npy\"; echo \"{\\\"run\\\": $run}\"";
}

TEST(Worker, IsStartedOnceForAllSplits) {
  const TempFolder folder;
  const Outcome out = run({answer(scores_file(folder, 1)), 3, 4}, folder);
  ASSERT_EQ(out.records.size(), 12u);
  for (const RunRecord& record : out.records)
    EXPECT_EQ(record.status, RunStatus::kOk) << record.message;
  EXPECT_EQ(out.starts, 1);
}

TEST(Worker, EndsWithTheLastRunOfItsRow) {
  const TempFolder folder;
  const std::string file = scores_file(folder, 1), pid = (folder / "pid").string();
  Protocol protocol = Shell{"echo $$ > " + pid + "; " + answer(file), 1, 2}.protocol(folder);
  ModelRow next = protocol.models[0];
  next.name = "next";
  next.external->worker = false;
  next.external->command = {
      "sh", "-c",
      "if kill -0 $(cat " + pid + "); then exit 9; fi; cp " + file + " \"$1/scores.npy\"", "sh",
      "{task}"};
  protocol.models.push_back(next);
  protocol.tables.at(0).models.push_back("next");
  Store store(folder / "s");
  ExecuteOptions options;
  options.jobs = 1;
  const ExecuteSummary summary = execute(plan_of(protocol), store, *make_executor(), options);
  EXPECT_EQ(summary.ok, 4) << (summary.failures.empty() ? "" : summary.failures[0]);
}

TEST(Worker, OneForEachJob) {
  const TempFolder folder;
  const Outcome out = run({"sleep 0.05; " + answer(scores_file(folder, 1)), 4, 4}, folder, 2);
  EXPECT_EQ(out.summary.ok, 16);
  EXPECT_EQ(out.starts, 2);
}

TEST(Worker, FindsAFreshFolderForEachRun) {
  const TempFolder folder;
  const Outcome out = run({"set -- \"$1\" $(ls -A \"$1\" | tr '\\n' ' ')\n"
                           "[ \"$*\" = \"$1 task.json task.npz\" ] || exit 9\n"
                           "mkdir \"$1/left\"; echo x > \"$1/left/over\"; rm \"$1/task.npz\"\n" +
                               answer(scores_file(folder, 0)),
                           2, 3},
                          folder);
  EXPECT_EQ(out.summary.ok, 6) << (out.records.empty() ? "" : out.records[0].message);
  EXPECT_EQ(out.starts, 1);
}

TEST(Worker, WhereIsolationWorksItIsIsolated) {
  const TempFolder folder;
  const std::string file = scores_file(folder, 1);
  Shell shell{answer(file)};
  Protocol protocol = shell.protocol(folder);
  protocol.models[0].external->isolation = "auto";
  protocol.models[0].external->readable = {folder / ""};
  protocol.models[0].external->command[2].replace(
      0, protocol.models[0].external->command[2].find(';'), ":");
  Store store(folder / "s");
  const Plan plan = plan_of(protocol);
  const ExecuteSummary summary = execute(plan, store, *make_executor(), {});
  EXPECT_EQ(summary.ok, 6) << (summary.failures.empty() ? "" : summary.failures[0]);
}

struct Misbehaviour {
  const char* name;
  std::string second;  // what is done in the second run
  const char* said;    // in the message
};

// The run is a recorded failure, and the next one has a fresh worker.
TEST(Worker, EveryMisbehaviourIsARecordedFailureAndTheNextIsFresh) {
  const TempFolder files;
  const std::string good = answer(scores_file(files, 1));
  const std::string nan = scores_file(files, 1, std::nanf("")), wrong = scores_file(files, 1, 1, 5);
  const Misbehaviour all[] = {
      {"crash", "echo so long >&2; exit 7", "exit code 7"},
      {"signal", "kill -SEGV $$", "signal"},
      {"hang", "echo busy; sleep 60", "\nbusy"},
      {"no line", "printf '{\"run\": 1}'; continue", "an answer is one line of JSON, flushed"},
      {"long", "printf '{\"run\": 1, \"error\": \"%0300000d\"}\\n' 7; continue",
       "more than 256 KB"},
      {"error", "echo '{\"run\": 1, \"error\": \"no idea\"}'; continue", "no idea"},
      {"other run", "echo '{\"run\": 0}'; continue", "answered 0 when it was given run 1"},
      {"no scores", "echo \"{\\\"run\\\": $run}\"; continue", "no scores.npy"},
      {"nan", answer(nan) + "; continue", "scores.npy"},
      {"shape", answer(wrong) + "; continue", "scores.npy"},
      {"cut answer", "echo '{ \"run\": 1,'; continue", "begins like an answer and is no JSON"},
      {"bytes", "printf 'a\\000b\\n'; continue", "no text"},
  };
  for (const Misbehaviour& one : all) {
    const TempFolder folder;
    const Outcome out =
        run({"if [ -e " + (folder / "once").string() + " ] || [ $n != 2 ]; then\n" + good +
                 "\nelse touch " + (folder / "once").string() + "; " + one.second + "\nfi",
             1, 5, "timeout_seconds=2"},
            folder);
    ASSERT_EQ(out.records.size(), 5u) << one.name;
    for (std::size_t i = 0; i < 5; ++i) {
      const RunRecord& record = out.records[i];
      if (i != 1) {
        EXPECT_EQ(record.status, RunStatus::kOk) << one.name << ": " << record.message;
        continue;
      }
      EXPECT_NE(record.status, RunStatus::kOk) << one.name;
      EXPECT_NE(record.message.find(one.said), std::string::npos) << one.name << record.message;
      EXPECT_FALSE(record.test_score) << one.name;
    }
    EXPECT_EQ(out.starts, 2) << one.name;
  }
}

TEST(Worker, OneThatNeverAnswersFails) {
  const TempFolder folder;
  const Outcome out = run({"exit 0", 1, 2}, folder);
  ASSERT_EQ(out.records.size(), 2u);
  for (const RunRecord& record : out.records)
    EXPECT_NE(record.message.find("had a run to do"), std::string::npos) << record.message;
  EXPECT_EQ(out.starts, 2);
}

TEST(Worker, WhatItPrintsIsNoAnswer) {
  const TempFolder folder;
  const Outcome out = run({"echo hello; echo '{'; echo '[1]'; echo '{\"epoch\": 3}'; " +
                           answer(scores_file(folder, 2))},
                          folder);
  EXPECT_EQ(out.summary.ok, 6);
}

TEST(Worker, WhatStandsAroundAnAnswerDoesNotMatter) {
  const TempFolder folder;
  const std::string copy = "cp " + scores_file(folder, 1) + " \"$1/scores.npy\"; ";
  for (const char* line :
       {"  {\"run\": %s}", "\\t{\"run\": %s} \\r", "\\357\\273\\277{\"run\": %s}"}) {
    const TempFolder store;
    const Outcome out =
        run({fmt::format("{}printf '{}\\n' $run", copy, line), 1, 2, "timeout_seconds=5"}, store);
    EXPECT_EQ(out.summary.ok, 2) << line;
  }
}

// Processes here: a shell has no threads, and both are counted alike.
TEST(Worker, OneThatLeavesSomethingRunningWithEachRunIsFreshAfterSome) {
  const TempFolder folder;
  const Outcome out = run({"sleep 60 & " + answer(scores_file(folder, 1)), 1, 9}, folder);
  ASSERT_EQ(out.records.size(), 9u);
  for (std::size_t i = 0; i < 9; ++i) {
    const RunRecord& record = out.records[i];
    const bool fails = i % (kGrowingRuns + 1) == kGrowingRuns;
    EXPECT_EQ(record.status, fails ? RunStatus::kFailed : RunStatus::kOk) << i << record.message;
    EXPECT_EQ(record.message.find("leaves threads or processes") != std::string::npos, fails);
  }
  EXPECT_EQ(out.starts, 3);
}

TEST(Worker, OneThatEndsBetweenRunsIsStartedAnew) {
  Worker worker;
  const auto request = [](const TaskFolder&) {
    ProcessRequest out;
    out.command = {"/bin/sh", "-c",
                   "read -r line; run=${line##*\\\"run\\\":}; echo \"{\\\"run\\\": "
                   "${run%%[!0-9]*}}\"; exit 9"};
    return out;
  };
  const RunLimits limits{std::chrono::steady_clock::now() + 30s, nullptr};
  for (int run = 0; run < 3; ++run) {
    const ProcessResult result = worker.run(
        "{}", limits, [] {}, request);
    EXPECT_EQ(result.end, ProcessResult::End::kExit);
    EXPECT_EQ(result.code, 0) << "run " << run << " is blamed for the end after the one before";
    std::this_thread::sleep_for(500ms);  // it has ended by then
  }
}

// The same a moment later, when it has been told of the next run: an end that it means, whenever it
// comes. What it did for that run meanwhile is not taken for the next worker's.
TEST(Worker, OneThatEndsByItselfAfterAnAnswerIsStartedAnew) {
  const TempFolder folder;
  const std::string file = scores_file(folder, 1);
  const Outcome out = run({"if [ $n = 2 ]; then cp " + file +
                               " \"$1/scores.npy\"; echo bye; exit 0; fi\n"
                               "[ -e \"$1/scores.npy\" ] && exit 9\n" +
                               answer(file),
                           1, 4},
                          folder);
  EXPECT_EQ(out.summary.ok, 4) << (out.records.empty() ? "" : out.records.back().message);
  EXPECT_EQ(out.starts, 4);
}

TEST(Worker, ALongErrorIsHeard) {
  const TempFolder folder;
  const Outcome out =
      run({"printf '{\"run\": %s, \"error\": \"%0100000d\"}\\n' $run 7", 1, 2}, folder);
  ASSERT_EQ(out.records.size(), 2u);
  for (const RunRecord& record : out.records) {
    EXPECT_NE(record.message.find("gave the run up"), std::string::npos)
        << record.message.substr(0, 100);
    EXPECT_LT(record.message.size(), 4000u);  // and of the line the end
  }
}

TEST(Worker, WhatItStartsOnceAndKeepsIsNoGrowth) {
  const TempFolder folder;
  const Outcome out = run({"if [ $n -le " + std::to_string(kGrowingRuns) +
                               " ]; then sleep 60 & fi; " + answer(scores_file(folder, 1)),
                           1, 9},
                          folder);
  EXPECT_EQ(out.summary.ok, 9) << (out.records.empty() ? "" : out.records[0].message);
  EXPECT_EQ(out.starts, 1);
}

TEST(Worker, AnInterruptEndsItUnrecorded) {
  const TempFolder folder;
  std::atomic<bool> interrupt = false;
  std::jthread later([&] {
    std::this_thread::sleep_for(300ms);
    interrupt = true;
  });
  const auto begin = std::chrono::steady_clock::now();
  const Outcome out = run({"sleep 60"}, folder, 1, &interrupt);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 30s);
  EXPECT_TRUE(out.summary.interrupted);
  EXPECT_TRUE(out.records.empty());
}

TEST(Worker, IsAnotherModelThanAProgramForEachRun) {
  const TempFolder folder;
  Protocol protocol = Shell{"exit"}.protocol(folder);
  const std::string worker = plan_of(protocol).cells[0].family->id;
  protocol.models[0].external->worker = false;
  EXPECT_NE(plan_of(protocol).cells[0].family->id, worker);
}

TEST(Worker, TheExampleRuns) {
  if (const std::string why = made::needs_program("python3"); !why.empty()) GTEST_SKIP() << why;
  const TempFolder folder;
  Protocol protocol = load_protocol(std::string(CUPEL_SOURCE_DIR) + "/examples/own_worker.toml");
  protocol.datasets = protocol.tables.at(0).datasets = {"csbm:nodes=600"};
  protocol.prepare.clear();
  protocol.prepare_special.clear();
  Store store(folder / "s");
  const Plan plan = make_plan(protocol, {}, plan_sources(folder / ""));
  const ExecuteSummary summary = execute(plan, store, *make_executor(), {});
  EXPECT_TRUE(summary.failures.empty()) << summary.failures.at(0);
  EXPECT_EQ(summary.failed, 0);
  double sum = 0;
  const auto runs = store.runs(plan.cells.at(0).family->id);
  ASSERT_EQ(plan.cells[0].model, "nearby");
  for (const StoredRun& run : runs) sum += run.record.test_score.value_or(0);
  EXPECT_GT(sum / static_cast<double>(runs.size()), 0.3);  // chance is a fifth or so
}

}  // namespace
}  // namespace cupel
