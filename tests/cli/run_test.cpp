// Runs of the real program: what it prints, keeps, resumes and leaves behind.
#include <pty.h>
#include <signal.h>
#include <nlohmann/json.hpp>

#include <set>
#include <thread>

#include "cli/program.h"
#include "cupel/lab/store/store.h"

namespace cupel::test {
namespace {

using nlohmann::json;

class RunTest : public testing::Test {
 protected:
  RunTest() { place_.write("small.toml", kSmallProtocol); }
  std::int64_t stored(const std::string& name) const {
    return Store(place_.path(name), Store::Mode::kOpen).run_count();
  }
  // Waits until the store has a run: the program is then at work.
  void await_a_run(const std::string& name) const {
    for (int i = 0; i < 1000; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
      try {
        if (std::filesystem::exists(place_.path(name)) && stored(name) > 0) return;
      } catch (const std::exception&) {
        // It is being made.
      }
    }
  }
  Workplace place_;
};

TEST_F(RunTest, PrintsTheReportAndKeepsTheRuns) {
  const Outcome outcome = place_.run({"run", "small.toml"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  for (const char* part : {"Small", "mlp", "labelprop", "majority", "csbm"})
    EXPECT_TRUE(contains(outcome.out, part)) << outcome.out;
  EXPECT_TRUE(contains(outcome.err, "10 runs done")) << outcome.err;
  EXPECT_TRUE(contains(outcome.err, "small.sqlite"));
  EXPECT_FALSE(contains(outcome.err, "\r")) << "no progress line where there is no terminal";
  EXPECT_EQ(stored("small.sqlite"), kSmallRuns);
}

TEST_F(RunTest, TheSecondTimeAddsNothingAndPrintsTheSame) {
  const Outcome first = place_.run({"run", "small.toml"});
  const Outcome second = place_.run({"run", "small.toml"});
  EXPECT_EQ(second.code, 0);
  EXPECT_EQ(first.out, second.out);
  EXPECT_TRUE(contains(second.err, "0 runs done")) << second.err;
  EXPECT_EQ(stored("small.sqlite"), kSmallRuns);
}

TEST_F(RunTest, NumbersDoNotDependOnJobsOrOnTheWayThere) {
  const std::string at_once = place_.run({"run", "small.toml", "--jobs", "1", "--json"}).out;
  place_.run({"run", "small.toml", "--store", "b.sqlite", "--splits", "1", "--no-report"});
  place_.run({"run", "small.toml", "--store", "b.sqlite", "--models", "mlp", "--no-report"});
  const std::string in_parts =
      place_.run({"run", "small.toml", "--store", "b.sqlite", "--jobs", "4", "--json"}).out;
  EXPECT_EQ(json::parse(at_once), json::parse(in_parts));
}

TEST_F(RunTest, DryRunRunsNothingAndLeavesNoFile) {
  const auto before = place_.files();
  const Outcome text = place_.run({"run", "small.toml", "--dry-run"});
  ASSERT_EQ(text.code, 0) << text.err;
  EXPECT_TRUE(contains(text.out, "10 runs planned, 0 in the store, 10 to do")) << text.out;
  const json plan = json::parse(place_.run({"run", "small.toml", "--dry-run", "--json"}).out);
  EXPECT_EQ(plan["runs"], kSmallRuns);
  EXPECT_EQ(plan["to_do"].size(), 3u);
  EXPECT_EQ(place_.files(), before);
}

// A hub with 2,000 leaves and 29 edges beside: more subgraphs than can be counted.
TEST_F(RunTest, AKernelThatWouldTakeYearsIsRefusedBeforeAnythingRuns) {
  std::filesystem::create_directory(place_.path("hub"));
  std::string arcs, nodes, labels;
  int node = 1;
  for (int graph = 1; graph <= 30; ++graph) {
    const int size = graph == 1 ? 2001 : 2 + graph % 2;
    for (int k = 0; k < size; ++k) {
      nodes += std::to_string(graph) + "\n";
      if (k > 0) arcs += std::to_string(node) + ", " + std::to_string(node + k) + "\n";
    }
    node += size;
    labels += std::to_string(graph % 2) + "\n";
  }
  place_.write("hub/hub_A.txt", arcs);
  place_.write("hub/hub_graph_indicator.txt", nodes);
  place_.write("hub/hub_graph_labels.txt", labels);
  place_.write("sets.toml", R"(
title = "Sets"
task = "graph-classification"
[data]
datasets = ["./hub"]
[split]
scheme = "stratified-kfold"
folds = 5
valid = 20
count = 2
[models.sm-svm]
k = 7
[models.size-svm]
)");
  const json plan = json::parse(place_.run({"run", "sets.toml", "--dry-run", "--json"}).out);
  ASSERT_EQ(plan["refused"].size(), 1u) << plan.dump();
  EXPECT_EQ(plan["refused"][0]["model"], "sm-svm");
  EXPECT_EQ(plan["refused"][0]["runs"], 2);
  EXPECT_EQ(plan["to_do"].size(), 1u);
  const auto before = place_.files();
  const Outcome alone = place_.run({"run", "sets.toml", "--models", "sm-svm"});
  EXPECT_EQ(alone.code, 1);
  for (const char* part : {"2 runs refused", "sm-svm on", "hub", "takes about", "set k ="})
    EXPECT_TRUE(contains(alone.err, part)) << part << alone.err;
  EXPECT_EQ(place_.files(), before) << "no store";
  const Outcome both = place_.run({"run", "sets.toml"});
  EXPECT_EQ(both.code, 1);
  EXPECT_LT(both.err.find("2 runs refused: sm-svm on"), both.err.find("2 runs done")) << both.err;
  EXPECT_TRUE(contains(both.err, "; 2 not started")) << both.err;
  EXPECT_EQ(stored("sets.sqlite"), 2) << "a refusal is no outcome";
  EXPECT_TRUE(contains(both.out, "No runs yet: sm-svm.")) << both.out;
}

TEST_F(RunTest, DryRunCountsWhatIsThere) {
  place_.run({"run", "small.toml", "--splits", "1"});
  const json plan = json::parse(place_.run({"run", "small.toml", "--dry-run", "--json"}).out);
  EXPECT_EQ(plan["runs"], kSmallRuns);
  EXPECT_EQ(plan["stored"], kSmallRuns / 2);
  for (const json& line : plan["to_do"]) EXPECT_GT(line["measured_runs"], 0) << line;
}

TEST_F(RunTest, SelectionsMultiplyOut) {
  place_.run({"run", "small.toml", "--models", "mlp,majority", "--splits", "1", "--inits", "2"});
  EXPECT_EQ(stored("small.sqlite"), 2 + 1);
}

TEST_F(RunTest, AUsersOwnFileIsAColumn) {
  place_.run({"generate", "csbm", "--set", "nodes=150", "--set", "classes=3", "--set",
              "features=40", "--out", "mine.npz"});
  const Outcome outcome = place_.run({"run", "small.toml", "--datasets",
                                      "./mine.npz,csbm:classes=3,features=50,nodes=160", "--models",
                                      "majority", "--json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(contains(outcome.out, "mine")) << outcome.out;
  EXPECT_TRUE(contains(outcome.out, "nodes=160")) << outcome.out;
  EXPECT_EQ(stored("small.sqlite"), 2 * 2);
}

TEST_F(RunTest, ShardsMergeIntoTheWhole) {
  const std::string whole = place_.run({"run", "small.toml", "--json"}).out;
  for (const char* part : {"1", "2", "3"}) {
    const std::string shard = std::string(part) + "/3";
    const Outcome outcome = place_.run({"run", "small.toml", "--shard", shard, "--store",
                                        std::string("part") + part + ".sqlite", "--no-report"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.out, "");
  }
  const Outcome merged =
      place_.run({"merge", "all.sqlite", "part1.sqlite", "part2.sqlite", "part3.sqlite", "--json"});
  ASSERT_EQ(merged.code, 0) << merged.err;
  const json summary = json::parse(merged.out);
  EXPECT_EQ(summary["runs"], kSmallRuns);
  std::int64_t added = 0;
  for (const json& one : summary["merged"]) added += one["added"].get<std::int64_t>();
  EXPECT_EQ(added, kSmallRuns) << "no run is done twice";
  const std::string report =
      place_.run({"report", "small.toml", "--store", "all.sqlite", "--json"}).out;
  EXPECT_EQ(json::parse(report), json::parse(whole));
}

TEST_F(RunTest, FailedRunsAreExitCodeOneAndStayInTheTable) {
  place_.write("program.toml", std::string(kSmallProtocol) +
                                   "[models.mine]\ncommand = [\"sh\", \"-c\", \"exit 3\"]\n");
  const Outcome outcome = place_.run({"run", "program.toml", "--models", "mine,majority"});
  EXPECT_EQ(outcome.code, 1) << outcome.err;
  EXPECT_TRUE(contains(outcome.err, "6 runs failed")) << outcome.err;
  EXPECT_TRUE(contains(outcome.err, "mine on csbm")) << outcome.err;
  EXPECT_TRUE(contains(outcome.out, "majority"));
  const std::string card = place_.run({"show", "program.sqlite"}).out;
  EXPECT_TRUE(contains(card, "exit code 3")) << card;
  // They are outcomes: not done again, unless asked for, and the table still has no score of them.
  const Outcome again = place_.run({"run", "program.toml", "--models", "mine,majority"});
  EXPECT_EQ(again.code, 1);
  EXPECT_TRUE(contains(again.err, "0 runs done")) << again.err;
  EXPECT_TRUE(contains(again.err, "6 runs of the store failed")) << again.err;
  EXPECT_EQ(place_.run({"run", "program.toml", "--models", "majority"}).code, 0);
  EXPECT_EQ(place_.run({"run", "program.toml", "--models", "mine", "--retry-failed"}).code, 1);
}

TEST_F(RunTest, SaysOnceWhichProgramsAreNotIsolated) {
  const std::string program = std::string(kSmallProtocol) +
                              "[models.mine]\ncommand = [\"sh\", \"-c\", \"exit 3\"]\nisolation = ";
  place_.write("program.toml", program + "\"none\"\n");
  const Outcome outcome = place_.run({"run", "program.toml", "--models", "mine,majority"});
  const std::string note = "not isolated: mine: the protocol says isolation = \"none\"";
  ASSERT_TRUE(contains(outcome.err, note)) << outcome.err;
  EXPECT_FALSE(contains(outcome.err.substr(outcome.err.find(note) + 1), note)) << outcome.err;
  // The report, its runs and their cards say so as well.
  EXPECT_TRUE(contains(outcome.out, "were not isolated")) << outcome.out;
  const std::string runs = place_.run({"report", "program.toml", "--format", "csv-runs"}).out;
  const std::size_t end = runs.find(",none\n");
  ASSERT_NE(end, std::string::npos) << runs;
  const std::string card =
      place_.run({"show", runs.substr(end - 32, 32), "--store", "program.sqlite"}).out;
  EXPECT_TRUE(contains(card, "not isolated")) << card;
  // Nothing to do, nothing to say.
  EXPECT_FALSE(contains(place_.run({"run", "program.toml", "--models", "majority"}).err, note));
  // Without bubblewrap a program that requires it is told, not run, and not kept.
  place_.write("required.toml", program + "\"required\"\n");
  place_.set("PATH", "/nowhere");
  const Outcome required = place_.run({"run", "required.toml", "--models", "mine,majority"});
  EXPECT_EQ(required.code, 1);
  EXPECT_TRUE(contains(required.err, "bubblewrap is not installed")) << required.err;
  EXPECT_TRUE(contains(required.err, "6 not started")) << required.err;
}

TEST_F(RunTest, WhatThisMachineCouldNotStartIsNotKept) {
  place_.write("program.toml",
               std::string(kSmallProtocol) + "[models.mine]\ncommand = [\"no-such-program\"]\n");
  const std::vector<std::string> command = {"run", "program.toml", "--models", "mlp,mine"};
  std::vector<std::string> narrow = command;
  narrow.insert(narrow.end(), {"--memory", "1K"});
  const Outcome small = place_.run(narrow);
  EXPECT_EQ(small.code, 1) << small.err;
  EXPECT_TRUE(contains(small.err, "0 runs done")) << small.err;
  EXPECT_TRUE(contains(small.err, "; 12 not started")) << small.err;
  for (const char* part : {"cupel: mlp on csbm", ": 6 runs not started: needs about", "--memory"})
    EXPECT_TRUE(contains(small.err, part)) << part << small.err;
  EXPECT_EQ(stored("program.sqlite"), 0);
  // The same with more memory does what it can.
  const Outcome whole = place_.run(command);
  EXPECT_EQ(whole.code, 1) << whole.err;
  EXPECT_EQ(stored("program.sqlite"), 6);
  EXPECT_TRUE(contains(whole.err, "'no-such-program' cannot be started")) << whole.err;
  EXPECT_FALSE(contains(whole.err, "failed")) << whole.err;
  EXPECT_EQ(place_.run({"run", "program.toml", "--models", "mlp"}).code, 0);
}

TEST_F(RunTest, EveryFormatOfTheReport) {
  place_.run({"run", "small.toml", "--no-report"});
  for (const char* format : {"text", "markdown", "csv", "json", "latex", "html"}) {
    const Outcome to_output = place_.run({"report", "small.toml", "--format", format});
    ASSERT_EQ(to_output.code, 0) << to_output.err;
    EXPECT_TRUE(contains(to_output.out, "labelprop")) << format;
    const std::string name = std::string("report.") + format;
    const Outcome to_file =
        place_.run({"report", "small.sqlite", "--format", format, "--out", name});
    EXPECT_EQ(to_file.code, 0) << to_file.err;
    EXPECT_EQ(to_file.out, "");
    EXPECT_EQ(place_.read(name), to_output.out) << format;
  }
  // The file's name says what is meant.
  place_.run({"report", "small.sqlite", "--out", "table.md"});
  EXPECT_EQ(place_.read("table.md"), place_.read("report.markdown"));
  const std::string csv = place_.read("report.csv");
  EXPECT_EQ(
      csv.substr(0, csv.find('\n')),
      "protocol,table,dataset,model,metric,mean,sd,n,expected_n,published_mean,"
      "published_spread,spread_kind,gap,verdict,gap_low,gap_high,smallest_delta,detectable_gap,"
      "look,looks,p,p_corrected");
}

TEST_F(RunTest, RunsAndFragmentsAreFormatsByOption) {
  place_.run({"run", "small.toml", "--no-report"});
  EXPECT_EQ(place_.run({"report", "small.toml", "--runs"}).out,
            place_.run({"report", "small.toml", "--format", "csv-runs"}).out);
  EXPECT_EQ(place_.run({"report", "small.toml", "--fragment"}).out,
            place_.run({"report", "small.toml", "--format", "latex-fragment"}).out);
  EXPECT_EQ(place_.run({"report", "small.toml", "--fragment", "--format", "csv"}).code, 2);
  EXPECT_EQ(place_.run({"report", "small.toml", "--fragment", "--runs"}).code, 2);
}

TEST_F(RunTest, AReportOfAPartIsThatPart) {
  place_.run({"run", "small.toml", "--no-report"});
  const auto rows = [&](const std::vector<std::string>& more) {
    std::vector<std::string> command = {"report", "small.sqlite", "--format", "csv"};
    command.insert(command.end(), more.begin(), more.end());
    std::set<std::string> lines;
    std::istringstream in(place_.run(command).out);
    for (std::string line; std::getline(in, line);) lines.insert(line);
    return lines;
  };
  const std::set<std::string> all = rows({}), part = rows({"--models", "majority,labelprop"});
  EXPECT_EQ(all.size(), 1u + 3u);
  EXPECT_EQ(part.size(), 1u + 2u);
  EXPECT_TRUE(std::includes(all.begin(), all.end(), part.begin(), part.end()));
  const Outcome wrong = place_.run({"report", "small.sqlite", "--models", "gcn"});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_TRUE(contains(wrong.err, "no row 'gcn'; there are: mlp, labelprop, majority"))
      << wrong.err;
}

TEST_F(RunTest, APathThatTheProtocolNamesIsAColumn) {
  place_.run({"generate", "csbm", "--set", "nodes=150", "--set", "classes=3", "--set",
              "features=40", "--out", "data.npz"});
  std::filesystem::create_directory(place_.path("sub"));
  std::string text = kSmallProtocol;
  text.replace(text.find("prepare ="), 0, "mine = { path = \"../data.npz\" }\n");
  place_.write("sub/p.toml", text);
  const Outcome outcome =
      place_.run({"run", "sub/p.toml", "--datasets", "MINE", "--models", "majority"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(contains(outcome.out, "\n              mine\n") || contains(outcome.out, " mine\n"))
      << outcome.out;
  EXPECT_FALSE(contains(outcome.out, "data.npz")) << outcome.out;
  // The same file by its path: nothing is done again.
  const Outcome by_path =
      place_.run({"run", "sub/p.toml", "--datasets", "./data.npz", "--models", "majority"});
  EXPECT_TRUE(contains(by_path.err, "0 runs done")) << by_path.err;
  // The store's own copy of the protocol reads without the file.
  EXPECT_EQ(place_.run({"report", "p.sqlite"}).code, 0);
}

TEST_F(RunTest, FiguresAreWritten) {
  place_.run({"run", "small.toml", "--no-report"});
  const Outcome outcome = place_.run({"report", "small.toml", "--figures", "figures"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  int svg = 0, vega = 0;
  for (const auto& entry : std::filesystem::directory_iterator(place_.path("figures"))) {
    const std::string text = read_file(entry.path());
    if (entry.path().extension() == ".svg") {
      ++svg;
      EXPECT_EQ(text.substr(0, 4), "<svg");
    } else {
      ++vega;
      EXPECT_TRUE(json::accept(text)) << entry.path();
    }
  }
  EXPECT_GE(svg, 1);
  EXPECT_EQ(svg, vega);
}

TEST_F(RunTest, AReportThatCannotBeWrittenLeavesNoFile) {
  place_.run({"run", "small.toml", "--no-report"});
  std::filesystem::create_directory(place_.path("taken.md"));
  const auto before = place_.files();
  const Outcome outcome = place_.run({"report", "small.toml", "--out", "taken.md"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_TRUE(contains(outcome.err, "taken.md"));
  EXPECT_EQ(place_.files(), before);
}

TEST_F(RunTest, AStoreAndItsRunsHaveCards) {
  place_.run({"run", "small.toml", "--no-report"});
  const json store = json::parse(place_.run({"show", "small.sqlite", "--json"}).out);
  EXPECT_EQ(store["runs"], kSmallRuns);
  std::set<std::string> ids;
  for (const json& cell : store["protocols"][0]["cells"]) {
    for (const json& run : cell["runs"]) ids.insert(run["id"].get<std::string>());
  }
  EXPECT_EQ(ids.size(), std::size_t{kSmallRuns});
  const std::string id = *ids.begin();
  const Outcome card = place_.run({"show", id.substr(0, 12), "--store", "small.sqlite", "--json"});
  ASSERT_EQ(card.code, 0) << card.err;
  const json run = json::parse(card.out);
  EXPECT_EQ(run["id"], id);
  EXPECT_EQ(run["status"], "ok");
  EXPECT_EQ(run["identity"]["family"]["metric"], "accuracy");
  EXPECT_TRUE(contains(place_.run({"show", id, "--store", "small.sqlite"}).out, id));
  EXPECT_EQ(place_.run({"show", "ffffffffffff", "--store", "small.sqlite"}).code, 2);
}

const char* const kTune = R"([tune]
datasets = ["csbm:classes=3,features=60,nodes=200"]
budget = 3
splits = 2
[tune.grid.mlp]
hidden = [2, 4, 8, 16]
[tune.grid.labelprop]
iterations = [2, 10]
)";

TEST_F(RunTest, ASearchHasAnEqualBudgetResumesAndStaysOutOfTheTables) {
  place_.write("small.toml", std::string(kSmallProtocol) + kTune);
  const std::string table = place_.run({"run", "small.toml", "--json"}).out;
  const Outcome first = place_.run({"tune", "small.toml", "--json", "--out", "best.toml"});
  ASSERT_EQ(first.code, 0) << first.err;
  // mlp: 3 of its 4 configurations x 2 splits; labelprop: both of its two x 2 splits.
  EXPECT_TRUE(contains(first.err, "10 runs done")) << first.err;
  EXPECT_EQ(stored("small.sqlite"), kSmallRuns + 10);
  const json result = json::parse(first.out);
  EXPECT_EQ(result["models"][0]["trials"].size(), 3u);
  EXPECT_EQ(result["models"][1]["trials"].size(), 2u);
  EXPECT_GE(result["first_split"], 2) << "the tables use splits 0 and 1";
  for (const json& model : result["models"]) {
    double best = 0;
    for (const json& trial : model["trials"]) best = std::max(best, trial["score"].get<double>());
    EXPECT_EQ(model["trials"][model["best"].get<std::size_t>() - 1]["score"], best);
  }
  EXPECT_TRUE(contains(place_.read("best.toml"), "[models.mlp]"));

  const Outcome second = place_.run({"tune", "small.toml", "--json"});
  EXPECT_EQ(second.out, first.out);
  EXPECT_TRUE(contains(second.err, "0 runs done")) << second.err;
  EXPECT_EQ(place_.run({"report", "small.toml", "--json"}).out, table);
  const Outcome text = place_.run({"tune", "small.toml"});
  EXPECT_TRUE(contains(text.out, place_.read("best.toml"))) << text.out;
}

TEST_F(RunTest, WithoutASearchThereIsNothingToTune) {
  const auto before = place_.files();
  const Outcome outcome = place_.run({"tune", "small.toml"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_TRUE(contains(outcome.err, "[tune]")) << outcome.err;
  EXPECT_EQ(place_.files(), before);
}

// Many runs that take a moment each, so that a signal falls among them.
std::string long_protocol() {
  std::string text = kSmallProtocol;
  text.replace(text.find("count = 2"), 9, "count = 50");
  text.replace(text.find("max_epochs = 30"), 15, "max_epochs = 400\npatience = 400");
  return text;
}

TEST_F(RunTest, CtrlCFinishesCleanlyAndTheSameCommandResumes) {
  place_.write("long.toml", long_protocol());
  const std::vector<std::string> command = {"run", "long.toml", "--models", "mlp", "--jobs", "2"};
  const pid_t process = place_.start(command);
  await_a_run("long.sqlite");
  ::kill(process, SIGINT);
  const Outcome stopped = place_.finish(process);
  EXPECT_EQ(stopped.code, 128 + SIGINT) << stopped.err;
  EXPECT_TRUE(contains(stopped.err, "the same command again")) << stopped.err;
  const auto after = stored("long.sqlite");
  EXPECT_GT(after, 0);
  EXPECT_LT(after, 150);
  const Outcome resumed = place_.run(command);
  EXPECT_EQ(resumed.code, 0) << resumed.err;
  EXPECT_TRUE(contains(resumed.err, std::to_string(after) + " were there")) << resumed.err;
  EXPECT_EQ(stored("long.sqlite"), 150);
}

// Training that would take minutes: what is kept at Ctrl-C are the runs of the other model.
TEST_F(RunTest, CtrlCDoesNotWaitForTheRunsInFlight) {
  std::string text = kSmallProtocol;
  text.replace(text.find("max_epochs = 30"), 15, "max_epochs = 3000000\npatience = 0");
  place_.write("endless.toml", text);
  const pid_t process =
      place_.start({"run", "endless.toml", "--models", "mlp,majority", "--jobs", "2"});
  await_a_run("endless.sqlite");
  ::kill(process, SIGINT);
  const Outcome stopped = place_.finish(process);
  EXPECT_EQ(stopped.code, 128 + SIGINT) << stopped.err;
  EXPECT_GE(stored("endless.sqlite"), 1);
  EXPECT_LE(stored("endless.sqlite"), 2);
  EXPECT_FALSE(contains(stopped.err, "failed")) << stopped.err;
}

TEST_F(RunTest, ASecondCtrlCEndsItAtOnceAndNothingIsLost) {
  place_.write("slow.toml",
               std::string(kSmallProtocol) + "[models.mine]\ncommand = [\"sleep\", \"600\"]\n");
  const pid_t process = place_.start({"run", "slow.toml", "--models", "majority,mine"});
  await_a_run("slow.sqlite");
  ::kill(process, SIGINT);
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  ::kill(process, SIGINT);
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(place_.finish(process).code, 128 + SIGINT);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(60));
  Store(place_.path("slow.sqlite"), Store::Mode::kOpen).check_integrity();
  EXPECT_GT(stored("slow.sqlite"), 0);
}

TEST_F(RunTest, ATerminalGetsAProgressLine) {
  int terminal = -1, program = -1;
  winsize size{.ws_row = 24, .ws_col = 60, .ws_xpixel = 0, .ws_ypixel = 0};
  if (::openpty(&terminal, &program, nullptr, nullptr, &size) != 0)
    GTEST_SKIP() << "no pseudo-terminals here";
  const pid_t process = place_.start({"run", "small.toml"}, program);
  ::close(program);
  std::string seen;
  char buffer[4096];
  for (ssize_t got; (got = ::read(terminal, buffer, sizeof buffer)) > 0;)
    seen.append(buffer, static_cast<std::size_t>(got));
  ::close(terminal);
  EXPECT_EQ(place_.finish(process).code, 0);
  EXPECT_TRUE(contains(seen, "of 10 runs")) << seen;
  // Each line begins anew, fits the terminal, and the last is cleared before the summary.
  EXPECT_TRUE(contains(seen, "\r\x1b[Kcupel: 10 runs done")) << seen;
  for (std::size_t at = 0; at < seen.size();) {
    const std::size_t end = std::min(seen.find("\x1b[K", at), seen.size());
    if (seen[at] == '\r' && end < seen.size()) {
      EXPECT_LE(end - at, 60u) << seen.substr(at, 80);
    }
    at = end + 3;
  }
}

// One run that would take minutes: the terminal tells from the start how far it is.
TEST_F(RunTest, ATerminalIsToldOfTheRunInFlight) {
  std::string text = kSmallProtocol;
  text.replace(text.find("max_epochs = 30"), 15, "max_epochs = 3000000\npatience = 0");
  place_.write("endless.toml", text);
  int terminal = -1, program = -1;
  winsize size{.ws_row = 24, .ws_col = 200, .ws_xpixel = 0, .ws_ypixel = 0};
  if (::openpty(&terminal, &program, nullptr, nullptr, &size) != 0)
    GTEST_SKIP() << "no pseudo-terminals here";
  const pid_t process = place_.start({"run", "endless.toml", "--models", "mlp"}, program);
  ::close(program);
  std::string seen;
  char buffer[4096];
  bool stopped = false;
  for (ssize_t got; (got = ::read(terminal, buffer, sizeof buffer)) > 0;) {
    seen.append(buffer, static_cast<std::size_t>(got));
    // Two different epochs are a line that goes on.
    const std::size_t first = seen.find(": epoch "), last = seen.rfind(": epoch ");
    const auto epoch = [&](std::size_t at) { return seen.substr(at, seen.find(", ", at) - at); };
    if (stopped || first == last || epoch(first) == epoch(last)) continue;
    ::kill(process, SIGINT);
    stopped = true;
  }
  ::close(terminal);
  EXPECT_EQ(place_.finish(process).code, 128 + SIGINT) << seen;
  EXPECT_TRUE(contains(seen, "reading csbm")) << seen;
  EXPECT_TRUE(contains(seen, "0 of 6 runs; mlp on csbm")) << seen;
  EXPECT_EQ(stored("endless.sqlite"), 0);
}

}  // namespace
}  // namespace cupel::test
