// Runs of the real program that fail, are refused, or cannot start.
#include <nlohmann/json.hpp>

#include "cli/run_place.h"

namespace cupel::test {
namespace {

using nlohmann::json;

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
  const std::size_t end = runs.find(",none,");
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

TEST_F(RunTest, SaysWhichProgramsMayBeEditedUnnoticed) {
  place_.write("mine.sh", "exit 3\n");
  const auto told = [&](const std::string& row) {
    place_.write("program.toml", std::string(kSmallProtocol) + "[models.mine]\n" + row);
    return contains(place_.run({"run", "program.toml", "--models", "mine", "--retry-failed"}).err,
                    "mine: no file of the program is in the identity");
  };
  EXPECT_TRUE(told("command = [\"sh\", \"-c\", \"exit 3\"]\n"));
  EXPECT_FALSE(told("command = [\"sh\", \"mine.sh\"]\n"));
  EXPECT_FALSE(told("command = [\"sh\", \"-c\", \"exit 3\"]\ninputs = [\"mine.sh\"]\n"));
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

}  // namespace
}  // namespace cupel::test
