// Searches of the real program.
#include <nlohmann/json.hpp>

#include "cli/run_place.h"

namespace cupel::test {
namespace {

using nlohmann::json;

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

// As that of a run: by the clock, and by past runs once there are some.
TEST_F(RunTest, ASearchIsTriedOutBeforeItIsEstimated) {
  place_.write("small.toml", std::string(kSmallProtocol) + kTune);
  const auto basis = [&](const std::vector<std::string>& more) {
    std::vector<std::string> words = {"tune", "small.toml", "--dry-run"};
    words.insert(words.end(), more.begin(), more.end());
    const Outcome outcome = place_.run(words);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return outcome.out;
  };
  const std::string tried = basis({});
  EXPECT_TRUE(contains(tried, "tried")) << tried;
  EXPECT_FALSE(contains(tried, "rough")) << tried;
  EXPECT_TRUE(contains(basis({"--pilot", "5s"}), "tried"));
  EXPECT_TRUE(contains(basis({"--pilot", "none"}), "good to a factor of ten"));
  const json lines = json::parse(basis({"--json"}))["to_do"];
  EXPECT_EQ(lines.size(), 5u) << "a line a trial";
  EXPECT_FALSE(std::filesystem::exists(place_.path("small.sqlite"))) << "nothing is kept";
  const Outcome wrong = place_.run({"tune", "small.toml", "--dry-run", "--pilot", "soon"});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_TRUE(contains(wrong.err, "--pilot: 'soon' is not a time")) << wrong.err;
}

constexpr const char* kGraphs = R"(task = "graph-classification"
[data]
datasets = ["syn-degree:graphs=40,nodes=12,low=2,high=8"]
[split]
scheme = "stratified-kfold"
folds = 4
valid = 25
count = 1
[train]
max_epochs = 3
[models.gin]
features = "degree"
hidden = "8"
)";

// Of a search nothing is tested, whatever it is of.
TEST_F(RunTest, SetsOfGraphsAreSearchedToo) {
  place_.write("graphs.toml", std::string(kGraphs) +
                                  "[tune]\nsplits = 1\n[tune.grid.gin]\nlr = [0.1, 0.01]\n"
                                  "features = [\"degree\", \"degree,random:width=2\"]\n");
  const Outcome done = place_.run({"tune", "graphs.toml", "--json"});
  ASSERT_EQ(done.code, 0) << done.err;
  const json trials = json::parse(done.out)["models"][0]["trials"];
  ASSERT_EQ(trials.size(), 4u);
  for (const json& trial : trials) EXPECT_TRUE(trial["score"].is_number()) << trial;
}

// What only a model tells of its settings is bad input of a plan, and no failed run.
TEST_F(RunTest, WhatAModelRefusesIsRefusedBeforeAnythingRuns) {
  const auto refused = [&](const std::string& from, const std::string& to) {
    std::string text = kGraphs;
    place_.write("graphs.toml", text.replace(text.find(from), from.size(), to));
    const Outcome outcome = place_.run({"run", "graphs.toml", "--dry-run"});
    EXPECT_EQ(outcome.code, 2) << outcome.out;
    EXPECT_TRUE(contains(outcome.err, "graphs.toml:11: [models.gin]: ")) << outcome.err;
    return outcome.err;
  };
  EXPECT_TRUE(contains(refused("\"degree\"", "\"degre\""), "did you mean 'degree'?"));
  EXPECT_TRUE(contains(refused("\"degree\"", "\"degree:foo=1\""), "no setting is called 'foo'"));
  EXPECT_TRUE(contains(refused("\"degree\"", "\"average-degree\""), "belongs to graphs"));
  EXPECT_TRUE(contains(refused("hidden = \"8\"", "hidden = \"x\""), "hidden = \"x\""));
}

TEST_F(RunTest, TheSettingsThatAreFoundDoNotReplaceWhatIsRead) {
  const std::string text = std::string(kSmallProtocol) + kTune;
  place_.write("small.toml", text);
  ASSERT_EQ(place_.run({"convert", "csbm:nodes=60", "mine.npz"}).code, 0);
  const std::string data = place_.read("mine.npz");
  for (const char* out : {"./small.toml", "mine.npz"}) {
    const Outcome refused =
        place_.run({"tune", "small.toml", "--datasets", "./mine.npz", "--out", out});
    EXPECT_EQ(refused.code, 2);
    EXPECT_TRUE(contains(refused.err, std::string(out) + " is what is read")) << refused.err;
  }
  EXPECT_EQ(place_.read("small.toml"), text);
  EXPECT_EQ(place_.read("mine.npz"), data);
}

TEST_F(RunTest, WithoutASearchThereIsNothingToTune) {
  const auto before = place_.files();
  const Outcome outcome = place_.run({"tune", "small.toml"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_TRUE(contains(outcome.err, "[tune]")) << outcome.err;
  EXPECT_EQ(place_.files(), before);
}

}  // namespace
}  // namespace cupel::test
