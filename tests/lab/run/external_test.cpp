#include "cupel/lab/run/external.h"

#include <gtest/gtest.h>

#include <fstream>
#include <thread>

#include "build_paths.h"
#include "cupel/data/formats/npz.h"
#include "cupel/lab/isolation/process.h"
#include "cupel/lab/plan/program.h"
#include "cupel/lab/run/scheduler.h"
#include "error_of.h"
#include "lab/fake.h"

namespace cupel {
namespace {

using made::fake_sources;
using made::rows_of;
using made::TempFolder;
using namespace std::chrono_literals;

// A protocol whose only model is a shell command, with one split and `inits` runs. What isolation
// does is in isolation_*_test.cpp.
Protocol shell(const std::string& command, const std::string& more = "", int inits = 1) {
  return parse_protocol(
      "x", "x.toml",
      fmt::format("[data]\ndatasets=['ring']\n[split]\ntrain=2\nvalid=3\ncount=1\n"
                  "[train]\ninits={}\n[models.mine]\n{}\n"
                  "command=['sh', '-c', '''{}''', 'sh', '{{task}}']\n",
                  inits, more, command),
      {}, std::filesystem::temp_directory_path());
}

struct Outcome {
  std::vector<RunRecord> records;
  ExecuteSummary summary;
};

Outcome run(const Protocol& protocol, const ExecuteOptions& options = {}) {
  TempFolder folder;
  Store store(folder / "s");
  PlanSources sources = fake_sources();
  sources.load = [](const std::string& name) { return made::ring(name, 34); };
  const Plan plan = make_plan(protocol, {}, sources);
  Outcome out;
  out.summary = execute(plan, store, *make_executor(), options);
  for (const StoredRun& run : store.runs(plan.cells.at(0).family->id))
    out.records.push_back(run.record);
  return out;
}

// 34 nodes in 3 classes: 6 train, 9 valid, 19 test.
constexpr int kTest = 19;

// The key that lets a program read the folder.
std::string may_read(const TempFolder& folder) {
  return "readable = ['" + (folder / "").string() + "']\n";
}

// A scores.npy that gives every test node to `winner`, as NumPy would write it.
std::string scores_file(const TempFolder& folder, int winner, int rows = kTest, int columns = 3,
                        float value = 1) {
  Matrix m(rows, columns);
  for (int i = 0; i < rows; ++i) m(i, winner) = value;
  const auto path = folder / fmt::format("{}-{}-{}.npy", winner, rows, columns);
  write_npy(make_npy(std::span<const float>(m.values), {rows, columns}), path);
  return path.string();
}

TEST(External, IsScoredByUs) {
  TempFolder folder;
  const std::string file = scores_file(folder, 1);
  const Outcome out = run(shell("sleep 0.1; cp " + file + " \"$1/scores.npy\"", may_read(folder)));
  ASSERT_EQ(out.records.size(), 1u);
  EXPECT_EQ(out.records[0].status, RunStatus::kOk) << out.records[0].message;
  // The share of class 1 among the test nodes: 34 nodes hold 11 or 12 of each class, 5 are taken.
  const double share = *out.records[0].test_score * kTest;
  EXPECT_NEAR(share, std::round(share), 1e-9);
  EXPECT_GE(share, 6);
  EXPECT_LE(share, 7);
  EXPECT_FALSE(out.records[0].valid_score);
  EXPECT_GT(out.records[0].memory_bytes, 0);
}

TEST(External, GetsTheTaskAndNoTestLabel) {
  TempFolder folder;
  const auto copy = folder / "copy";
  const std::string scores = scores_file(folder, 0);
  const Outcome out =
      run(shell("cp -r \"$1\" " + copy.string() + " && cp " + scores + " \"$1/scores.npy\"",
                "isolation = 'none'\nalpha = 0.5\nname = 'x'"));
  ASSERT_EQ(out.records.at(0).status, RunStatus::kOk) << out.records[0].message;
  const NpzFile task(copy / "task.npz");
  std::vector<std::string> keys = task.keys();
  std::sort(keys.begin(), keys.end());
  // Labels come under y_train and y_valid alone; nothing else in the file depends on a label.
  EXPECT_EQ(keys, (std::vector<std::string>{"adj_data", "adj_indices", "adj_indptr", "adj_shape",
                                            "attr_matrix", "idx_test", "idx_train", "idx_valid",
                                            "y_train", "y_valid"}));
  EXPECT_EQ(task.read("y_train").items(), 6);
  EXPECT_EQ(task.read("y_valid").items(), 9);
  EXPECT_EQ(task.read("idx_test").items(), kTest);
  EXPECT_EQ(task.read("attr_matrix").shape, (std::vector<std::int64_t>{34, 2}));
  const Dataset data = made::ring("ring", 34);
  const auto ids = to_integers(task.read("idx_train")), labels = to_integers(task.read("y_train"));
  for (std::size_t i = 0; i < ids.size(); ++i)
    EXPECT_EQ(labels[i], data.labels()[static_cast<std::size_t>(ids[i])]);
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(copy)) {
    ++files;
    const auto name = entry.path().filename();
    EXPECT_TRUE(name == "task.npz" || name == "task.json") << name;
  }
  EXPECT_EQ(files, 2u);
  std::ifstream json(copy / "task.json");
  const std::string text((std::istreambuf_iterator<char>(json)), {});
  EXPECT_NE(text.find("\"alpha\": 0.5"), std::string::npos) << text;
  EXPECT_NE(text.find("\"budget_seconds\": 600"), std::string::npos) << text;
}

// The sharper form: change every label that the program may not see, and its folder keeps its
// bytes.
TEST(External, TheFolderDoesNotDependOnTestLabels) {
  TempFolder folder;
  std::vector<std::string> contents;
  for (int shift : {0, 1}) {
    Dataset data = made::ring("ring", 30);
    data.stored_splits.push_back({{0, 1, 2}, {3, 4, 5}, {}});
    for (Index i = 6; i < 30; ++i) {
      data.stored_splits[0].test.push_back(i);
      data.labels()[static_cast<std::size_t>(i)] = (i + shift) % 3;
    }
    PlanSources sources = fake_sources();
    sources.load = [&](const std::string&) { return data; };
    const auto copy = folder / std::to_string(shift);
    const Protocol protocol =
        parse_protocol("x", "x.toml",
                       "[data]\ndatasets=['ring']\n[split]\nscheme='stored'\n[models.mine]\n"
                       "isolation='none'\ncommand=['sh','-c','cp $CUPEL_TASK/task.npz " +
                           copy.string() + "']",
                       {}, "/");
    Store store(folder / ("s" + std::to_string(shift)));
    execute(make_plan(protocol, {}, sources), store, *make_executor(), {});
    std::ifstream in(copy, std::ios::binary);
    contents.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
  }
  EXPECT_GT(contents[0].size(), 1000u);
  EXPECT_EQ(contents[0], contents[1]);
}

// Kept apart it cannot be told: bubblewrap says both alike.
TEST(External, ASignalIsToldFromAnExitCodeThatLooksLikeOne) {
  const auto message = [](const char* command, const char* isolation) {
    return run(shell(command, fmt::format("isolation = '{}'", isolation))).records.at(0).message;
  };
  EXPECT_EQ(message("exit 130", "none"),
            "the program ended with exit code 130, or died of signal 2 (Interrupt)");
  EXPECT_EQ(message("kill -KILL $$", "none"), "the program died of signal 9 (Killed)");
  EXPECT_NE(message("kill -KILL $$", "auto").find("died of signal 9 (Killed)"), std::string::npos);
  EXPECT_EQ(message("exit 255", "auto"), "the program ended with exit code 255");
}

struct Bad {
  std::string command, message;
  RunStatus status = RunStatus::kFailed;
};

TEST(External, EveryMisbehaviourIsARecordedFailure) {
  TempFolder folder;
  const std::string nan = scores_file(folder, 0, kTest, 3, std::nanf(""));
  const std::string good = scores_file(folder, 2);
  const Bad cases[] = {
      {"exit 0", "wrote no scores.npy"},
      {"echo oh dear >&2; exit 3", "ended with exit code 3; it said:\noh dear"},
      // The whole of its last line is too long to show.
      {"echo first; head -c 3000 /dev/zero | tr '\\0' x; echo ' and that is why'; exit 3",
       "xxx and that is why"},
      {"kill -SEGV $$", "died of signal 11"},
      {"echo 1 > $1/scores.npy", "scores.npy"},
      {"cp " + nan + " $1/scores.npy", "scores.npy"},
      {"cp " + scores_file(folder, 0, kTest - 1) + " $1/scores.npy",
       "has the shape (18, 3) instead of (19, 3)"},
      {"cp " + scores_file(folder, 0, kTest, 4) + " $1/scores.npy",
       "has the shape (19, 4) instead of (19, 3)"},
      {"cp " + good + " $1/scores.npy; cp " + good + " $1/valid_scores.npy",
       "valid_scores.npy: has the shape (19, 3) instead of (9, 3)"},
      {"mkdir $1/scores.npy", "scores.npy: is not a file"},
      {"ln -s " + good + " $1/scores.npy", "scores.npy: is not a file"},
      {"echo at step 7; sleep 60", "its time was up; it said:\nat step 7", RunStatus::kTimeout},
      {"sleep 60 & sleep 60", "its time was up", RunStatus::kTimeout},
  };
  for (const Bad& c : cases) {
    const Outcome out = run(shell(
        c.command, may_read(folder) + (c.status == RunStatus::kTimeout ? "timeout_seconds = 0.2"
                                                                       : "timeout_seconds = 30")));
    ASSERT_EQ(out.records.size(), 1u) << c.command;
    EXPECT_EQ(out.records[0].status, c.status) << c.command;
    EXPECT_NE(out.records[0].message.find(c.message), std::string::npos)
        << c.command << "\n-> " << out.records[0].message;
    EXPECT_EQ(out.records[0].message.find("cupel-task-"), std::string::npos);
    EXPECT_FALSE(out.records[0].test_score);
  }
  const Protocol absent = parse_protocol(
      "x", "x.toml",
      "[data]\ndatasets=['ring']\n[split]\ntrain=2\nvalid=3\ncount=1\n[models.mine]\n"
      "command=['no-such-program']",
      {}, "/");
  // It says nothing of the model, and is no outcome.
  const Outcome out = run(absent);
  EXPECT_TRUE(out.records.empty());
  EXPECT_EQ(out.summary.failed, 0);
  EXPECT_EQ(out.summary.not_started, 1);
  EXPECT_NE(out.summary.not_started_rows.at(0).reason.find(
                "'no-such-program' cannot be started in /: No such file"),
            std::string::npos);
}

TEST(External, NothingIsLeftRunningOrLying) {
  TempFolder folder, temporary;
  const auto mark = folder / "alive";
  const char* before = std::getenv("TMPDIR");
  const std::string restore = before == nullptr ? "/tmp" : before;
  ::setenv("TMPDIR", (temporary / "").c_str(), 1);
  // A child in the background would write the mark after the program has ended.
  run(shell("(sleep 0.3; touch " + mark.string() + ") & exit 1", "isolation = 'none'"));
  ::setenv("TMPDIR", restore.c_str(), 1);
  std::this_thread::sleep_for(600ms);
  EXPECT_FALSE(std::filesystem::exists(mark));
  EXPECT_TRUE(std::filesystem::is_empty(temporary / ""));
}

TEST(External, MemoryIsLimited) {
  // `head` of a line that never ends wants it all in memory.
  const Outcome out =
      run(shell("head -c 500000000 /dev/zero | tail -n 1 > /dev/null; exit $?", "memory_mb = 64"));
  EXPECT_EQ(out.records.at(0).status, RunStatus::kFailed);
  EXPECT_NE(out.records.at(0).message.find("memory"), std::string::npos)
      << out.records.at(0).message;
}

TEST(External, AnInterruptEndsItUnrecorded) {
  std::atomic<bool> interrupt = false;
  std::jthread user([&] {
    std::this_thread::sleep_for(200ms);
    interrupt = true;
  });
  ExecuteOptions options;
  options.interrupt = &interrupt;
  const auto start = std::chrono::steady_clock::now();
  const Outcome out = run(shell("sleep 60"), options);
  EXPECT_LT(std::chrono::steady_clock::now() - start, 10s);
  EXPECT_TRUE(out.summary.interrupted);
  EXPECT_TRUE(out.records.empty());
}

TEST(External, AnEditedProgramIsAnotherModel) {
  TempFolder folder;
  std::ofstream(folder / "my.py") << "print(1)";
  ExternalCommand program;
  program.command = {"python3", "my.py", "{task}"};
  program.folder = folder / "";
  const auto identity = [&] { return program_identity(program, program_files(program)); };
  const auto before = identity();
  EXPECT_EQ(before, identity());
  std::ofstream(folder / "my.py") << "print(2)";
  EXPECT_NE(before, identity());
}

TEST(External, ItsInputsAreOfItsIdentity) {
  TempFolder folder;
  ExternalCommand program;
  program.command = {"python3", "-m", "mine", "{task}"};
  program.folder = folder / "";
  const auto identity = [&] { return program_identity(program, program_files(program)); };
  const auto before = identity();
  program.inputs = {"mine.py"};
  std::ofstream(folder / "mine.py") << "print(1)";
  const auto named = identity();
  EXPECT_NE(before, named);
  std::ofstream(folder / "mine.py") << "print(2)";
  EXPECT_NE(named, identity());
  program.inputs.clear();
  EXPECT_EQ(before, identity());
}

TEST(External, ItsInputsCanBeRead) {
  TempFolder folder;
  const std::string file = scores_file(folder, 1);
  const Outcome out = run(shell("cp " + file + " \"$1/scores.npy\"", "inputs = ['" + file + "']"));
  EXPECT_EQ(out.records.at(0).status, RunStatus::kOk) << out.records[0].message;
  const std::string message =
      error_of([] { (void)run(shell("exit 0", "inputs = ['absent.py']")); });
  EXPECT_NE(message.find("[models.mine]: 'inputs' names "), std::string::npos) << message;
  EXPECT_NE(message.find("absent.py, which is no file"), std::string::npos) << message;
}

// Under the identity of the program that was there at first.
class ExternalEdited : public testing::Test {
 protected:
  // `edit` comes between plan and runs.
  ExecuteSummary run(const std::string& script, const std::function<void()>& edit) {
    std::ofstream(folder_ / "my.sh") << script;
    const Protocol protocol = parse_protocol(
        "x", "x.toml",
        "[data]\ndatasets=['ring']\n[split]\ntrain=2\nvalid=3\ncount=1\n[train]\ninits=3\n"
        "[models.mine]\nisolation='none'\ncommand=['sh', 'my.sh', '{task}']\n",
        {}, folder_ / "");
    PlanSources sources = fake_sources();
    sources.load = [](const std::string& name) { return made::ring(name, 34); };
    const Plan plan = make_plan(protocol, {}, sources);
    edit();
    ExecuteOptions options;
    options.jobs = 1;
    Store store(folder_ / "s");
    const ExecuteSummary out = execute(plan, store, *make_executor(), options);
    EXPECT_EQ(store.runs(plan.cells.at(0).family->id).size(), static_cast<std::size_t>(out.done));
    return out;
  }
  std::string good() const {
    return "touch " + (folder_ / "ran").string() + "; cp " + scores_file(folder_, 1) +
           " \"$1/scores.npy\"\n";
  }
  static void expect_refused(const ExecuteSummary& out) {
    ASSERT_EQ(out.not_started_rows.size(), 1u);
    EXPECT_NE(out.not_started_rows[0].reason.find("my.sh: changed since the plan was made"),
              std::string::npos)
        << out.not_started_rows[0].reason;
  }
  TempFolder folder_;
};

TEST_F(ExternalEdited, BeforeItStartsItIsNotStarted) {
  const ExecuteSummary out = run(good(), [&] { std::ofstream(folder_ / "my.sh") << "exit 3"; });
  EXPECT_EQ(out.not_started, 3);
  expect_refused(out);
}

TEST_F(ExternalEdited, GoneItIsNotStarted) {
  expect_refused(run(good(), [&] { std::filesystem::remove(folder_ / "my.sh"); }));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "ran"));
}

TEST_F(ExternalEdited, WhileItRunsNothingIsKept) {
  const std::string edit = "echo '# x' >> " + (folder_ / "my.sh").string() + "\n";
  const ExecuteSummary out =
      run("[ -e " + (folder_ / "ran").string() + " ] && " + edit + good(), [] {});
  EXPECT_EQ(out.ok, 1);
  EXPECT_EQ(out.not_started, 2);
  expect_refused(out);
}

TEST_F(ExternalEdited, WrittenAgainAsItWasItIsTheSame) {
  const ExecuteSummary out = run(good(), [&] {
    std::filesystem::last_write_time(folder_ / "my.sh",
                                     std::filesystem::file_time_type::clock::now() + 1h);
  });
  EXPECT_EQ(out.ok, 3);
}

// The example that is shipped: better than guessing, and the same each time.
TEST(External, TheExampleRuns) {
  const Protocol protocol =
      load_protocol(std::string(CUPEL_SOURCE_DIR) + "/examples/own_model.toml");
  TempFolder folder;
  std::vector<std::string> rows;
  for (const char* name : {"s", "t"}) {
    Store store(folder / name);
    const Plan plan = make_plan(protocol, {{"csbm:nodes=600"}, {"class-mean", "sgc"}, {}, 2, 0},
                                plan_sources(folder / "none"));
    const ExecuteSummary summary = execute(plan, store, *make_executor(), {});
    EXPECT_EQ(summary.ok, 4) << (summary.failures.empty() ? "" : summary.failures[0]);
    EXPECT_EQ(summary.not_started, 0);
    std::string text;
    for (const PlannedCell& cell : plan.cells) {
      for (const StoredRun& run : store.runs(cell.family->id)) {
        EXPECT_GT(run.record.test_score.value_or(0), 0.5) << cell.model;
        EXPECT_GT(run.record.valid_score.value_or(0), 0.5) << cell.model;
        text += fmt::format("{} {}\n", run.record.id, run.record.test_score.value_or(0));
      }
    }
    rows.push_back(text);
  }
  EXPECT_EQ(rows[0], rows[1]);
}

}  // namespace
}  // namespace cupel
